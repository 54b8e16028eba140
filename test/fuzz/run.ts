import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';
import { FUZZED_READERS } from './readers.ts';

// The long form of the fuzzing: npm run test:fuzz -- [--cases 1000000] [--seed N]. What fails belongs
// into corpus.json, as a list of its own.

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  },
});
const [cases, seed] = [Number(values.cases), Number(values.seed)];
if (!Number.isInteger(cases) || cases < FUZZED_READERS.length || !Number.isInteger(seed)) {
  console.error('usage: npm run test:fuzz -- [--cases 1000000] [--seed N]');
  process.exit(2);
}

const folder = temporaryFolder();
const each = Math.ceil(cases / FUZZED_READERS.length);
console.log(`${each} cases for each of ${FUZZED_READERS.length} readers, --seed ${seed}`);
let failed = 0;
for (const { name, prepare, property, earlier = [] } of FUZZED_READERS) {
  await prepare?.(join(folder, name));
  const began = performance.now();
  const result = await fc.check(property(), {
    numRuns: each,
    seed,
    examples: earlier.map((input) => [...input]) as never,
  });
  if (result.failed) {
    failed += 1;
    console.error(`${name}: FAILED\n${fc.defaultReportMessage(result)}`);
  } else console.log(`${name}: ${result.numRuns} passed in ${Math.round((performance.now() - began) / 1000)} s`);
}
removeFolder(folder);
console.log(`${FUZZED_READERS.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

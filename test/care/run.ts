import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { SeededRandom } from '../durability/random.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';
import { KillRounds } from './kill-rounds.ts';

// The long form of the tests of backup and restore: npm run test:care -- [--rounds 100] [--seed N]

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(randomInt(2 ** 32)) },
  },
});
const [count, seed] = [Number(values.rounds), Number(values.seed)];
if (!Number.isInteger(count) || count < 1 || !Number.isInteger(seed) || seed < 0) {
  console.error('usage: npm run test:care -- [--rounds 100] [--seed N]');
  process.exit(2);
}

const root = temporaryFolder();
console.log(`${count} kills of a backup and of a restore each, --seed ${seed}, in ${root}`);
const rounds = new KillRounds(root, new SeededRandom(seed));
await rounds.prepare();
const seen = { cut: 0, old: 0, new: 0 };
for (let round = 1; round <= count; round += 1) {
  for (const report of [await rounds.backup(), await rounds.restore()]) {
    if (!report.hadEnded) seen.cut += 1;
    if (report.found !== null) seen[report.found] += 1;
    if (report.findings.length === 0) continue;
    console.error(report);
    console.error(`FAILED in round ${round}; the data is kept in ${root}; again: npm run test:care -- --seed ${seed}`);
    process.exit(1);
  }
  if (round % 10 === 0) console.log(`${round} rounds`);
}
removeFolder(root);
console.log(
  `nothing lost: ${2 * count} commands, ${seen.cut} of them killed; of the restores ${seen.old} left the old state and ${seen.new} the new one, each whole`,
);

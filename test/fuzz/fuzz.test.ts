import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';
import { FUZZED_READERS } from './readers.ts';

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

// The long form is npm run test:fuzz.
test.each(FUZZED_READERS)(
  '$name: a thousand changed inputs are read or refused',
  async ({ name, prepare, property, earlier = [] }) => {
    await prepare?.(join(folder, name));
    const result = await fc.check(property(), {
      numRuns: 1000 + earlier.length,
      examples: earlier.map((input) => [...input]) as never,
    });
    expect(result.failed, fc.defaultReportMessage(result)).toBe(false);
  },
);

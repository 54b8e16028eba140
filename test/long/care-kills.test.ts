import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KillRounds } from '../care/kill-rounds.ts';
import { SeededRandom } from '../durability/random.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';

// A few moments; a hundred of each: npm run test:care.
const ROUNDS = 4;
const root = temporaryFolder();
const rounds = new KillRounds(root, new SeededRandom(20260522));
beforeAll(() => rounds.prepare());
afterAll(() => removeFolder(root));

describe('kill -9', () => {
  test('during a backup leaves the data unchanged, and no incomplete backup under a final name', async () => {
    for (let round = 0; round < ROUNDS; round += 1) expect((await rounds.backup()).findings).toEqual([]);
  });

  test('during a restore leaves the old state or the new one, complete', async () => {
    for (let round = 0; round < ROUNDS; round += 1) expect((await rounds.restore()).findings).toEqual([]);
  });
});

import { randomInt } from 'node:crypto';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DirectWriter } from '../../src/main/store/sqlite/write/direct-writer.ts';
import { runHashKills } from '../durability/hash-kills.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';
import { storePath } from '../support/store-file.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
});
afterEach(() => removeFolder(dataDir));

test('four kills while hashes are written lose and double nothing (npm run test:crash -- --hashes: a hundred)', async () => {
  const seed = randomInt(2 ** 32);
  const reports = await runHashKills({ kills: 4, seed, dataDir });
  expect(
    reports.flatMap(({ findings }) => findings),
    `seed ${seed}`,
  ).toEqual([]);
  expect(reports).toHaveLength(5);
  expect(reports.at(-1)!.hashed).toBeGreaterThan(1000);
});

test('the trial detects a wrong hash', async () => {
  let isChanged = false;
  const onKill = () => {
    if (isChanged) return;
    isChanged = true;
    // A kill may come before anything was hashed.
    const writer = new DirectWriter(storePath(dataDir, 'local'));
    writer.sumUp();
    writer.close();
    const db = new Database(storePath(dataDir, 'local'));
    db.exec('UPDATE log_leaves SET hash = zeroblob(32) WHERE entry = (SELECT max(entry) FROM log_leaves)');
    db.close();
  };
  const reports = await runHashKills({ kills: 2, seed: 1, dataDir, onKill });
  expect(reports.at(-1)!.findings).not.toEqual([]);
});

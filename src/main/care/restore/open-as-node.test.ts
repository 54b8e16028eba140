import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeDataFolder, seqsIn } from '../../../../test/support/care.ts';
import { removeFolder, temporaryFolder } from '../../../../test/support/node-process.ts';
import { lockDataDir } from '../../data-folder/node-lock.ts';
import { openAsNode } from './open-as-node.ts';

let root: string;
let dataDir: string;
beforeEach(() => {
  root = temporaryFolder();
  ({ dataDir } = makeDataFolder(join(root, 'data')));
});
afterEach(() => removeFolder(root));

it('opens both stores of a folder, and leaves them and its lock as they were', async () => {
  expect(await openAsNode(dataDir)).toEqual({ devices: 1 });
  expect([seqsIn(join(dataDir, 'private.db')).length, seqsIn(join(dataDir, 'public.db')).length]).toEqual([20, 3]);
  lockDataDir(dataDir)();
  rmSync(join(dataDir, 'public.db'));
  expect(await openAsNode(dataDir)).toEqual({ devices: 1 });
});

it.each(['private.db', 'public.db'])('reports a damaged %s', async (name) => {
  const store = join(dataDir, name);
  writeFileSync(store, readFileSync(store).fill(0xff, 0, 4096));
  await expect(openAsNode(dataDir)).rejects.toMatchObject({ fault: 'bad_data' });
  lockDataDir(dataDir)();
});

it.each(['private.db', 'public.db'])('reports a %s that a node could only read', async (name) => {
  const db = new Database(join(dataDir, name));
  db.pragma('user_version = 99');
  db.close();
  await expect(openAsNode(dataDir)).rejects.toMatchObject({ fault: 'bad_data' });
});

it('reports a missing identity, and a folder that a node runs on', async () => {
  const unlock = lockDataDir(dataDir);
  await expect(openAsNode(dataDir)).rejects.toThrow('can’t be opened');
  unlock();
  rmSync(join(dataDir, 'identity.mnemonic'));
  await expect(openAsNode(dataDir)).rejects.toThrow('can’t be opened');
});

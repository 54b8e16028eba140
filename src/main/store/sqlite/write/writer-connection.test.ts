import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../../../test/support/node-process.ts';
import { StorageUnavailable } from '../../storage-unavailable.ts';
import { prepareStore } from '../file/database.ts';
import { type StoreWriter, WriterThread } from './writer.ts';

const log = pino({ level: 'silent' });
const bounds = { maxDevices: 10, maxBytes: 1024 ** 3, minFreeBytes: 1, minFreePart: 1 };
let folder: string;
let thread: WriterThread;

beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, 'data'));
  thread = new WriterThread(log);
});
afterEach(async () => {
  await thread.close();
  removeFolder(folder);
});

const count = (writer: StoreWriter, outcome: string) =>
  writer.write<'count'>({
    kind: 'count',
    counts: { withheld: [], outcomes: [{ hour: 1, outcome, count: 1 }], unregistered: null },
  });

// Windows renames no folder in which a file is open.
it.skipIf(process.platform === 'win32')(
  'refuses the group, and goes on, where the free space of the disk can’t be asked for',
  async () => {
    const path = join(folder, 'data', 'public.db');
    prepareStore(path, 'public');
    const writer = await thread.open({ path, durability: 'full', bounds });
    renameSync(join(folder, 'data'), join(folder, 'away'));
    const refusals = await Promise.allSettled([count(writer, 'stored'), count(writer, 'duplicate')]);
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ status: 'rejected', reason: expect.any(StorageUnavailable) });
      expect(refusal).toMatchObject({ reason: { code: 'ENOENT' } });
    }
    renameSync(join(folder, 'away'), join(folder, 'data'));
    // The same thread, which starts no sooner than half a second after it has died.
    expect(await count(writer, 'stored')).toBe(null);
  },
);

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addReadings, makeDataFolder } from '../../../../test/support/care.ts';
import { recordDiskCalls, reportRoom } from '../../../../test/support/disk-calls.ts';
import { removeFolder, temporaryFolder } from '../../../../test/support/node-process.ts';
import type { CareProgress } from '../../../shared/care/progress.ts';
import { readArchive } from '../archive/read-archive.ts';
import type { NodePaths } from '../node-files.ts';
import { STAGING } from '../swap.ts';
import { backupName } from './backup-names.ts';
import { type BackupOrder, makeBackup } from './make-backup.ts';

const PHOTO = `${'ab'.repeat(32)}.jpg`;

let root: string;
let folder: string;
let paths: NodePaths;
beforeEach(() => {
  root = temporaryFolder();
  folder = join(root, 'backups');
  mkdirSync(folder);
  paths = makeDataFolder(join(root, 'data'));
});
afterEach(() => removeFolder(root));

/** Makes a backup; `at` is called at the beginning of each phase. */
function make(at: (phase: CareProgress['phase']) => void = () => {}, change: Partial<BackupOrder> = {}) {
  const onProgress = ({ phase, doneBytes }: CareProgress) => {
    if (doneBytes === 0) at(phase);
  };
  return makeBackup({ ...paths, folder, reason: 'demand', lock: null, ...change }, { onProgress });
}
const unfinished = () => join(folder, readdirSync(folder).find((name) => name.endsWith('.part'))!);

describe('a backup file', () => {
  it('gets its name only after it was read back', async () => {
    const phases: unknown[] = [];
    const { path } = await make((phase) => {
      phases.push(phase);
      expect(readdirSync(folder).filter((name) => !name.endsWith('.part'))).toEqual([]);
    });
    expect(phases).toEqual(['copying', 'writing', 'verifying']);
    expect(readdirSync(folder)).toEqual([path.slice(folder.length + 1)]);
  });

  it('is not begun without room for a copy of the stores', async () => {
    const end = reportRoom(64 * 1024 ** 2, 1024 ** 3);
    const refused = make().finally(end);
    await expect(refused).rejects.toMatchObject({
      ...{ fault: 'no_room', message: expect.stringContaining('a copy of the stores needs') },
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('that the disk changed gets no name, and is removed', async () => {
    const changed = make((phase) => {
      if (phase !== 'verifying') return;
      const bytes = readFileSync(unfinished());
      bytes[bytes.length >> 1]! ^= 1;
      writeFileSync(unfinished(), bytes);
    });
    await expect(changed).rejects.toMatchObject({ fault: 'damaged' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('that is a whole backup, but not the one that was written, gets no name', async () => {
    const { path } = await make();
    addReadings(join(paths.dataDir, 'private.db'), 1, 100);
    const exchanged = make((phase) => {
      if (phase === 'verifying') copyFileSync(path, unfinished());
    });
    await expect(exchanged).rejects.toMatchObject({ fault: 'damaged', message: expect.stringContaining('differs') });
    expect(readdirSync(folder)).toEqual([path.slice(folder.length + 1)]);
  });

  it('is on disk before it has its name, and its name before the backup counts', async () => {
    const disk = recordDiskCalls();
    const { path } = await make().finally(disk.end);
    const calls = disk.calls.filter((call) => call.includes(folder));
    const part = /^sync (.*\.part)$/.exec(calls[0]!)?.[1];
    // Windows syncs no folders.
    const named = process.platform === 'win32' ? [] : [`sync ${folder}`];
    expect(calls).toEqual([`sync ${part}`, `rename ${part} ${path}`, ...named]);
  });

  it('takes the place of no other of the same second', async () => {
    const { path, manifest } = await make();
    // Whichever second the next one is made in, its name is taken.
    const now = Date.parse(manifest.madeAt);
    const taken = Array.from({ length: 60 }, (_, second) => {
      return join(folder, backupName(manifest.node.publicKey, new Date(now + second * 1000), 'demand', 'none'));
    });
    for (const each of taken) if (each !== path) writeFileSync(each, 'taken');
    const before = readFileSync(path);
    const next = await make();
    expect(next.path).toMatch(/Z-2\.tar\.zst$/);
    expect(taken.map((each) => readFileSync(each).length)).toEqual([before.length, ...taken.slice(1).map(() => 5)]);
  });
});

it('its copies are readable only by their owner, and are gone afterwards', async () => {
  if (process.platform !== 'win32') {
    await make((phase) => {
      if (phase === 'writing') expect(statSync(join(paths.dataDir, STAGING)).mode & 0o777).toBe(0o700);
    });
  } else await make();
  expect(existsSync(join(paths.dataDir, STAGING))).toBe(false);
});

it('has the photos of the copied store, also those that are deleted or added meanwhile', async () => {
  const photos = join(paths.dataDir, 'photos');
  mkdirSync(photos);
  const later = PHOTO.replaceAll('ab', 'cd');
  writeFileSync(join(photos, PHOTO), 'one');
  const { manifest, path } = await make((phase) => {
    if (phase !== 'copying') return;
    rmSync(join(photos, PHOTO));
    writeFileSync(join(photos, later), 'other');
  });
  const names = manifest.members.map(({ name }) => name).filter((name) => name.startsWith('photo-'));
  expect(names).toEqual([`photo-${PHOTO}`, `photo-${later}`]);
  // Programs that know no photos must refuse it.
  expect((await readArchive(path, null)).version).toBe(2);
});

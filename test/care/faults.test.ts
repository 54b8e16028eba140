import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeDataFolder, seqsIn } from '../support/care.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { answerOf, backUp, startCommand, wellhouse } from '../support/wellhouse.ts';

let root: string;
const dataDir = () => join(root, 'data');
const backups = () => join(root, 'backups');
beforeEach(() => {
  root = temporaryFolder();
  mkdirSync(backups());
});
afterEach(() => removeFolder(root));

const disks = [mountSmallDisk(1)];
describe.skipIf(disks[0] === null)('a disk that is full (skipped where this user may not mount a small one)', () => {
  const disk = disks[0] as SmallDisk;
  afterEach(() => disk.free());
  afterAll(() => disk.remove());

  test('makes no backup, keeps the previous ones, and reports it', async () => {
    makeDataFolder(dataDir());
    const env = { BACKUP_DIR: disk.folder };
    const first = await backUp(dataDir(), ['--to', disk.folder, '--plain']);
    const before = readdirSync(disk.folder).sort();
    disk.fill();
    const { code, stderr } = await wellhouse(dataDir(), ['backup', '--plain'], { env });
    expect([code, stderr]).toEqual([6, expect.stringContaining('the disk is full')]);
    expect(
      readdirSync(disk.folder)
        .filter((name) => name !== 'ballast')
        .sort(),
    ).toEqual(before);
    expect(await answerOf(dataDir(), ['status'])).toMatchObject({ backup: { failure: { fault: 'no_room' } } });
    disk.free();
    expect(await answerOf(dataDir(), ['check', first])).toMatchObject({
      encryption: 'none',
    });
    rmSync(first);
  });

  test('makes no restore, and keeps the present data', async () => {
    makeDataFolder(dataDir());
    const path = await backUp(dataDir(), ['--to', backups(), '--plain']);
    const to = join(disk.folder, 'data');
    const { code } = await wellhouse(to, ['restore', path]);
    expect(code).toBe(6);
    expect(readdirSync(to).filter((name) => !name.endsWith('.lock'))).toEqual([]);
  });
});

describe('the folder of backups', () => {
  test('that disappears during a backup fails only that backup', async () => {
    makeDataFolder(dataDir(), 60_000);
    const { ended, child } = startCommand(dataDir(), ['backup', '--to', backups(), '--plain']);
    let hasMoved = false;
    await expect
      .poll(
        () => {
          if (child.exitCode !== null) return true;
          if (!readdirSync(backups()).some((name) => name.endsWith('.part'))) return false;
          renameSync(backups(), `${backups()}-away`);
          hasMoved = true;
          return true;
        },
        { timeout: 60_000, interval: 1 },
      )
      .toBe(true);
    const { code, stderr } = await ended;
    expect(hasMoved).toBe(true);
    expect([code, stderr]).toEqual([6, expect.stringContaining('disappeared')]);
    expect(seqsIn(join(dataDir(), 'private.db'))).toHaveLength(60_000);
    expect((await wellhouse(dataDir(), ['backup', '--to', backups(), '--plain'])).code).toBe(6);
    renameSync(`${backups()}-away`, backups());
    expect((await wellhouse(dataDir(), ['backup', '--to', backups(), '--plain'])).code).toBe(0);
    expect(readdirSync(backups()).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});

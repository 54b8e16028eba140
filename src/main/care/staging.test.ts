import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { reportRoom } from '../../../test/support/disk-calls.ts';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import { inStaging, inTemporaryFolder, needRoom } from './staging.ts';
import { STAGING } from './swap.ts';

const MIB = 1024 ** 2;
let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
});
afterEach(() => removeFolder(dataDir));

it('work begins in an empty folder, which is removed whether it ends or fails', async () => {
  mkdirSync(join(dataDir, STAGING));
  writeFileSync(join(dataDir, STAGING, 'of one that was killed'), '');
  const seen: boolean[] = [];
  const work = async (staging: string) => {
    seen.push(existsSync(join(staging, 'of one that was killed')));
    writeFileSync(join(staging, 'private.db'), 'a copy');
  };
  await inStaging(dataDir, work);
  expect([seen, existsSync(join(dataDir, STAGING))]).toEqual([[false], false]);
  const failed = inStaging(dataDir, async (staging) => {
    await work(staging);
    throw new Error('the disk is gone');
  });
  await expect(failed).rejects.toThrow('the disk is gone');
  expect(existsSync(join(dataDir, STAGING))).toBe(false);
  // The lock is released, too.
  expect(await inStaging(dataDir, async () => 'next')).toBe('next');
});

it('other work is refused while one runs, and leaves its folder alone', async () => {
  await inStaging(dataDir, async (staging) => {
    writeFileSync(join(staging, 'private.db'), 'a copy');
    await expect(inStaging(dataDir, async () => {})).rejects.toMatchObject({ fault: 'busy' });
    expect(existsSync(join(staging, 'private.db'))).toBe(true);
  });
});

it('files of a restore that was cut off stay for the start that finishes it', async () => {
  writeFileSync(join(dataDir, 'restore.json'), '{}');
  mkdirSync(join(dataDir, STAGING));
  await expect(inStaging(dataDir, async () => {})).rejects.toMatchObject({ fault: 'busy' });
  expect(existsSync(join(dataDir, STAGING))).toBe(true);
});

it('a temporary folder is removed when the work in it fails', async () => {
  let folder = '';
  const failed = inTemporaryFolder(async (staging) => {
    folder = staging;
    throw new Error('damaged');
  });
  await expect(failed).rejects.toThrow('damaged');
  expect([folder === '', existsSync(folder)]).toEqual([false, false]);
});

it('needs the bytes and 64 MiB more to be free, where the file system says what is free', async () => {
  const need = (freeBytes: number, totalBytes: number) => {
    const end = reportRoom(freeBytes, totalBytes);
    return needRoom(dataDir, 100 * MIB, 'a copy').finally(end);
  };
  await need(164 * MIB, 1000 * MIB);
  await expect(need(164 * MIB - 1, 1000 * MIB)).rejects.toMatchObject({
    fault: 'no_room',
    message: `a copy needs 172 MB in ${dataDir}, and 172 MB are free`,
  });
  // Some network file systems report zeros.
  await need(0, 0);
});

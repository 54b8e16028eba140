import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tryCareLock } from '../data-folder/node-lock.ts';
import { CareError } from './care-error.ts';
import { isRestoreCutOff, STAGING } from './swap.ts';

const SPARE_BYTES = 64 * 1024 ** 2;

/**
 * Runs work under the care lock of a data folder, in an empty folder that is removed afterwards. Rejects with CareError
 * `busy` if other work is running.
 */
export async function inStaging<T>(dataDir: string, run: (staging: string) => Promise<T>): Promise<T> {
  const release = tryCareLock(dataDir);
  if (release === null)
    throw new CareError('busy', `a backup, check or restore of ${dataDir} is under way; wait for its end`);
  const staging = join(dataDir, STAGING);
  try {
    if (isRestoreCutOff(dataDir)) {
      throw new CareError(
        'busy',
        `a restore of ${dataDir} was cut off: start the node, or restore again, and it is finished first`,
      );
    }
    rmSync(staging, { recursive: true, force: true });
    mkdirSync(staging, { mode: 0o700 });
    return await run(staging);
  } finally {
    try {
      // If a restore was interrupted, the folder has the files that a later start puts in place.
      if (!isRestoreCutOff(dataDir)) rmSync(staging, { recursive: true, force: true });
    } finally {
      release();
    }
  }
}

/** Runs work without a data folder, in a temporary folder of the system. */
export async function inTemporaryFolder<T>(run: (staging: string) => Promise<T>): Promise<T> {
  const staging = mkdtempSync(join(tmpdir(), 'wellhouse-check-'));
  try {
    return await run(staging);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Rejects with CareError if a disk has too little space. */
export async function needRoom(folder: string, bytes: number, forWhat: string): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(folder);
  const [need, free] = [bytes + SPARE_BYTES, bavail * bsize];
  // Some file systems, such as network ones, report no useful sizes.
  if (free >= need || blocks === 0) return;
  throw new CareError('no_room', `${forWhat} needs ${megabytes(need)} in ${folder}, and ${megabytes(free)} are free`);
}

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`;

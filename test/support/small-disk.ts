import { execFileSync } from 'node:child_process';
import { rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeFolder, temporaryFolder } from './node-process.ts';

/** A separate file system that can be filled. */
export interface SmallDisk {
  readonly folder: string;
  /** Uses all free space but `leftBytes`, 0 by default. */
  fill(leftBytes?: number): void;
  /** Frees the space that `fill` used. */
  free(): void;
  remove(): void;
}

/** Mounts a file system of `mebibytes` MiB in memory. Returns null if this user may not mount. */
export function mountSmallDisk(mebibytes: number): SmallDisk | null {
  if (process.platform !== 'linux') return null;
  const folder = temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=700`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    removeFolder(folder);
    return null;
  }
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill(leftBytes = 0) {
      for (let block = 64 * 1024; block >= 4096; block /= 16) {
        try {
          while (true) writeFileSync(ballast, Buffer.alloc(block), { flag: 'a' });
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
      }
      truncateSync(ballast, statSync(ballast).size - leftBytes);
    },
    free: () => rmSync(ballast, { force: true }),
    remove() {
      execFileSync('umount', ['--lazy', folder]);
      removeFolder(folder);
    },
  };
}

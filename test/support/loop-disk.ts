import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, statfsSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeFolder, temporaryFolder } from './node-process.ts';

/** An ext4 file system in a file, like that of an SD card. */
export interface LoopDisk {
  /** The folder where it is mounted. Anyone may write to it. */
  readonly folder: string;
  /** The block device, such as `/dev/loop0`. */
  readonly device: string;
  /** Returns the bytes that are free for a user other than root. */
  readonly freeBytes: () => number;
  /** Uses every free block; as root, also those that are reserved for root. */
  fill(): void;
  /** Frees this many of the bytes that `fill` used. */
  leave(bytes: number): void;
  /** Frees the bytes that `fill` used. */
  free(): void;
  remove(): void;
}

/** Creates and mounts a file system of `mebibytes` MiB. Returns null if this user may not. */
export function mountLoopDisk(mebibytes: number): LoopDisk | null {
  if (process.platform !== 'linux') return null;
  const root = temporaryFolder();
  const [image, folder] = [join(root, 'image'), join(root, 'mounted')];
  try {
    writeFileSync(image, '');
    truncateSync(image, mebibytes * 1024 ** 2);
    execFileSync('mkfs.ext4', ['-q', '-F', '-m', '0', image], { stdio: 'ignore' });
    execFileSync('mkdir', [folder]);
    execFileSync('mount', ['-o', 'loop', image, folder], { stdio: 'ignore' });
  } catch {
    removeFolder(root);
    return null;
  }
  chmodSync(root, 0o755);
  chmodSync(folder, 0o777);
  const device = execFileSync('findmnt', ['-n', '-o', 'SOURCE', folder], { encoding: 'utf8' }).trim();
  const ballast = join(folder, 'ballast');
  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  };
  return {
    ...{ folder, device, freeBytes },
    fill() {
      for (let block = 1024 * 1024; block >= 1024; block /= 4) {
        try {
          while (true) writeFileSync(ballast, Buffer.alloc(block), { flag: 'a', flush: true });
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
      }
    },
    leave: (bytes) => truncateSync(ballast, statSync(ballast).size - bytes),
    free: () => rmSync(ballast, { force: true }),
    remove() {
      execFileSync('umount', ['--lazy', '--detach-loop', folder]);
      removeFolder(root);
    },
  };
}

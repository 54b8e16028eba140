import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reservedBytes } from '../common/room.ts';
import { syncFolder } from '../common/sync.ts';

const FILE = 'start.reserve';
const MOST_BYTES = 4 * 1024 ** 2;
/** SQLite needs 32 KiB to open each store, and some space for its log; the other files are small. */
const NEEDED_BYTES = 1024 ** 2;

/**
 * Disk space that is reserved for a start. If other programs have filled the disk, a stopped node could not even open
 * its stores to read them. The space is released before the stores are opened, and reserved again when they have been
 * closed.
 */
export class StartReserve {
  readonly #dir: string;
  readonly #path: string;

  /** `dir` is the data folder. */
  constructor(dir: string) {
    this.#dir = dir;
    this.#path = join(dir, FILE);
  }

  /** Releases the space if the disk has less than a start needs. Returns whether it did. */
  release(): boolean {
    if (this.#room().free >= NEEDED_BYTES || !existsSync(this.#path)) return false;
    rmSync(this.#path, { force: true });
    // Freed blocks become available once the file system's journal is written.
    syncFolder(this.#dir);
    return true;
  }

  /** Reserves the space if the disk has more than enough. */
  take(): void {
    const { free, total } = this.#room();
    const bytes = bytesFor(total);
    if (free >= bytes + reservedBytes(total)) this.#make(bytes);
  }

  /** Reserves the space again, or as much as there is: this start may have used some of it for files that stay. */
  retake(): void {
    const { free, total } = this.#room();
    this.#make(Math.min(bytesFor(total), free));
  }

  #make(bytes: number): void {
    if (bytes === 0 || existsSync(this.#path)) return;
    try {
      // Random bytes, since a compressing file system would store zeros without space.
      writeFileSync(this.#path, randomBytes(bytes), { flag: 'wx', mode: 0o600, flush: true });
    } catch {
      // Without the reserve a start needs free space on the disk.
      rmSync(this.#path, { force: true });
    }
  }

  #room(): { readonly free: number; readonly total: number } {
    const { bavail, blocks, bsize } = statfsSync(this.#dir);
    return { free: bavail * bsize, total: blocks * bsize };
  }
}

/**
 * Returns the size of the reserve in bytes. It is well below the space that readings leave free, so that readings can't
 * use it, also on a small disk.
 */
function bytesFor(total: number): number {
  return Math.min(MOST_BYTES, reservedBytes(total) / 2);
}

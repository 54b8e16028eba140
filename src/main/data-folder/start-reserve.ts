import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reservedBytes } from '../common/room.ts';
import { syncFolder } from '../common/sync.ts';

const FILE = 'start.reserve';
const MOST_BYTES = 4 * 1024 ** 2;
/** SQLite needs 32 KiB for each store to open it, and some for its log; the rest are small files. */
const NEEDED_BYTES = 1024 ** 2;

/**
 * Bytes of the disk that are kept for a start: on a disk that others have filled up, a node that was stopped could not even
 * open its stores to read them. Given up before the stores are opened, and taken again from what closing them frees.
 */
export class StartReserve {
  readonly #dir: string;
  readonly #path: string;

  /** `dir` is the data folder. */
  constructor(dir: string) {
    this.#dir = dir;
    this.#path = join(dir, FILE);
  }

  /** Gives the bytes back where the disk has not as many. Returns whether it did. */
  release(): boolean {
    if (this.#room().free >= NEEDED_BYTES || !existsSync(this.#path)) return false;
    rmSync(this.#path, { force: true });
    // Freed blocks are free once the file system's journal says so.
    syncFolder(this.#dir);
    return true;
  }

  /** Takes them where there is room for more than them. */
  take(): void {
    const { free, total } = this.#room();
    const bytes = bytesFor(total);
    if (free >= bytes + reservedBytes(total)) this.#make(bytes);
  }

  /** Takes them again, or as many as there are: this start may have left some of them in files that stay. */
  retake(): void {
    const { free, total } = this.#room();
    this.#make(Math.min(bytesFor(total), free));
  }

  #make(bytes: number): void {
    if (bytes === 0 || existsSync(this.#path)) return;
    try {
      // Random, as a file system that compresses would keep nothing for zeros.
      writeFileSync(this.#path, randomBytes(bytes), { flag: 'wx', mode: 0o600, flush: true });
    } catch {
      // Without it a start needs some free bytes of its own.
      rmSync(this.#path, { force: true });
    }
  }

  #room(): { readonly free: number; readonly total: number } {
    const { bavail, blocks, bsize } = statfsSync(this.#dir);
    return { free: bavail * bsize, total: blocks * bsize };
  }
}

/** Well below what readings leave free: what a start gives up is not for them, also on a small disk. */
function bytesFor(total: number): number {
  return Math.min(MOST_BYTES, reservedBytes(total) / 2);
}

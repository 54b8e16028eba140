import { fstatSync, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** The most that is kept for a slow reader of stdout. */
const MAX_UNREAD_BYTES = 256 * 1024;

/**
 * Writes lines to a file at once, so that the last before a crash are there. What can't be written is lost: a log on a
 * full disk must neither stop the node, as pino's own destination does by trying again in place, nor end it.
 */
export class LossyFile implements DestinationStream {
  readonly #fd: number;
  #isTorn = false;

  /** `fd` stays the caller's to close. */
  constructor(fd: number) {
    this.#fd = fd;
  }

  /** Returns the bytes that were written. */
  write(line: string): number {
    const bytes = Buffer.from(this.#isTorn ? `\n${line}` : line);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.#fd, bytes, written);
    } catch {
      // There is nowhere left to tell.
    }
    // The next line that fits must not be glued to half of this one.
    if (written > 0) this.#isTorn = written < bytes.length;
    return written;
  }
}

/** Where lines go that are meant for stdout, whatever that is: writing never waits and never throws. */
export function stdoutLines(): DestinationStream {
  // Without a listener, an error on either would end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  if (!isPipe(1)) return new LossyFile(1);
  return {
    write(line) {
      // A pipe takes what it has room for at once; a reader that stopped reading loses the rest.
      if (process.stdout.writableLength < MAX_UNREAD_BYTES) process.stdout.write(line);
    },
  };
}

function isPipe(fd: number): boolean {
  try {
    const stats = fstatSync(fd);
    return stats.isFIFO() || stats.isSocket();
  } catch {
    return false;
  }
}

import { fstatSync, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** The maximum number of bytes that are buffered for a slow reader of stdout. */
const MAX_UNREAD_BYTES = 256 * 1024;

/**
 * Writes lines to a file synchronously, so that the last lines before a crash are in it. Lines that can't be written
 * are lost: a log on a full disk must neither block the node, as pino's own destination does by retrying in place, nor
 * end it.
 */
export class LossyFile implements DestinationStream {
  readonly #fd: number;
  #isTorn = false;

  /** The caller closes `fd`. */
  constructor(fd: number) {
    this.#fd = fd;
  }

  /** Returns the number of written bytes. */
  write(line: string): number {
    const bytes = Buffer.from(this.#isTorn ? `\n${line}` : line);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.#fd, bytes, written);
    } catch {
      // The error can't be reported anywhere.
    }
    // The next line must not continue the half of this one.
    if (written > 0) this.#isTorn = written < bytes.length;
    return written;
  }
}

/** Returns a destination for lines on any kind of stdout: writing never waits and never throws. */
export function stdoutLines(): DestinationStream {
  // Without a listener, an error on either stream would end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  if (!isPipe(1)) return new LossyFile(1);
  return {
    write(line) {
      // A pipe accepts what fits into its buffer. If the reader has stopped reading, the rest is lost.
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

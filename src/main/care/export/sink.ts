import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import type { ExportedReading } from './rows.ts';

/** Receives the readings of one device, in order. */
export interface ReadingSink {
  write(readings: readonly ExportedReading[]): void;
  /** Writes the rest and gives the file its name. */
  finish(): void;
  /** Removes the file. */
  discard(): void;
}

/** The destination of an export's bytes. */
export interface ByteTarget {
  write(bytes: Uint8Array): void;
  finish(): void;
  discard(): void;
}

/** Counts the bytes of an export without writing them. */
export class ByteCounter implements ByteTarget {
  bytes = 0;

  write({ byteLength }: Uint8Array): void {
    this.bytes += byteLength;
  }

  finish(): void {}

  discard(): void {}
}

/**
 * A file that gets its name only once all of it is on disk. Only its owner may read it, since its contents are private.
 */
export class NewFile implements ByteTarget {
  readonly path: string;
  readonly unfinished: string;
  readonly #file: number;

  /** Truncates a file that an interrupted export left. */
  constructor(path: string) {
    this.path = path;
    this.unfinished = `${path}.part`;
    this.#file = openSync(this.unfinished, 'w', 0o600);
  }

  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.byteLength; ) at += writeSync(this.#file, bytes, at);
  }

  finish(): void {
    fsyncSync(this.#file);
    closeSync(this.#file);
    renameSync(this.unfinished, this.path);
  }

  discard(): void {
    closeSync(this.#file);
    rmSync(this.unfinished, { force: true });
  }
}

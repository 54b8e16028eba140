import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import type { ExportedReading } from './rows.ts';

/** Takes the readings of one device, in their order. */
export interface ReadingSink {
  write(readings: readonly ExportedReading[]): void;
  /** Writes what is left, and gives the file its name. */
  finish(): void;
  /** Removes what was written. */
  discard(): void;
}

/** Where the bytes of an export go. */
export interface ByteTarget {
  write(bytes: Uint8Array): void;
  finish(): void;
  discard(): void;
}

/** Counts the bytes of an export that is not written. */
export class ByteCounter implements ByteTarget {
  bytes = 0;

  write({ byteLength }: Uint8Array): void {
    this.bytes += byteLength;
  }

  finish(): void {}

  discard(): void {}
}

/** A file that has its name only once all of it is on disk. For its owner alone: what it holds is private. */
export class NewFile implements ByteTarget {
  readonly path: string;
  readonly unfinished: string;
  readonly #file: number;

  /** Throws EEXIST where an earlier export was cut off and is still being written by another. */
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

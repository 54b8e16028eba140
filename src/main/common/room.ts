import { statfs } from 'node:fs/promises';

/** The space on a disk. */
export interface Room {
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** Whether less than a tenth or less than two gigabytes is free, whichever is smaller. */
  readonly isLow: boolean;
}

/** Space is low below the smaller of the two. */
const LOW_PART = 0.1;
const LOW_BYTES = 2e9;

/** Returns the free bytes below which the owner must be warned. */
export function leastFree(totalBytes: number): number {
  return Math.min(totalBytes * LOW_PART, LOW_BYTES);
}

/**
 * The bytes of a disk that devices' readings never take, so that the owner can still delete, change settings and
 * restart.
 */
export const RESERVED_BYTES = 64 * 1024 ** 2;
/** The reserved share of a small disk. */
export const RESERVED_PART = 0.1;

/** Returns the bytes of a disk that are reserved for the node itself. */
export function reservedBytes(totalBytes: number): number {
  return Math.min(totalBytes * RESERVED_PART, RESERVED_BYTES);
}

/** Returns the space on a folder's disk; null if the system does not report it. */
export async function roomAt(folder: string): Promise<Room | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    const freeBytes = bavail * bsize;
    const totalBytes = blocks * bsize;
    // Some file systems, such as network ones, report no useful sizes.
    return totalBytes === 0 ? null : { freeBytes, totalBytes, isLow: freeBytes < leastFree(totalBytes) };
  } catch {
    return null;
  }
}

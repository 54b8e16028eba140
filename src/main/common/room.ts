import { statfs } from 'node:fs/promises';

/** The disk that something is kept on. */
export interface Room {
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** Less than a tenth is free, or less than two gigabytes, whichever is less. */
  readonly isLow: boolean;
}

/** Below either of these there is little room, whichever is less. */
const LOW_PART = 0.1;
const LOW_BYTES = 2e9;

/** The bytes below which a disk has so little room left that the owner should know. */
export function leastFree(totalBytes: number): number {
  return Math.min(totalBytes * LOW_PART, LOW_BYTES);
}

/**
 * The bytes of a disk that devices' readings never take: the owner can still delete, change settings and start again.
 */
export const RESERVED_BYTES = 64 * 1024 ** 2;
/** The share of a small disk that they never take. */
export const RESERVED_PART = 0.1;

/** The bytes of a disk that are kept for the node itself. */
export function reservedBytes(totalBytes: number): number {
  return Math.min(totalBytes * RESERVED_PART, RESERVED_BYTES);
}

/** The disk below a folder; null where the system does not tell. */
export async function roomAt(folder: string): Promise<Room | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    const freeBytes = bavail * bsize;
    const totalBytes = blocks * bsize;
    // Some file systems, such as those of networks, say nothing of use.
    return totalBytes === 0 ? null : { freeBytes, totalBytes, isLow: freeBytes < leastFree(totalBytes) };
  } catch {
    return null;
  }
}

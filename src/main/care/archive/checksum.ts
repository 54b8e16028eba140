import { createHash } from 'node:crypto';
import { CareError } from '../care-error.ts';
import type { Bytes } from './bytes.ts';

/**
 * The end of a backup's compressed part: a frame that zstd skips (RFC 8878, 3.1.2). It holds the SHA-256 of all bytes
 * before it. So every changed byte is detected, also in an unencrypted file: zstd itself ignores some bytes.
 */
const HEAD = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 32, 0, 0, 0]);
const END_BYTES = HEAD.length + 32;

/** Passes bytes on and appends their checksum. */
export async function* withChecksum(bytes: Bytes): Bytes {
  const hash = createHash('sha256');
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
  yield Buffer.concat([HEAD, hash.digest()]);
}

/** Passes on the bytes before the checksum. Throws CareError if the checksum is missing or wrong. */
export async function* withoutChecksum(bytes: Bytes): Bytes {
  const hash = createHash('sha256');
  let held: Uint8Array = new Uint8Array(0);
  for await (const chunk of bytes) {
    const all = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const end = Math.max(0, all.length - END_BYTES);
    held = all.subarray(end);
    if (end === 0) continue;
    hash.update(all.subarray(0, end));
    yield all.subarray(0, end);
  }
  if (Buffer.concat([HEAD, hash.digest()]).equals(held)) return;
  throw new CareError('damaged', 'the backup is damaged or cut off: its checksum does not match its contents');
}

import { createHash } from 'node:crypto';

/**
 * Derives an id from a description of its purpose, so that an alert that is found twice, for example after a crash,
 * gets the same id. It is a UUID (version 8).
 */
export function derivedId(what: string): string {
  const bytes = createHash('sha256').update(what).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

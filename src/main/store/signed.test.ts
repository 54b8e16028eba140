import { describe, expect, it } from 'vitest';
import { Composition } from '../../shared/protocol/composition.ts';
import { keptRawOf, signedOf } from './signed.ts';

const reading = {
  ...{ deviceId: 'ab'.repeat(32), seq: 7n, timestamp: 8n, keyVersion: 0 },
  values: [6.5, 3, null, null, null, null],
};
const HEADER = Buffer.from(`${reading.deviceId}|7|8|0`);
const FIRMWARE = Buffer.from(`${HEADER}|ec= 3|ph=6.50`);
const OTHER = Buffer.from(`${HEADER}|ph=6.5`);
const signature = new Uint8Array(64).fill(1);

describe('a raw string', () => {
  it('is kept as the number of its composition, or as its bytes', () => {
    expect(keptRawOf(HEADER, reading)).toBe(Composition.HEADER);
    expect(keptRawOf(FIRMWARE, reading)).toBe(Composition.FIRMWARE);
    expect(keptRawOf(OTHER, reading)).toBe(OTHER);
  });

  it.each([
    ['the number of the header', 0, HEADER],
    ['the number of the header from SQLite', 0n, HEADER],
    ['the number of the firmware’s', 1, FIRMWARE],
    ['the number of the firmware’s from SQLite', 1n, FIRMWARE],
    ['its bytes', OTHER, OTHER],
  ])('is read from %s', (_what, kept, raw) => {
    expect(signedOf(signature, kept, reading)).toEqual({ signature, raw });
  });

  it.each([
    ['a signature', null, 0n],
    ['bytes as a signature', 'text', 0n],
    ['a raw string', signature, null],
    ['a known composition', signature, 2n],
  ])('is not there without %s', (_what, given, kept) => {
    expect(signedOf(given, kept, reading)).toBeNull();
  });
});

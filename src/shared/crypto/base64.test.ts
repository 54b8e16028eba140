import fc from 'fast-check';
import { expect, it } from 'vitest';
import { base64ToBytes, bytesToBase64 } from './base64.ts';

it('matches Buffer, for any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const text = bytesToBase64(bytes);
      expect(text).toBe(Buffer.from(bytes).toString('base64'));
      expect(base64ToBytes(text)).toEqual(bytes);
    }),
  );
});

it.each(['A', 'AA', 'AAA', 'AA=A', '====', 'A===', 'AA-_', 'AAA\n', 'é==='])('refuses %j', (text) => {
  expect(() => base64ToBytes(text)).toThrow(RangeError);
});

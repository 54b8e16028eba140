import { expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from './hex.ts';

it('writes lowercase and reads any case', () => {
  expect(bytesToHex(Uint8Array.of(0, 10, 255))).toBe('000aff');
  expect(hexToBytes('000aFf')).toEqual(Uint8Array.of(0, 10, 255));
});

it.each(['0', 'zz', '0x00', ' 00'])('refuses %j', (text) => {
  expect(() => hexToBytes(text)).toThrow();
});

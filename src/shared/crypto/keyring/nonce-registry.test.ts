import { beforeEach, expect, it } from 'vitest';
import { type NoncePlace, NonceRegistry } from './nonce-registry.ts';

let registry: NonceRegistry;
beforeEach(() => {
  registry = new NonceRegistry();
});

const ph = (seq: string, receivedAt: number): NoncePlace => ({ seq, field: 'ph', receivedAt });

it('treats the place that was received first as genuine, in any order of notes', () => {
  expect(registry.note('00', ph('1', 10))).toBe(null);
  expect(registry.note('00', ph('2', 20))).toBe(null);
  expect([registry.isCopy('00', ph('1', 10)), registry.isCopy('00', ph('2', 20))]).toEqual([false, true]);
  expect(registry.note('00', ph('3', 5))).toEqual(ph('1', 10));
  expect([registry.isCopy('00', ph('1', 10)), registry.isCopy('00', ph('3', 5))]).toEqual([true, false]);
});

it('counts the earlier arrival of a reading that both stores have', () => {
  registry.note('00', ph('1', 30));
  registry.note('00', ph('2', 20));
  expect(registry.isCopy('00', ph('1', 30))).toBe(true);
  expect(registry.note('00', ph('1', 10))).toEqual(ph('2', 20));
  expect(registry.isCopy('00', ph('1', 10))).toBe(false);
  // A later arrival of the same reading changes nothing.
  expect(registry.note('00', ph('1', 40))).toBe(null);
  expect(registry.isCopy('00', ph('1', 10))).toBe(false);
});

it('treats two places of one millisecond as copies', () => {
  registry.note('00', ph('1', 10));
  expect(registry.note('00', ph('2', 10))).toEqual(ph('1', 10));
  expect([registry.isCopy('00', ph('1', 10)), registry.isCopy('00', ph('2', 10))]).toEqual([true, true]);
  // An earlier one is genuine nevertheless.
  expect(registry.note('00', ph('3', 5))).toBe(null);
  expect(registry.isCopy('00', ph('3', 5))).toBe(false);
});

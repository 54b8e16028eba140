import { afterEach, beforeEach, expect, it } from 'vitest';
import { StoreInMemory } from '../../../../../test/support/store-in-memory.ts';

const ID = '0a'.repeat(32);
let store: StoreInMemory;
beforeEach(() => {
  store = new StoreInMemory();
});
afterEach(() => store.close());

const numberAs = (number: number) => store.db.exec(`UPDATE devices SET device = ${number}`);

it('knows no number of an unknown device, and finds it once the device is registered', () => {
  expect(store.numbers.of(ID)).toBeNull();
  expect(store.addDevice(ID)).toBe(1);
  expect([store.numbers.of(ID), store.numbers.of('0b'.repeat(32))]).toEqual([1, null]);
});

it('reads a number once, until the device is forgotten or a transaction is rolled back', () => {
  store.addDevice(ID);
  store.numbers.of(ID);
  numberAs(2);
  store.numbers.forget('0b'.repeat(32));
  expect(store.numbers.of(ID)).toBe(1);
  store.numbers.forget(ID);
  expect(store.numbers.of(ID)).toBe(2);
  numberAs(3);
  expect(store.numbers.of(ID)).toBe(2);
  store.numbers.rolledBack();
  expect(store.numbers.of(ID)).toBe(3);
});

import { expect, it } from 'vitest';
import { newReading, type TestReading } from '../../../../../test/support/readings.ts';
import { Composition } from '../../../../shared/protocol/composition.ts';
import { FIELD_NAMES } from '../../../../shared/protocol/fields.ts';
import { isLone, toRow, type WriteJob } from './write-jobs.ts';

const ID = '0a'.repeat(32);
const READING: TestReading = { seq: 1n, timestamp: 5n, receivedAt: 50, keyVersion: 3, fields: [6.5] };
const VALUES = [6.5, ...FIELD_NAMES.slice(1).map(() => null)];

it('makes a row of a reading without a signature, by a clock that is right', () => {
  expect(toRow(newReading(ID, READING))).toEqual([ID, 0, null, null, 1, 5, 50, 3, ...VALUES]);
  expect(toRow({ ...newReading(ID, READING), clock: 7 })).toEqual([ID, 7, null, null, 1, 5, 50, 3, ...VALUES]);
});

it.each([
  ['the firmware’s', `${ID}|1|5|3|ph=6.50`, Composition.FIRMWARE],
  ['an unknown', 'raw', Buffer.from('raw')],
])('keeps the signature, and the raw string of %s composition', (_name, raw, kept) => {
  const signed = { signature: Buffer.alloc(64, 1), raw: Buffer.from(raw) };
  expect(toRow(newReading(ID, { ...READING, signed })).slice(0, 4)).toEqual([ID, 0, signed.signature, kept]);
});

it.each([
  [2n ** 53n - 1n, 2 ** 53 - 1],
  [2n ** 53n, 2n ** 53n],
  [2n ** 63n, -(2n ** 63n)],
  [2n ** 64n - 1n, -1n],
])('makes a number of what is exact as one, and the signed integer of the same bits of the rest: %s', (value, kept) => {
  const row = toRow(newReading(ID, { ...READING, seq: value, timestamp: value }));
  expect(row.slice(4, 6)).toEqual([kept, kept]);
});

it.each([
  [{ kind: 'compact' }, true],
  [{ kind: 'setDurability', durability: 'full' }, true],
  [{ kind: 'append', rows: [] }, false],
  [{ kind: 'deleteEntry', id: 1 }, false],
] as [WriteJob, boolean][])('knows the jobs that run alone: %o', (job, expected) => {
  expect(isLone(job)).toBe(expected);
});

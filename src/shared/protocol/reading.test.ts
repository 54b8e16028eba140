import { expect, it } from 'vitest';
import { FIELD_NAMES } from './fields.ts';
import { readingResponse } from './reading.ts';
import { MAX_UINT64 } from './uint64.ts';

const absent = Object.fromEntries(FIELD_NAMES.map((name) => [name, null]));
const READING = { seq: 1, timestamp: 1_700_000_000_000, receivedAt: 1_700_000_000_001, ...absent };
const sealed = (bytes: number) => ({ encrypted: 'a0'.repeat(bytes) });

it.each([
  ['no field', {}],
  ['a plain field', { ph: { value: -6.2 } }],
  ['an encrypted field, from the tag alone to the longest cipher', { ph: sealed(16), ec: sealed(256) }],
  ['large integers', { seq: MAX_UINT64, timestamp: MAX_UINT64 }],
  ['zeros', { seq: 0, timestamp: 0, receivedAt: 0 }],
])('the schema of a reading takes %s', (_name, changes) => {
  const reading = { ...READING, ...changes };
  expect(readingResponse.parse(reading)).toEqual(reading);
});

it.each([
  ['a number as field', { ph: 6.2 }],
  ['a field with no member', { ph: {} }],
  ['a plain field with another member', { ph: { value: 6.2, unit: 'pH' } }],
  ['a value that is no number', { ph: { value: '6.2' } }],
  ['a cipher without a whole tag', { ph: sealed(15) }],
  ['a cipher that is too long', { ph: sealed(257) }],
  ['half a byte', { ph: { encrypted: `${'a0'.repeat(16)}a` } }],
  ['uppercase hex', { ph: { encrypted: 'A0'.repeat(16) } }],
  ['other text before the hex', { ph: { encrypted: `0x${'a0'.repeat(16)}` } }],
  ['other text after the hex', { ph: { encrypted: `${'a0'.repeat(16)}\n` } }],
  ['a field that is missing', { ph: undefined }],
  ['a field that no device has', { co2: null }],
  ['a negative seq', { seq: -1 }],
  ['a fraction as timestamp', { timestamp: 0.5 }],
  ['a negative time of arrival', { receivedAt: -1 }],
  ['text as time of arrival', { receivedAt: '1' }],
])('the schema of a reading refuses %s', (_name, changes) => {
  expect(readingResponse.safeParse({ ...READING, ...changes }).success).toBe(false);
});

import { beforeEach, describe, expect, it } from 'vitest';
import { Disposition, PublishTo } from '../../shared/protocol/codes.ts';
import { perFieldName } from '../../shared/protocol/fields.ts';
import type { BlockReading, SignatureCheck } from '../store/reading.ts';
import { Batch, type Candidate, type Refused } from './batch.ts';

const ID = 'ab'.repeat(32);
const OTHER = 'cd'.repeat(32);
const PUBLIC_KEY = Buffer.from(ID, 'hex');
const CHECK: SignatureCheck = { publicKey: PUBLIC_KEY, signature: '00', message: '' };
const READING: BlockReading = {
  ...{ seq: '1', timestamp: '2', receivedAt: 3, keyVersion: 0, clock: 0, keepsSigned: true },
  fields: perFieldName(() => null),
};
const DEVICE = {
  ...{ id: ID, publicKey: PUBLIC_KEY, publishTo: PublishTo.BOTH },
  dispositions: perFieldName((): Disposition => Disposition.PLAIN),
};

const candidateAt = (index: number, changes: Partial<Candidate> = {}): Candidate => ({
  ...{ index, seq: String(index), device: DEVICE, verdict: [], reading: READING },
  ...changes,
});
const refusedWith = (cause: Refused['cause'], seq: string, deviceId = ID): Refused => ({
  ...{ cause, seq, deviceId },
  error: `no ${seq}`,
});
const REFUSAL = { error: 'no', cause: 'raw_json_mismatch' } as const;

let batch: Batch;
beforeEach(() => {
  batch = new Batch(3);
});

it('hands over its blocks once, and keeps its candidates', () => {
  const candidates = [candidateAt(0), candidateAt(2, { reading: null })];
  const checks = [CHECK, { ...CHECK, message: '01' }];
  for (const [at, candidate] of candidates.entries()) batch.add(candidate, checks[at]!);
  expect(batch.takeBlocks()).toEqual([
    { check: checks[0], reading: READING },
    { check: checks[1], reading: null },
  ]);
  expect(batch.takeBlocks()).toEqual([]);
  expect(batch.candidates).toEqual(candidates);
});

describe('a batch of readings only', () => {
  it.each<[string, boolean, Partial<Candidate>]>([
    ['has readings that are to be stored', true, {}],
    ['may have values that are withheld', true, { verdict: [{ cause: 'omit', field: 'ph' }] }],
    ['has no block without a reading', false, { reading: null }],
    ['has no block whose device publishes elsewhere', false, { verdict: null }],
    ['has no block that is refused', false, { verdict: REFUSAL }],
  ])('%s: %s', (_name, isAllReadings, last) => {
    for (const index of [0, 1]) batch.add(candidateAt(index), CHECK);
    expect(batch.isAllReadings).toBe(false);
    batch.add(candidateAt(2, last), CHECK);
    expect(batch.isAllReadings).toBe(isAllReadings);
  });
});

it('lists what was refused in the order of the blocks', () => {
  const longer = new Batch(11);
  expect(longer.refused).toEqual([]);
  const [first, second, third] = ['0', '2', '10'].map((seq) => refusedWith('invalid_signature', seq));
  longer.refuse(10, third!);
  longer.refuse(0, first!);
  longer.refuse(2, second!);
  expect(longer.refused).toEqual([first, second, third]);
});

describe('a block that is put off', () => {
  const overShare = { seq: '7', deviceId: ID, error: 'storage_unavailable' } as const;
  const tooFast = { seq: '8', deviceId: OTHER, error: 'rate_limited' } as const;

  it('names a device over its share, but not one that is only too fast', () => {
    expect(batch.devicesOverShare).toEqual(new Set());
    batch.putOff(0, tooFast);
    batch.putOff(1, overShare);
    batch.putOff(2, overShare);
    expect(batch.devicesOverShare).toEqual(new Set([ID]));
  });

  it('is not all of its batch until every block is put off', () => {
    expect(batch.isPutOff).toBe(false);
    batch.putOff(0, overShare);
    batch.putOff(1, tooFast);
    expect(batch.isPutOff).toBe(false);
    batch.putOff(2, overShare);
    expect(batch.isPutOff).toBe(true);
  });

  it('comes after the refused blocks in the answer, and is not accepted', () => {
    batch.putOff(0, overShare);
    batch.putOff(1, tooFast);
    expect(batch.resultOf([refusedWith('invalid_signature', '9')])).toEqual({
      accepted: 0,
      errors: [
        { seq: '9', error: 'no 9' },
        { seq: '7', error: 'storage_unavailable' },
        { seq: '8', error: 'rate_limited' },
      ],
      unknownDevice: null,
    });
  });
});

it('joins what was refused and put off of the same blocks', () => {
  const [first, second] = ['0', '2'].map((seq) => refusedWith('device_not_found', seq));
  batch.refuse(2, second!);
  batch.join(new Batch(3));
  expect([batch.refused, batch.devicesOverShare]).toEqual([[second], new Set()]);
  const again = new Batch(3);
  again.refuse(0, first!);
  again.putOff(1, { seq: '1', deviceId: OTHER, error: 'storage_unavailable' });
  batch.join(again);
  expect([batch.refused, batch.devicesOverShare]).toEqual([[first, second], new Set([OTHER])]);
  expect(batch.resultOf(batch.refused)).toEqual({
    accepted: 0,
    errors: [
      { seq: '0', error: 'no 0' },
      { seq: '2', error: 'no 2' },
      { seq: '1', error: 'storage_unavailable' },
    ],
    unknownDevice: null,
  });
});

describe('the answer', () => {
  it('accepts what is neither refused nor put off', () => {
    expect(batch.resultOf([])).toEqual({ accepted: 3, errors: [], unknownDevice: null });
    const errors = [{ seq: '1', error: 'no 1' }];
    const refused = [refusedWith('device_not_found', '1')];
    expect(batch.resultOf(refused)).toEqual({ accepted: 2, errors, unknownDevice: null });
  });

  const malformed = refusedWith('invalid_block', '', '');
  const unknown = refusedWith('device_not_found', '1');
  const otherUnknown = refusedWith('device_not_found', '2', OTHER);

  it.each<[string, readonly Refused[], string | null]>([
    ['the first unknown device', [malformed, otherUnknown, unknown], OTHER],
    ['the only one', [unknown, malformed, malformed], ID],
    ['no device if there is none', [malformed, malformed, malformed], null],
    ['no device if one is registered', [unknown, refusedWith('invalid_signature', '3'), unknown], null],
    ['no device if one has signed', [refusedWith('raw_json_mismatch', '3'), unknown, malformed], null],
    ['no device if a block is not refused', [unknown, unknown], null],
  ])('to a batch of refused blocks names %s', (_name, refused, unknownDevice) => {
    expect(batch.resultOf(refused).unknownDevice).toBe(unknownDevice);
  });
});

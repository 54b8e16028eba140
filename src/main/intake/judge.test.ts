import { beforeEach, describe, expect, it } from 'vitest';
import type { Block } from '../../shared/protocol/block.ts';
import { Disposition, PublishTo } from '../../shared/protocol/codes.ts';
import { perFieldName } from '../../shared/protocol/fields.ts';
import { type BlockInput, SimulatedDevice } from '../../simulator/device.ts';
import type { BlockOutcome } from '../store/reading.ts';
import type { Candidate } from './batch.ts';
import type { JudgedDevice } from './device-directory.ts';
import { Judge, type JudgeDependencies, refusalOf } from './judge.ts';

const sender = new SimulatedDevice({ seed: Buffer.alloc(32, 1) });
const stranger = new SimulatedDevice({ seed: Buffer.alloc(32, 2) });
const PLAIN = perFieldName((): Disposition => Disposition.PLAIN);
const NOTHING = perFieldName(() => null);
const DEVICE: JudgedDevice = {
  ...{ id: sender.id, publicKey: Buffer.from(sender.id, 'hex'), publishTo: PublishTo.BOTH, dispositions: PLAIN },
  registration: 5,
};
const ARRIVAL = { receivedAt: 1000, clock: 4 };

let arrivals: number;
let overShare: Set<string>;
let tooFast: Set<string>;
let noted: [Block, string][];

function judgeOf(changes: Partial<JudgeDependencies> = {}): Judge {
  return new Judge({
    ...{ storeName: 'private', rawBinding: 'strict' },
    clock: {
      arrival: () => {
        arrivals += 1;
        return { receivedAt: 999 + arrivals, clock: 4 };
      },
    },
    budget: { isOver: (id) => overShare.has(id) },
    unregistered: { note: (block, error) => noted.push([block, error]) },
    ...changes,
  });
}

/** Judges blocks; only `device` is registered. */
function judge(blocks: readonly unknown[], device = DEVICE, only: ReadonlySet<number> | null = null) {
  const devices = { known: (id: string) => (id.toLowerCase() === device.id ? device : undefined) };
  return judgeOf().judge(blocks, devices, (id) => tooFast.has(id), only);
}

const blockOf = (seq: number, from = sender) => from.block({ seq, timestamp: 7, plain: { ph: 6.2 } });
const checkOf = ({ deviceId, signature, raw }: BlockInput) => ({
  ...{ publicKey: Buffer.from(deviceId, 'hex'), signature, message: raw },
});
/** The reading of a block of `blockOf`. */
const readingOf = (seq: string) => ({
  ...{ seq, timestamp: '7', ...ARRIVAL, keyVersion: 0, fields: { ...NOTHING, ph: 6.2 }, keepsSigned: true },
  registration: 5,
});

beforeEach(() => {
  arrivals = 0;
  [overShare, tooFast, noted] = [new Set(), new Set(), []];
});

describe('a sound block of a registered device', () => {
  it('goes to the store with its reading, at one time of arrival for the whole batch', () => {
    const blocks = [blockOf(1), blockOf(2)];
    const batch = judge(blocks);
    expect(batch.candidates).toEqual([
      { index: 0, seq: '1', device: DEVICE, verdict: [], reading: readingOf('1') },
      { index: 1, seq: '2', device: DEVICE, verdict: [], reading: readingOf('2') },
    ]);
    expect(batch.takeBlocks()).toEqual([
      { check: checkOf(blocks[0]!), reading: readingOf('1') },
      { check: checkOf(blocks[1]!), reading: readingOf('2') },
    ]);
    expect([batch.isAllReadings, batch.refused, batch.isPutOff, noted]).toEqual([true, [], false, []]);
  });

  it('has the key version that it names, else 0', () => {
    const { keyVersion: _, ...without } = blockOf(1);
    const batch = judge([sender.block({ seq: 1, timestamp: 7, keyVersion: 3 }), without]);
    expect(batch.candidates.map(({ reading }) => reading?.keyVersion)).toEqual([3, 0]);
  });

  it('may have values that are withheld, and then is not kept as it was signed', () => {
    const device = { ...DEVICE, dispositions: { ...PLAIN, ph: Disposition.OMIT } };
    const { candidates } = judge([blockOf(1)], device);
    expect(candidates).toMatchObject([
      {
        verdict: [{ cause: 'omit', field: 'ph' }],
        reading: { ...readingOf('1'), fields: NOTHING, keepsSigned: false },
      },
    ]);
  });

  it('has only its signature checked if the device publishes to the other store', () => {
    const blocks = [blockOf(1)];
    const batch = judge(blocks, { ...DEVICE, publishTo: PublishTo.PUBLIC });
    expect(batch.candidates).toMatchObject([{ seq: '1', verdict: null, reading: null }]);
    expect(batch.takeBlocks()).toEqual([{ check: checkOf(blocks[0]!), reading: null }]);
  });

  it('has only its signature checked if its JSON differs from what is signed', () => {
    const block = { ...blockOf(1), ph: { plain: 7 } };
    const batch = judge([block]);
    const verdict = { error: `Raw/JSON mismatch for device ${sender.id}`, cause: 'raw_json_mismatch' };
    expect(batch.candidates).toEqual([{ index: 0, seq: '1', device: DEVICE, verdict, reading: null }]);
    expect(batch.takeBlocks()).toEqual([{ check: checkOf(block), reading: null }]);
    expect(batch.refused).toEqual([]);
  });
});

describe('the first rule that a block breaks decides', () => {
  /** A block that breaks every rule that follows. */
  const bad = (block: BlockInput) => ({ ...block, signature: 'ab', ph: { plain: 7 } });

  it('malformed: it is refused with what it names', () => {
    const sent = { ...bad(blockOf(1, stranger)), deviceId: stranger.id.toUpperCase(), raw: 'x' };
    [overShare, tooFast] = [new Set([stranger.id]), new Set([stranger.id])];
    const batch = judge([sent, { ...sent, deviceId: 'AB', seq: 1 }]);
    expect(batch.refused).toEqual([
      { error: 'Invalid block: raw: must be hex', cause: 'invalid_block', seq: '1', deviceId: stranger.id },
      {
        error: 'Invalid block: deviceId: must be 32 bytes in hex',
        ...{ cause: 'invalid_block', seq: '', deviceId: '' },
      },
    ]);
    expect([batch.candidates, batch.devicesOverShare, noted]).toEqual([[], new Set(), []]);
  });

  it('of an unregistered device: it is refused and noted', () => {
    const sent = { ...bad(blockOf(1, stranger)), deviceId: stranger.id.toUpperCase() };
    [overShare, tooFast] = [new Set([stranger.id]), new Set([stranger.id])];
    const batch = judge([sent]);
    const error = `Device not found: ${stranger.id}`;
    expect(batch.refused).toEqual([{ error, cause: 'device_not_found', seq: '1', deviceId: stranger.id }]);
    expect([batch.candidates, batch.devicesOverShare]).toEqual([[], new Set()]);
    expect(noted).toEqual([[sent, 'device_not_found']]);
  });

  it('of a device over its share: it is put off', () => {
    [overShare, tooFast] = [new Set([sender.id]), new Set([sender.id])];
    const batch = judge([{ ...bad(blockOf(1)), deviceId: sender.id.toUpperCase() }]);
    expect([batch.isPutOff, batch.devicesOverShare]).toEqual([true, new Set([sender.id])]);
    expect(batch.resultOf(batch.refused).errors).toEqual([{ seq: '1', error: 'storage_unavailable' }]);
    expect([batch.candidates, noted]).toEqual([[], []]);
  });

  it('of a device that sends too fast: it is put off', () => {
    tooFast = new Set([sender.id]);
    const batch = judge([{ ...bad(blockOf(1)), deviceId: sender.id.toUpperCase() }]);
    expect([batch.isPutOff, batch.devicesOverShare]).toEqual([true, new Set()]);
    expect(batch.resultOf(batch.refused).errors).toEqual([{ seq: '1', error: 'rate_limited' }]);
    expect([batch.candidates, noted]).toEqual([[], []]);
  });

  it('with a signature of another length: it is refused', () => {
    const batch = judge([{ ...bad(blockOf(1)), deviceId: sender.id.toUpperCase() }]);
    const error = `Invalid signature for device ${sender.id}`;
    expect(batch.refused).toEqual([{ error, cause: 'invalid_signature', seq: '1', deviceId: sender.id }]);
    expect([batch.candidates, batch.isPutOff, noted]).toEqual([[], false, []]);
  });
});

it('judges the blocks at their own places', () => {
  const batch = judge([null, blockOf(1), blockOf(2, stranger), { ...blockOf(3), signature: '' }, blockOf(4)]);
  expect(batch.candidates.map(({ index, seq }) => [index, seq])).toEqual([
    [1, '1'],
    [4, '4'],
  ]);
  expect(batch.refused.map(({ cause }) => cause)).toEqual(['invalid_block', 'device_not_found', 'invalid_signature']);
  expect(batch.resultOf(batch.refused).accepted).toBe(2);
  expect(batch.isAllReadings).toBe(false);
});

it('judges only the places that are asked for', () => {
  const batch = judge([null, blockOf(1), blockOf(2), null], DEVICE, new Set([2, 3]));
  expect(batch.candidates.map(({ index, seq }) => [index, seq])).toEqual([[2, '2']]);
  expect(batch.refused.map(({ cause }) => cause)).toEqual(['invalid_block']);
  expect(judge([null, blockOf(1)], DEVICE, new Set()).candidates).toEqual([]);
});

describe('the checks that show which devices sent a sound block', () => {
  const ids = new Set([sender.id, stranger.id]);

  it('are those of the asked devices, in the order of the blocks', () => {
    const blocks = [blockOf(1, stranger), blockOf(2), blockOf(3, stranger)];
    const sent = [...blocks, { ...blockOf(4), deviceId: sender.id.toUpperCase() }];
    expect(judgeOf().checksOf(sent, new Set([sender.id]))).toEqual([
      { id: sender.id, check: checkOf(blocks[1]!) },
      { id: sender.id, check: checkOf(blockOf(4)) },
    ]);
    expect(
      judgeOf()
        .checksOf(blocks, ids)
        .map(({ id }) => id),
    ).toEqual([stranger.id, sender.id, stranger.id]);
  });

  it('leave out every block that is refused', () => {
    const { signature, ...unsigned } = blockOf(1);
    const refused = [null, unsigned, { ...unsigned, signature: signature.slice(2) }];
    expect(judgeOf().checksOf([...refused, { ...blockOf(1), ph: { plain: 7 } }], ids)).toEqual([]);
  });

  it('follow the setting for other compositions', () => {
    const blocks = [sender.block({ seq: 1, timestamp: 7, raw: 'of its own' })];
    expect(judgeOf().checksOf(blocks, ids)).toEqual([]);
    const expected = [{ id: sender.id, check: checkOf(blocks[0]!) }];
    expect(judgeOf({ rawBinding: 'known' }).checksOf(blocks, ids)).toEqual(expected);
  });
});

describe('the outcome in the store', () => {
  const mismatch = { error: 'differs', cause: 'raw_json_mismatch' } as const;
  const badSignature = { error: `Invalid signature for device ${sender.id}`, cause: 'invalid_signature' };
  const deleted = { error: `Device not found: ${sender.id}`, cause: 'device_not_found' };
  const stored = { kind: 'stored', receivedAt: 1 } as const;
  const signed = { kind: 'signed' } as const;

  it.each<[BlockOutcome, Candidate['verdict'], object | null]>([
    [{ kind: 'bad_signature' }, [], badSignature],
    [{ kind: 'bad_signature' }, mismatch, badSignature],
    [{ kind: 'unknown_device' }, [], deleted],
    [{ kind: 'unknown_device' }, mismatch, deleted],
    [signed, mismatch, mismatch],
    [signed, null, null],
    [stored, [], null],
    [stored, [{ cause: 'omit', field: 'ph' }], null],
    [{ kind: 'duplicate' }, [], null],
  ])('or else the verdict decides whether a block is refused: %o, %o', (outcome, verdict, refusal) => {
    const candidate: Candidate = { index: 0, seq: '1', device: DEVICE, verdict, reading: null };
    expect(refusalOf(outcome, candidate)).toEqual(refusal);
  });
});

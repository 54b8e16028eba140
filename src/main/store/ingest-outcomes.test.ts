import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newReading } from '../../../test/support/readings.ts';
import { ingestByAppend } from './ingest-by-append.ts';
import type { NewBlock, NewReading, ReadingOutcome } from './reading.ts';

/** Returns a block of a device with a seq, a signature and a message. */
function blockOf(device: number, seq: string): NewBlock {
  const id = device.toString(16).padStart(64, '0');
  const { deviceId, ...reading } = newReading(id, { seq: 1n, timestamp: 1n, receivedAt: 1, fields: [6] });
  return {
    check: { publicKey: Buffer.from(deviceId, 'hex'), signature: '0a0b', message: '0c' },
    reading: { ...reading, seq, timestamp: '9', clock: 2, keepsSigned: false },
  };
}

const deviceOf = ({ check }: NewBlock) => Buffer.from(check.publicKey).toString('hex');

/** An ingest whose appends and checks end when the test says so. */
function played(mostGroups?: number) {
  const checks: ((areGood: readonly boolean[] | Error) => void)[] = [];
  const appends: { readonly readings: readonly NewReading[]; readonly end: (error?: Error) => void }[] = [];
  const check = (blocks: readonly unknown[]) =>
    new Promise<readonly boolean[]>((resolve, reject) => {
      checks.push((areGood) => (areGood instanceof Error ? reject(areGood) : resolve(areGood)));
      expect(blocks.length).toBeGreaterThan(0);
    });
  const append = (readings: readonly NewReading[]) =>
    new Promise<readonly ReadingOutcome[]>((resolve, reject) => {
      const end = (error?: Error) =>
        error === undefined
          ? resolve(readings.map(({ seq }) => ({ kind: 'stored', receivedAt: Number(seq) })))
          : reject(error);
      appends.push({ readings, end });
    });
  /** Returns the last digits of the devices and the seqs of each append so far. */
  const seen = () => appends.map(({ readings }) => readings.map(({ deviceId, seq }) => `${deviceId.slice(-2)}/${seq}`));
  return { ingest: ingestByAppend({ check }, append, mostGroups), checks, appends, seen };
}

/** Lets everything happen that needs no more time. */
const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the blocks of a call', () => {
  it('have one outcome each, in their order', async () => {
    const { ingest, checks, appends } = played();
    const all = [1, 2, 3, 4].map((device) => blockOf(device, String(device)));
    const outcomes = ingest([all[0]!, { ...all[1]!, reading: null }, all[2]!, { ...all[3]!, reading: null }, all[3]!]);
    checks[0]!([true, true, false, false, true]);
    await settle();
    appends[0]!.end();
    expect(await outcomes).toEqual([
      { kind: 'stored', receivedAt: 1 },
      { kind: 'signed' },
      { kind: 'bad_signature' },
      { kind: 'bad_signature' },
      { kind: 'stored', receivedAt: 4 },
    ]);
  });

  it('are stored with what was signed only if it is to be kept', async () => {
    const { ingest, checks, appends } = played();
    const [one, other] = [blockOf(1, '18446744073709551615'), blockOf(2, '7')];
    void ingest([one, { ...other, reading: { ...other.reading!, keepsSigned: true, registration: 3 } }]);
    checks[0]!([true, true]);
    await settle();
    const { keepsSigned: _, ...rest } = one.reading!;
    expect(appends[0]!.readings).toEqual([
      { ...rest, deviceId: deviceOf(one), seq: 2n ** 64n - 1n, timestamp: 9n, signed: null },
      {
        ...{ ...rest, deviceId: deviceOf(other), seq: 7n, timestamp: 9n, registration: 3 },
        signed: { signature: Buffer.of(10, 11), raw: Buffer.of(12) },
      },
    ]);
  });

  it('without a reading need no append', async () => {
    const { ingest, checks, appends } = played();
    const outcomes = ingest([{ ...blockOf(1, '1'), reading: null }]);
    checks[0]!([true]);
    expect(await outcomes).toEqual([{ kind: 'signed' }]);
    expect(appends).toEqual([]);
  });

  it('are refused if the store fails, except for those that it was not asked for', async () => {
    const { ingest, checks, appends } = played();
    const outcomes = ingest([blockOf(1, '1'), blockOf(2, '1'), { ...blockOf(3, '1'), reading: null }]);
    checks[0]!([true, false, true]);
    await settle();
    const error = new Error('the disk is full');
    appends[0]!.end(error);
    expect(await outcomes).toEqual([{ kind: 'refused', error }, { kind: 'bad_signature' }, { kind: 'signed' }]);
  });
});

describe('calls', () => {
  it('of one device are appended in their order, whichever is checked first', async () => {
    const { ingest, checks, appends, seen } = played(4);
    void ingest([blockOf(1, '1'), blockOf(2, '1')]);
    void ingest([blockOf(2, '2'), blockOf(3, '1')]);
    void ingest([blockOf(3, '2')]);
    const other = ingest([blockOf(4, '1')]);
    for (const check of [checks[3]!, checks[2]!, checks[1]!]) check([true, true]);
    await settle();
    // The others wait for the first one: the second itself, and the third for the second.
    expect(seen()).toEqual([['04/1']]);
    appends[0]!.end();
    await other;
    checks[0]!([true, true]);
    await settle();
    // Those of one device are in one append only if the earlier ones are in it too.
    expect(seen().slice(1)).toEqual([['01/1', '02/1', '02/2', '03/1', '03/2']]);
  });

  it('of a device wait for the group with its earlier readings', async () => {
    const { ingest, checks, appends, seen } = played(4);
    void ingest([blockOf(1, '1')]);
    checks[0]!([true]);
    await settle();
    void ingest([blockOf(1, '2'), blockOf(2, '1')]);
    void ingest([blockOf(2, '2')]);
    void ingest([blockOf(3, '1')]);
    for (const check of checks.slice(1)) check([true, true]);
    await vi.advanceTimersByTimeAsync(80);
    expect(seen()).toEqual([['01/1'], ['03/1']]);
    appends[0]!.end();
    await vi.advanceTimersByTimeAsync(80);
    expect(seen().slice(2)).toEqual([['01/2', '02/1', '02/2']]);
  });

  it.each([
    ['one group, by default', undefined, 1],
    ['one group', 1, 1],
    ['three groups', 3, 3],
  ])('are appended in at most %s at a time', async (_what, mostGroups, groups) => {
    const { ingest, checks, appends } = played(mostGroups);
    for (let device = 1; device <= 5; device += 1) {
      void ingest([blockOf(device, '1')]);
      checks.at(-1)!([true]);
      await vi.advanceTimersByTimeAsync(80);
    }
    expect(appends).toHaveLength(groups);
    appends[0]!.end();
    await vi.advanceTimersByTimeAsync(80);
    expect(appends).toHaveLength(groups + 1);
    expect(appends.at(-1)!.readings).toHaveLength(5 - groups);
  });

  it('of many blocks are appended about 500 at a time', async () => {
    const { ingest, checks, appends } = played();
    for (const [call, blocks] of [499, 1, 1, 300, 200, 1].entries()) {
      void ingest(Array.from({ length: blocks }, (_, at) => blockOf(1000 * (call + 1) + at, '1')));
      if (call === 0) continue;
      checks[call]!(Array(blocks).fill(true));
      await settle();
    }
    checks[0]!(Array(499).fill(true));
    for (let group = 0; group < appends.length; group += 1) {
      appends[group]!.end();
      await vi.advanceTimersByTimeAsync(80);
    }
    // A lone one came first, when the others were not checked.
    expect(appends.map(({ readings }) => readings.length)).toEqual([1, 500, 500, 1]);
  });
});

it('a few blocks wait no longer once they are checked', async () => {
  const { ingest, checks, seen } = played(4);
  void ingest([blockOf(1, '1')]);
  checks[0]!([true]);
  await settle();
  void ingest([blockOf(2, '1')]);
  await vi.advanceTimersByTimeAsync(200);
  expect(seen()).toEqual([['01/1']]);
  checks[1]!([true]);
  await settle();
  expect(seen()).toEqual([['01/1'], ['02/1']]);
});

it('a few blocks wait also beside many that are not checked yet', async () => {
  const { ingest, checks, seen } = played(4);
  void ingest([blockOf(1, '1')]);
  checks[0]!([true]);
  await settle();
  void ingest(Array.from({ length: 16 }, (_, at) => blockOf(10 + at, '1')));
  void ingest([blockOf(2, '1')]);
  checks[2]!([true]);
  await settle();
  expect(seen()).toEqual([['01/1']]);
  await vi.advanceTimersByTimeAsync(15);
  expect(seen()).toEqual([['01/1'], ['02/1']]);
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PLAYED_OPTIONS, PlayedWriter, settled, watch } from '../../../../../test/support/played-writer.ts';
import type { LaneListener } from './lane.ts';
import type { WriteFailure, WriteJob, WriteResults } from './write-jobs.ts';
import type { StoreWriter } from './writer.ts';

const LOST = { code: 'unreachable', message: 'the writer thread stopped' };
const LOST_ERROR = { name: 'StorageUnavailable', ...LOST };
const COUNT: WriteJob = { kind: 'count', counts: { withheld: [], outcomes: [], unregistered: null } };
const APPEND: WriteJob = { kind: 'append', rows: [] };
const DELETE: WriteJob = { kind: 'deleteEntry', id: 7 };
const OK = { ok: true, result: null } as const;

const failure = (code: WriteFailure['code'], message = `it is ${code}`): WriteFailure => ({
  ...{ ok: false, code, message, engineCode: `ENGINE_${code}` },
});
/** A failure as the rest of the program gets it, and as the log has it. */
const refusalOf = ({ code, message }: WriteFailure) => ({ code, message });
const logOf = ({ code, message, engineCode }: WriteFailure) => [
  { store: PLAYED_OPTIONS.path, code, engineCode, reason: message },
  'the store refuses writes',
];
const [FULL, DAMAGED, INTERNAL] = [failure('full'), failure('damaged'), failure(null)];

let played: PlayedWriter;
let writer: StoreWriter;
beforeEach(() => {
  played = new PlayedWriter();
  writer = played.writer;
});
afterEach(() => {
  played.end();
  vi.useRealTimers();
});

describe('a store', () => {
  it('is opened with its lane and a port, and is ready when the thread says so', async () => {
    played.connect();
    const [{ message, transferred }] = played.opened as [PlayedWriter['opened'][number]];
    const { port, ...rest } = message;
    expect(rest).toEqual({ options: PLAYED_OPTIONS, lane: writer.lane.memory.shared, from: 0 });
    expect([transferred, played.bell.heard]).toEqual([[port], 1]);
    await settled();
    expect(played.isReady).toBe(false);
    await played.reply('ready');
    expect([played.isReady, played.states, played.logged]).toEqual([true, [], []]);
    expect(writer.lane.bell).toBe(played.bell);
  });

  it('has one listener to its lane', () => {
    const listener = { onDone: () => {}, onLost: () => {} };
    writer.lane.listen(listener);
    expect(() => writer.lane.listen(listener)).toThrow(new Error('the lane has a listener already'));
  });

  it('without a thread writes nothing', async () => {
    const outcomes = [writer.write(COUNT), writer.refusal(), writer.close()].map(watch);
    await settled();
    expect(outcomes.map(({ outcome }) => outcome)).toEqual([LOST_ERROR, LOST, undefined]);
  });

  it('has its durability also with the next thread', async () => {
    await writer.setDurability('normal');
    played.connect();
    expect(played.opened[0]!.message.options).toEqual({ ...PLAYED_OPTIONS, durability: 'normal' });
    const set = watch(writer.setDurability('full'));
    await settled();
    expect(played.received()).toEqual([{ id: 0, job: { kind: 'setDurability', durability: 'full' } }]);
    expect(set.outcome).toBe('pending');
    await played.reply({ outcomes: [[0, OK]], end: 0, chunks: 'nothing' });
    expect(set.outcome).toBe(undefined);
    writer.disconnect();
    played.connect();
    expect(played.opened[1]!.message.options).toEqual(PLAYED_OPTIONS);
  });
});

describe('jobs', () => {
  beforeEach(() => played.connect());

  it('are sent with consecutive numbers, and have the outcomes of their numbers', async () => {
    const written = [COUNT, DELETE, APPEND, DELETE].map((job) => watch(writer.write(job)));
    expect(played.received()).toEqual([COUNT, DELETE, APPEND, DELETE].map((job, id) => ({ id, job })));
    expect(played.bell.heard).toBe(5);
    const moved: WriteResults['moveArrivals'] = { devices: ['a'], next: null };
    const outcomes = [[99, OK] as const, [3, { ok: true, result: true } as const] as const];
    await played.reply({ outcomes: [...outcomes, [1, { ok: true, result: moved }]], end: 0, chunks: 'nothing' });
    expect(written.map(({ outcome }) => outcome)).toEqual(['pending', moved, 'pending', true]);
    await played.reply({ outcomes: [[0, OK]], end: 0, chunks: 'nothing' });
    expect(written.map(({ outcome }) => outcome)).toEqual([null, moved, 'pending', true]);
  });

  it.each([
    [failure('busy'), { name: 'StorageUnavailable', code: 'busy', message: 'it is busy' }],
    [failure(null), { name: 'Error', message: 'ENGINE_null: it is null' }],
    [
      { ...failure(null), engineCode: null },
      { name: 'Error', message: 'UNEXPECTED: it is null' },
    ],
  ])('that fail reject with the fault: %j', async (outcome, error) => {
    expect(await played.write(COUNT, outcome)).toEqual(error);
  });

  it('are lost with the thread, and not repeated', async () => {
    const onLost = vi.fn<() => void>();
    writer.lane.listen({ onDone: () => {}, onLost });
    const lost = [writer.write(COUNT), writer.write(APPEND), writer.refusal(), writer.refusal()].map(watch);
    writer.lane.memory.put(Buffer.alloc(0), 0, true);
    const isClosed = vi.fn<() => void>();
    const closing = watch(writer.close());
    played.opened[0]!.message.port.once('close', isClosed);
    played.received();
    writer.disconnect();
    await settled();
    expect(lost.map(({ outcome }) => outcome)).toEqual([LOST_ERROR, LOST_ERROR, LOST, LOST]);
    expect([closing.outcome, onLost.mock.calls, isClosed.mock.calls.length]).toEqual([undefined, [[]], 1]);
    played.connect();
    const next = watch(writer.write(DELETE));
    expect([played.opened[1]!.message.from, played.received()]).toEqual([1, [{ id: 2, job: DELETE }]]);
    expect(played.opened[1]!.message.lane).toBe(writer.lane.memory.shared);
    await played.reply({ outcomes: [[2, { ok: true, result: true }]], end: 0, chunks: 'nothing' });
    expect(next.outcome).toBe(true);
  });

  it('are done before the store is closed', async () => {
    const isClosed = vi.fn<() => void>();
    played.opened[0]!.message.port.once('close', isClosed);
    const written = watch(writer.write(DELETE));
    const closed = watch(writer.close());
    expect(played.received()).toEqual([{ id: 0, job: DELETE }, null]);
    await played.reply({ outcomes: [[0, { ok: true, result: true }]], end: 0, chunks: 'nothing' });
    expect([written.outcome, closed.outcome, isClosed.mock.calls.length]).toEqual([true, 'pending', 0]);
    await played.reply('closed');
    expect([closed.outcome, isClosed.mock.calls.length]).toEqual([undefined, 1]);
    const after = [writer.write(COUNT), writer.close()].map(watch);
    await settled();
    expect(after.map(({ outcome }) => outcome)).toEqual([LOST_ERROR, undefined]);
  });
});

describe('the thread', () => {
  beforeEach(() => played.connect());

  it('is asked once for its state, by all who wait for the answer', async () => {
    const first = [writer.refusal(), writer.refusal()].map(watch);
    expect([played.received(), played.bell.heard]).toEqual([[{ wasRefusing: false }], 2]);
    await played.reply({ refusal: FULL });
    expect(first.map(({ outcome }) => outcome)).toEqual([refusalOf(FULL), refusalOf(FULL)]);
    const [second] = [writer.refusal()].map(watch);
    expect(played.received()).toEqual([{ wasRefusing: true }]);
    await played.reply({ refusal: null });
    expect([first[0]!.outcome, second!.outcome]).toEqual([refusalOf(FULL), null]);
    expect(played.states).toEqual([refusalOf(FULL), null]);
  });

  it('is asked again whether an internal fault is over', async () => {
    const asked = watch(writer.refusal());
    await played.reply({ refusal: failure(null) });
    expect(asked.outcome).toEqual({ code: 'unreachable', message: 'it is null' });
    played.received();
    void writer.refusal();
    expect([played.received(), played.states]).toEqual([[{ wasRefusing: false }], []]);
  });

  it('is not asked during compacting, for two hours at most', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    expect(await played.write({ kind: 'compact' })).toBe(null);
    void writer.refusal();
    expect(played.received()).toEqual([{ wasRefusing: false }]);
    await played.reply({ refusal: null });
    const again = watch(writer.write({ kind: 'compact' }));
    const other = watch(writer.write(DELETE));
    await played.reply({ outcomes: [[2, { ok: true, result: true }]], end: 0, chunks: 'nothing' });
    expect([again.outcome, other.outcome]).toEqual(['pending', true]);
    played.received();
    vi.advanceTimersByTime(7_200_000 - 1);
    expect(await writer.refusal()).toEqual({ code: 'busy', message: 'the store is being compacted' });
    expect(played.received()).toEqual([]);
    vi.advanceTimersByTime(1);
    void writer.refusal();
    expect(played.received()).toEqual([{ wasRefusing: false }]);
  });
});

describe('a refusal', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
    played.connect();
  });
  const refused = async (...outcomes: (WriteFailure | null)[]) => {
    for (const outcome of outcomes) await played.write(APPEND, outcome ?? OK);
  };

  it('is reported at once, then once a minute, until something is written', async () => {
    await refused(null);
    expect(played.states).toEqual([]);
    await refused(FULL, DAMAGED);
    vi.advanceTimersByTime(59_999);
    await refused(DAMAGED);
    expect([played.states, played.logged]).toEqual([[refusalOf(FULL)], [logOf(FULL)]]);
    vi.advanceTimersByTime(1);
    await refused(DAMAGED, FULL);
    expect(played.states).toEqual([FULL, DAMAGED].map(refusalOf));
    await refused(null, null);
    expect(played.states).toEqual([refusalOf(FULL), refusalOf(DAMAGED), null]);
    await refused(FULL);
    expect(played.states).toEqual([refusalOf(FULL), refusalOf(DAMAGED), null, refusalOf(FULL)]);
    expect(played.logged).toEqual([FULL, DAMAGED].map(logOf));
  });

  it('by an internal fault is only logged', async () => {
    await refused(INTERNAL, FULL);
    expect([played.logged, played.states]).toEqual([[logOf(INTERNAL)], [refusalOf(FULL)]]);
    vi.advanceTimersByTime(60_000);
    await refused(INTERNAL);
    expect([played.logged, played.states]).toEqual([[INTERNAL, INTERNAL].map(logOf), [refusalOf(FULL)]]);
  });

  it.each([
    ['limit', false],
    ['reserved', false],
    ['full', true],
  ] as const)('for %s ends with a write of the owner: %s', async (code, isOver) => {
    const states: unknown[] = [refusalOf(failure(code))];
    await refused(failure(code));
    await played.write(COUNT);
    if (isOver) states.push(null);
    expect(played.states).toEqual(states);
    await refused(null);
    expect(played.states).toEqual([refusalOf(failure(code)), null]);
  });

  it('at a bound ends with blocks that are stored, and not with those that have nothing to store', async () => {
    const limit = failure('limit');
    await refused(limit);
    await played.reply({ outcomes: [], end: 1, chunks: 'nothing' });
    expect(played.states).toEqual([refusalOf(limit)]);
    await played.reply({ outcomes: [], end: 2, chunks: 'stored' });
    await played.reply({ outcomes: [], end: 3, chunks: limit });
    await played.reply(4);
    expect(played.states).toEqual([refusalOf(limit), null, refusalOf(limit), null]);
  });

  it('at a bound is also noted for a write of the owner', async () => {
    await refused(failure('limit'));
    vi.advanceTimersByTime(60_000);
    await played.write(COUNT, DAMAGED);
    expect(played.states).toEqual([refusalOf(failure('limit')), refusalOf(DAMAGED)]);
    await played.write(COUNT);
    expect(played.states.slice(2)).toEqual([null]);
  });
});

it('the listener of the lane hears which chunks are finished, and why they were not stored', async () => {
  played.connect();
  const onDone = vi.fn<LaneListener['onDone']>();
  await played.reply(0, 3);
  writer.lane.listen({ onDone, onLost: () => {} });
  await played.reply(3, 4);
  await played.reply({ outcomes: [], end: 6, chunks: 'nothing' }, { outcomes: [], end: 6, chunks: FULL });
  await played.reply({ outcomes: [], end: 7, chunks: FULL }, { outcomes: [], end: 9, chunks: INTERNAL });
  await played.reply({ outcomes: [], end: 10, chunks: 'stored' });
  expect(onDone.mock.calls).toEqual([
    [4, null],
    [6, null],
    [7, refusalOf(FULL)],
    [9, { code: 'unreachable', message: 'it is null' }],
    [10, null],
  ]);
});

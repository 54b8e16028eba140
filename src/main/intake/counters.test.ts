import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SYSTEM_CLOCK } from '../common/clock.ts';
import { EventBus } from '../common/event-bus.ts';
import type { NodeEventMap } from '../common/node-events.ts';
import type { Counts, UnregisteredDevice } from '../store/counts.ts';
import { Counters } from './counters.ts';

const HOUR_MS = 3_600_000;
const AT = 500_000 * HOUR_MS;
const KNOCKED: UnregisteredDevice = { id: 'cd', attempts: 1, firstAt: AT, lastAt: AT, lastError: 'not found' };

beforeEach(() => void vi.useFakeTimers({ now: AT }));
afterEach(() => void vi.useRealTimers());

/** Counters over a store that records its calls, can refuse them, and can wait with them. */
function setup() {
  const lines: object[] = [];
  const options = { level: 'debug', base: null, timestamp: false };
  const log = pino(options, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const events = new EventBus<NodeEventMap>(log);
  const [written, told]: [(readonly [Counts, number | undefined])[], object[]] = [[], []];
  events.on('countsChanged', (event) => void told.push(event));
  const state = {
    refuses: false,
    held: Promise.resolve(),
    knocked: null as UnregisteredDevice[] | null,
    isKept: false,
  };
  const counters = new Counters({
    storeName: 'private',
    store: {
      addCounts: async (counts, rideMs) => {
        if (state.refuses) throw new Error('full');
        written.push([counts, rideMs]);
        await state.held;
      },
    },
    unregistered: {
      takeChanged: () => {
        const { knocked } = state;
        state.knocked = null;
        return knocked;
      },
      keepChanged: () => {
        state.isKept = true;
      },
    },
    clock: { ...SYSTEM_CLOCK, arrival: () => ({ receivedAt: Date.now(), clock: 0 }) },
    events,
    log,
  });
  return { counters, written, told, lines, state };
}

const stored = ({ outcomes }: Pick<Counts, 'outcomes'>) => outcomes.reduce((sum, { count }) => sum + count, 0);
const outcomeOf = (outcome: string, count: number) => ({ hour: 500_000, outcome, count });
const passed = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('counts', () => {
  it('gather for less than a minute, are shown meanwhile, and are written with a reading', async () => {
    const { counters, written } = setup();
    for (let reading = 0; reading < 7; reading += 1) {
      counters.countStored(1);
      counters.countWithheld('ab', 'omit', 'ph');
      await passed(6000);
    }
    counters.countRefused('cd', 'invalid_signature');
    const value = { deviceId: 'ab', cause: 'omit', field: 'ph', count: 7, firstAt: AT, lastAt: AT + 36_000 };
    const counts = { withheld: [value], outcomes: [outcomeOf('stored', 7), outcomeOf('invalid_signature', 1)] };
    await passed(2999);
    expect([written, counters.pending]).toEqual([[], counts]);
    await passed(1);
    expect(written).toEqual([[{ ...counts, unregistered: null }, 15_000]]);
    expect(counters.pending).toEqual({ withheld: [], outcomes: [] });
    await passed(600_000);
    expect(written).toHaveLength(1);
    counters.countStored(2);
    await passed(45_000);
    expect(written.slice(1).map(([{ outcomes }]) => outcomes)).toEqual([[outcomeOf('stored', 2)]]);
  });

  it('are written with the list of unregistered devices, if it changed', async () => {
    const { counters, written, state } = setup();
    state.knocked = [KNOCKED];
    counters.unregisteredChanged();
    await passed(45_000);
    expect(written).toEqual([[{ withheld: [], outcomes: [], unregistered: [KNOCKED] }, 15_000]]);
  });

  it.each<[string, (counters: Counters) => void]>([
    ['a stored reading', (counters) => counters.countStored(1)],
    ['a refused block', (counters) => counters.countRefused('ab', 'invalid_block')],
    ['a withheld value', (counters) => counters.countWithheld('ab', 'publish_to', null)],
    ['an unregistered device', (counters) => counters.unregisteredChanged()],
  ])('are announced a second after the first change: %s', async (_name, change) => {
    const { counters, told } = setup();
    change(counters);
    await passed(500);
    change(counters);
    await passed(499);
    expect(told).toEqual([]);
    await passed(1);
    expect(told).toEqual([{ store: 'private' }]);
    await passed(5000);
    expect(told).toHaveLength(1);
    change(counters);
    await passed(1000);
    expect(told).toHaveLength(2);
  });
});

describe('a write', () => {
  it('that the store refuses is made again with the next counts', async () => {
    const { counters, written, lines, state } = setup();
    counters.countStored(2);
    counters.countWithheld('ab', 'omit', 'ph');
    state.refuses = true;
    await passed(45_000);
    expect([written, stored(counters.pending), state.isKept]).toEqual([[], 2, false]);
    expect(lines).toMatchObject([{ level: 20, err: { message: 'full' }, msg: 'counts not written' }]);
    state.refuses = false;
    counters.countStored(3);
    await passed(45_000);
    expect(written).toMatchObject([[{ withheld: [{ count: 1 }], outcomes: [outcomeOf('stored', 5)] }, 15_000]]);
    expect(lines).toHaveLength(1);
  });

  it('that the store refuses keeps the list of unregistered devices as changed', async () => {
    const { counters, state } = setup();
    state.knocked = [];
    counters.timesMoved();
    await passed(0);
    expect(state.isKept).toBe(false);
    state.knocked = [];
    state.refuses = true;
    counters.timesMoved();
    await passed(0);
    expect(state.isKept).toBe(true);
  });

  it('leaves its counts pending until it ends', async () => {
    const { counters, written, state } = setup();
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    counters.countStored(1);
    state.held = first.promise;
    counters.timesMoved();
    counters.countStored(2);
    state.held = second.promise;
    counters.timesMoved();
    expect(written.map(([counts]) => stored(counts))).toEqual([1, 2]);
    counters.countStored(4);
    expect(counters.pending).toEqual({ withheld: [], outcomes: [outcomeOf('stored', 7)] });
    first.resolve();
    await passed(0);
    expect(stored(counters.pending)).toBe(6);
    second.reject(new Error('full'));
    await passed(0);
    expect(stored(counters.pending)).toBe(6);
    state.held = Promise.resolve();
    counters.timesMoved();
    await passed(0);
    expect([stored(written[2]![0]), stored(counters.pending)]).toEqual([6, 0]);
  });

  it('that waits for a reading is hurried by an empty one when times move', async () => {
    const { counters, written, state } = setup();
    const riding = Promise.withResolvers<void>();
    counters.timesMoved();
    expect(written).toEqual([]);
    counters.countStored(1);
    state.held = riding.promise;
    await passed(45_000);
    expect(written.splice(0)).toMatchObject([[{}, 15_000]]);
    counters.timesMoved();
    expect(written.splice(0)).toEqual([[{ withheld: [], outcomes: [], unregistered: null }, undefined]]);
    riding.resolve();
    await passed(0);
    counters.timesMoved();
    expect(written).toEqual([]);
  });
});

describe('the log', () => {
  const lineOf = (device: string, cause: string, blocks: number) => ({
    ...{ level: 40, device, cause, blocks, msg: 'blocks refused' },
  });

  it('sums up refused blocks by device and cause each minute', async () => {
    const { counters, lines } = setup();
    for (const id of ['ab', 'cd', 'ab']) counters.countRefused(id, 'invalid_signature');
    counters.countRefused('ab', 'raw_json_mismatch');
    for (let block = 0; block < 2; block += 1) counters.countRefused('', 'invalid_block');
    await passed(59_999);
    expect(lines).toEqual([]);
    await passed(1);
    expect(lines.splice(0)).toEqual([
      lineOf('ab', 'invalid_signature', 2),
      lineOf('cd', 'invalid_signature', 1),
      lineOf('ab', 'raw_json_mismatch', 1),
      lineOf('various', 'invalid_block', 2),
    ]);
    await passed(60_000);
    expect(lines).toEqual([]);
    counters.countRefused('ab', 'invalid_signature');
    await passed(60_000);
    expect(lines).toEqual([lineOf('ab', 'invalid_signature', 1)]);
  });

  it('names at most a thousand devices, and sums up the others by cause', async () => {
    const { counters, lines } = setup();
    for (let id = 0; id < 1002; id += 1) counters.countRefused(String(id), 'device_not_found');
    counters.countRefused('0', 'device_not_found');
    counters.countRefused('', 'device_not_found');
    counters.countRefused('0', 'invalid_signature');
    await passed(60_000);
    expect(lines[0]).toEqual(lineOf('0', 'device_not_found', 2));
    expect(lines.slice(999)).toEqual([
      lineOf('999', 'device_not_found', 1),
      lineOf('various', 'device_not_found', 3),
      lineOf('various', 'invalid_signature', 1),
    ]);
  });
});

describe('at the end', () => {
  it('everything is written without waiting for a reading, and nothing follows', async () => {
    const { counters, written, told, lines, state } = setup();
    const writing = Promise.withResolvers<void>();
    counters.countStored(2);
    counters.countRefused('ab', 'invalid_block');
    [state.knocked, state.held] = [[KNOCKED], writing.promise];
    let isClosed = false;
    const closed = counters.close().then(() => {
      isClosed = true;
    });
    const outcomes = [outcomeOf('stored', 2), outcomeOf('invalid_block', 1)];
    expect(written).toEqual([[{ withheld: [], outcomes, unregistered: [KNOCKED] }, undefined]]);
    expect(lines).toMatchObject([{ device: 'ab', blocks: 1 }]);
    await passed(0);
    expect(isClosed).toBe(false);
    writing.resolve();
    await closed;
    expect(vi.getTimerCount()).toBe(0);
    expect([written.length, told]).toEqual([1, []]);
  });

  it('nothing is written if nothing was counted', async () => {
    const { counters, written, lines } = setup();
    await counters.close();
    expect([written, lines, vi.getTimerCount()]).toEqual([[], [], 0]);
  });
});

import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SYSTEM_CLOCK } from '../common/clock.ts';
import { EventBus } from '../common/event-bus.ts';
import type { NodeEventMap } from '../common/node-events.ts';
import type { Counts, UnregisteredDevice } from '../store/counts.ts';
import { Counters } from './counters.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Counters over a store that records its calls and can refuse them. */
function setup() {
  const log = pino({ level: 'silent' });
  const events = new EventBus<NodeEventMap>(log);
  const [written, told]: [(readonly [Counts, number | undefined])[], string[]] = [[], []];
  events.on('countsChanged', ({ store }) => void told.push(store));
  const state = { refuses: false, knocked: null as UnregisteredDevice[] | null };
  const counters = new Counters({
    storeName: 'private',
    store: {
      addCounts: async (counts, rideMs) => {
        if (state.refuses) throw new Error('full');
        written.push([counts, rideMs]);
      },
    },
    unregistered: {
      takeChanged: () => {
        const { knocked } = state;
        state.knocked = null;
        return knocked;
      },
      keepChanged: () => {
        state.knocked = [];
      },
    },
    clock: { ...SYSTEM_CLOCK, arrival: () => ({ receivedAt: Date.now(), clock: 0 }) },
    events,
    log,
  });
  return { counters, written, told, state };
}

const stored = ({ outcomes }: Pick<Counts, 'outcomes'>) => outcomes.reduce((sum, { count }) => sum + count, 0);

it('gathers counts for less than a minute, shows them meanwhile, and writes them with a reading', async () => {
  const { counters, written, told } = setup();
  for (let reading = 0; reading < 7; reading += 1) {
    counters.countStored(1);
    counters.countWithheld('ab', 'omit', 'ph');
    await vi.advanceTimersByTimeAsync(6000);
  }
  expect(written).toEqual([]);
  expect(stored(counters.pending)).toBe(7);
  expect(counters.pending.withheld).toMatchObject([{ deviceId: 'ab', cause: 'omit', field: 'ph', count: 7 }]);
  // Listeners get each change soon.
  expect(told).toHaveLength(7);
  await vi.advanceTimersByTimeAsync(18_000);
  expect(written).toHaveLength(1);
  expect(stored(written[0]![0])).toBe(7);
  expect(written[0]![1]).toBeGreaterThan(0);
  expect(stored(counters.pending)).toBe(0);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(written).toHaveLength(1);
});

it('keeps counts that a store refuses, and writes all at the end without waiting', async () => {
  const { counters, written, state } = setup();
  counters.countStored(2);
  state.knocked = [];
  state.refuses = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect([written, stored(counters.pending)]).toEqual([[], 2]);
  counters.countStored(3);
  state.refuses = false;
  await counters.close();
  expect(written).toHaveLength(1);
  expect([stored(written[0]![0]), written[0]![0].unregistered, written[0]![1]]).toEqual([5, [], undefined]);
});

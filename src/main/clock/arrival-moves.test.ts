import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { StoreName } from '../../shared/protocol/codes.ts';
import { EventBus } from '../common/event-bus.ts';
import type { NodeEventMap } from '../common/node-events.ts';
import type { MovedStep, MovedTo } from '../store/arrival-move.ts';
import type { Store } from '../store/port.ts';
import { ArrivalMoves } from './arrival-moves.ts';
import type { Shift } from './clock-file.ts';

const SHIFT: Shift = { clock: 1, next: 2, by: 3_600_000, from: 0, to: 1000, at: 2000 };
const MINUTE = 60_000;

let shifts: Shift[];
let steps: string[];
/** When each step was taken, in milliseconds. */
let times: number[];
let warnings: object[];
let infos: object[];
/** The devices of which a step moves readings. */
let ofStep: string[][];
let full: Set<StoreName>;
let open: Set<StoreName>;
/** Each step waits for it. */
let turn: Promise<void>;
let events: EventBus<NodeEventMap>;
let moves: ArrivalMoves;

/** A store whose moves take two steps. */
function storeOf(name: StoreName): Store | null {
  if (!open.has(name)) return null;
  const moveArrivals = async ({ clock }: Shift, after: MovedTo | null): Promise<MovedStep> => {
    steps.push(`${name} ${clock} ${after ?? 'start'}${full.has(name) ? ' refused' : ''}`);
    times.push(performance.now());
    await turn;
    if (full.has(name)) throw new Error('the store is full');
    return { devices: ofStep.shift() ?? [], next: after === null ? 'half' : null };
  };
  return { moveArrivals } as Partial<Store> as Store;
}

/** Waits until exactly these steps were taken since the last call, the first of them within `ms` milliseconds. */
async function expectSteps(ms: number, expected: readonly string[]): Promise<void> {
  // The first step of a run follows its timer at once. The pauses between steps are real.
  await vi.advanceTimersByTimeAsync(ms);
  await expect.poll(() => steps).toEqual(expected);
  steps = [];
}

const both = (clock: number) =>
  ['private', 'public'].flatMap((name) => [`${name} ${clock} start`, `${name} ${clock} half`]);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  [shifts, steps, times, warnings, infos, ofStep] = [[SHIFT], [], [], [], [], []];
  [full, open, turn] = [new Set(), new Set(['private', 'public']), Promise.resolve()];
  const write = (line: string) => {
    const { level, time, pid, hostname, ...more } = JSON.parse(line);
    (level === pino.levels.values.warn ? warnings : infos).push(more);
  };
  const log = pino({ level: 'info' }, { write });
  events = new EventBus<NodeEventMap>(log);
  moves = new ArrivalMoves({
    clock: {
      get shifts() {
        return shifts;
      },
    },
    store: storeOf,
    events,
    log,
  });
});
afterEach(async () => {
  await moves.stop();
  vi.useRealTimers();
});

it('takes all steps of all moves in both stores, oldest move first', async () => {
  shifts = [SHIFT, { ...SHIFT, clock: 2, next: 3 }];
  moves.start();
  const ofBoth = (name: string) => [1, 2].flatMap((clock) => [`${name} ${clock} start`, `${name} ${clock} half`]);
  await expectSteps(1000, [...ofBoth('private'), ...ofBoth('public')]);
  await expectSteps(10 * MINUTE, []);
  expect(warnings).toEqual([]);
});

it('moves the arrivals of a store that is opened later', async () => {
  open.delete('public');
  moves.start();
  await expectSteps(10 * MINUTE, ['private 1 start', 'private 1 half']);
  open.add('public');
  events.emit('storeOpened', () => ({ store: 'public' }));
  await expectSteps(1000, both(1));
  expect(warnings).toEqual([]);
});

it('tries a store that refuses writes again each minute, and moves the other one at once', async () => {
  full.add('private');
  moves.start();
  const refused = ['private 1 start refused', 'public 1 start', 'public 1 half'];
  await expectSteps(1000, refused);
  // Further moves begin no second row of tries.
  events.emit('clockMoved', () => ({ by: 1, from: 0, to: 1 }));
  await expectSteps(1000, refused);
  await expectSteps(MINUTE, refused);
  full.clear();
  await expectSteps(MINUTE, both(1));
  await expectSteps(10 * MINUTE, []);
  expect(warnings).toHaveLength(3);
  const msg = 'times of arrival could not be moved';
  expect(warnings[0]).toMatchObject({ store: 'private', err: { message: 'the store is full' }, msg });
});

it('tries no more once it is stopped', async () => {
  full.add('private');
  moves.start();
  await expectSteps(1000, ['private 1 start refused', ...both(1).slice(2)]);
  expect(vi.getTimerCount()).toBe(1);
  await moves.stop();
  expect(vi.getTimerCount()).toBe(0);
  full.clear();
  events.emit('clockMoved', () => ({ by: 1, from: 0, to: 1 }));
  await expectSteps(10 * MINUTE, []);
});

it('a stop between two steps ends the row of steps', async () => {
  const told: string[] = [];
  events.on('timesMoved', ({ store }) => void told.push(store));
  moves.start();
  await expect.poll(() => steps).toEqual(['private 1 start']);
  await moves.stop();
  await expectSteps(10 * MINUTE, ['private 1 start']);
  expect(told).toEqual([]);
});

it('a store that refuses the step during which the node stops is not tried again', async () => {
  full.add('private');
  const { promise, resolve } = Promise.withResolvers<void>();
  turn = promise;
  moves.start();
  await expect.poll(() => steps).toHaveLength(1);
  const stopped = moves.stop();
  resolve();
  await stopped;
  expect(vi.getTimerCount()).toBe(0);
  await expectSteps(10 * MINUTE, ['private 1 start refused']);
});

it('tells the devices of each step, then once that a store is done, and logs how many devices it moved', async () => {
  ofStep = [['a', 'b'], ['a'], [], []];
  const told: object[] = [];
  events.on('arrivalsMoved', (each) => void told.push(each));
  events.on('timesMoved', (each) => void told.push(each));
  moves.start();
  await expectSteps(1000, both(1));
  await expect.poll(() => told.at(-1)).toEqual({ store: 'public' });
  const ofPrivate = ['a', 'b', 'a'].map((deviceId) => ({ store: 'private', deviceId }));
  expect(told).toEqual([...ofPrivate, { store: 'private' }, { store: 'public' }]);
  const msg = 'times of arrival were moved';
  expect(infos).toEqual([{ store: 'private', devices: 2, byMs: SHIFT.by, msg }]);
});

it('leaves time between two steps for readings that arrive', async () => {
  moves.start();
  await expectSteps(1000, both(1));
  // A timer may end a little earlier by this clock.
  for (const at of [1, 3]) expect(times[at]! - times[at - 1]!).toBeGreaterThan(18);
});

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
let warnings: number;
let full: Set<StoreName>;
let open: Set<StoreName>;
let events: EventBus<NodeEventMap>;
let moves: ArrivalMoves;

/** A store whose moves take two steps. */
function storeOf(name: StoreName): Store | null {
  if (!open.has(name)) return null;
  const moveArrivals = async ({ clock }: Shift, after: MovedTo | null): Promise<MovedStep> => {
    steps.push(`${name} ${clock} ${after ?? 'start'}${full.has(name) ? ' refused' : ''}`);
    if (full.has(name)) throw new Error('the store is full');
    return { devices: [], next: after === null ? 'half' : null };
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
  [shifts, steps, warnings, full, open] = [[SHIFT], [], 0, new Set(), new Set(['private', 'public'])];
  const log = pino(
    { level: 'warn' },
    {
      write: () => {
        warnings += 1;
      },
    },
  );
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
  expect(warnings).toBe(0);
});

it('moves the arrivals of a store that is opened later', async () => {
  open.delete('public');
  moves.start();
  await expectSteps(10 * MINUTE, ['private 1 start', 'private 1 half']);
  open.add('public');
  events.emit('storeOpened', () => ({ store: 'public' }));
  await expectSteps(1000, both(1));
  expect(warnings).toBe(0);
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
  expect(warnings).toBe(3);
});

it('tries no more once it is stopped', async () => {
  full.add('private');
  moves.start();
  await expectSteps(1000, ['private 1 start refused', ...both(1).slice(2)]);
  await moves.stop();
  full.clear();
  events.emit('clockMoved', () => ({ by: 1, from: 0, to: 1 }));
  await expectSteps(10 * MINUTE, []);
});

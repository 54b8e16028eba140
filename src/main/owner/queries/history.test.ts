import { afterEach, beforeEach, expect, it } from 'vitest';
import { OwnerStoresForTest } from '../../../../test/support/owner-stores.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const END = 20_000 * DAY;
const DAYS = 30;

let stores: OwnerStoresForTest;
let id: string;
beforeEach(() => {
  stores = new OwnerStoresForTest();
  ({ id } = stores.register({}, ['private']));
});
afterEach(() => stores.dispose());

/** Stores a reading each `everyMs` for thirty days. */
function fill(everyMs: number): void {
  const count = (DAYS * DAY) / everyMs;
  const readings = Array.from({ length: count }, (_, index) => {
    const time = END - (count - 1 - index) * everyMs;
    return { seq: BigInt(index + 1), timestamp: BigInt(time), receivedAt: time, fields: [6] };
  });
  stores.append('private', id, readings);
  stores.memory.summaries.arrived(id, 0);
}

const drawn = async (viewMs: number, maxPoints = 500) => {
  const pixelMs = Math.floor(viewMs / maxPoints);
  const { stepMs, times } = await stores.ask('history', { id, from: END - viewMs, to: null, maxPoints, pixelMs });
  return { stepMs, count: times.length };
};

it('returns no more points for a month than the pixels that it has in a chart of a year', async () => {
  fill(HOUR);
  expect(await drawn(365 * DAY)).toEqual({ stepMs: DAY, count: DAYS + 1 });
  // Without `pixelMs`, the readings are few enough to be drawn one by one.
  expect(await stores.ask('history', { id, from: END - 365 * DAY, to: null, maxPoints: 1000 })).toMatchObject({
    stepMs: null,
  });
});

it('returns days if a day has too few pixels for its course, and hours otherwise', async () => {
  fill(10 * MINUTE);
  expect((await drawn(120 * DAY)).stepMs).toBe(DAY);
  expect((await drawn(30 * DAY)).stepMs).toBe(2 * HOUR);
});

it('returns few readings individually, however close they are', async () => {
  fill(DAY);
  expect(await drawn(3650 * DAY)).toEqual({ stepMs: null, count: DAYS });
});

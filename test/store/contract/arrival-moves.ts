import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ArrivalMove, MovedTo } from '../../../src/main/store/arrival-move.ts';
import { HOUR_MS } from '../../../src/main/store/counts.ts';
import type { Store } from '../../../src/main/store/port.ts';
import type { NewReading, Reading } from '../../../src/main/store/reading.ts';
import type { Span } from '../../../src/main/store/stores-view.ts';
import { newReading } from '../../support/readings.ts';
import {
  ask,
  BOTH,
  kinds,
  type OpenStores,
  plainReading,
  register,
  type StoresUnderTest,
} from './stores-under-test.ts';

const START = 480_000 * HOUR_MS;
const MINUTE_MS = 60_000;
const BY = 3 * HOUR_MS + 5 * MINUTE_MS;
const WRONG = 7;
/** The clock was behind: what was received by it from `START` on, in 100 hours, was received by `BY` later. */
const MOVE: ArrivalMove = {
  ...{ clock: WRONG, next: WRONG + 1, by: BY },
  ...{ from: START, to: START + 100 * HOUR_MS, at: START + 200 * HOUR_MS },
};

/** A reading of each minute, which arrived by the node's clock when it was measured. */
function minutes(id: string, count: number, first = 0) {
  return Array.from({ length: count }, (_, index) => {
    const at = START + (first + index) * MINUTE_MS;
    return newReading(id, { seq: BigInt(first + index), timestamp: BigInt(at), receivedAt: at, fields: [5] });
  });
}

/** Stores readings that were received by a clock; resolves with the outcome of each. */
async function receive(store: Store, readings: readonly NewReading[], clock: number): Promise<string[]> {
  return kinds(await store.append(readings.map((reading) => ({ ...reading, clock }))));
}

/** Moves to the end, in steps; gives the devices that were moved. */
async function moveAll(store: Store, move = MOVE, limit = 50): Promise<Set<string>> {
  const devices = new Set<string>();
  let after: MovedTo | null = null;
  do {
    const step = await store.moveArrivals(move, after, limit);
    for (const id of step.devices) devices.add(id);
    after = step.next;
  } while (after !== null);
  return devices;
}

/** The contract of moving times of arrival. */
export function arrivalMovesContract(open: OpenStores): void {
  let stores: StoresUnderTest;
  beforeEach(async () => {
    stores = await open();
  });
  afterEach(() => stores.dispose());

  const received = async (id: string): Promise<number[]> =>
    (await stores.store('private').latest(id, 1000)).map(({ receivedAt }: Reading) => receivedAt).reverse();
  const byArrival = async (id: string) => {
    const span: Span = { axis: 'received', from: BigInt(START), to: BigInt(START + 100 * HOUR_MS - 1) };
    const sums = await ask(stores, (both) => both.sums(id, span, HOUR_MS));
    return sums.reduce((total, { readings }) => total + readings, 0);
  };
  const arrivalOf = ({ receivedAt }: { receivedAt: number }) => receivedAt;
  const later = ({ receivedAt }: { receivedAt: number }) => receivedAt + BY;

  it.each(BOTH)('moves arrivals by a clock in the %s store, and nothing else', async (name) => {
    const store = stores.store(name);
    const [{ id }, { id: other }] = [await register(store), await register(store, { seed: Buffer.alloc(32, 9) })];
    const [wrong, right] = [minutes(id, 120), minutes(id, 30, 120)];
    expect(new Set(await receive(store, wrong, WRONG))).toEqual(new Set(['stored']));
    await store.append(right);
    await receive(store, minutes(other, 40), 0);
    expect(await moveAll(store)).toEqual(new Set([id]));
    const times = async (of: string) => (await store.latest(of, 1000)).map(arrivalOf).reverse();
    expect(await times(id)).toEqual([...wrong.map(later), ...right.map(arrivalOf)]);
    expect(await times(other)).toEqual(minutes(other, 40).map(arrivalOf));
    expect(await ask(stores, (both) => both.movedArrivals(id, 5))).toEqual([{ at: MOVE.at, by: BY, readings: 120 }]);
    expect(await ask(stores, (both) => both.movedArrivals(other, 5))).toEqual([]);
    expect((await store.latest(id, 1000)).map(({ timestamp }) => timestamp).reverse()).toEqual(
      [...wrong, ...right].map(({ timestamp }) => timestamp),
    );
  });

  it('moves once, also if it is repeated after a restart', async () => {
    const { id } = await register(stores.store('private'));
    const wrong = minutes(id, 90);
    await receive(stores.store('private'), wrong, WRONG);
    await moveAll(stores.store('private'));
    expect(await moveAll(stores.store('private'))).toEqual(new Set());
    await stores.restart();
    expect(await moveAll(stores.store('private'))).toEqual(new Set());
    expect(await received(id)).toEqual(wrong.map(later));
  });

  it('continues after a restart', async () => {
    const { id } = await register(stores.store('private'));
    const wrong = minutes(id, 600);
    await receive(stores.store('private'), wrong, WRONG);
    const first = await stores.store('private').moveArrivals(MOVE, null, 60);
    expect(first.next).not.toBeNull();
    await stores.restart();
    // Nobody remembers how far it was.
    await moveAll(stores.store('private'));
    expect(await received(id)).toEqual(wrong.map(later));
    expect(await ask(stores, (both) => both.movedArrivals(id, 5))).toEqual([{ at: MOVE.at, by: BY, readings: 600 }]);
  });

  it('moves late arrivals by that clock, during the move and after', async () => {
    const store = stores.store('private');
    const { id } = await register(store);
    const wrong = minutes(id, 300);
    await receive(store, wrong.slice(0, 200), WRONG);
    const { next } = await store.moveArrivals(MOVE, null, 60);
    await receive(store, wrong.slice(200, 250), WRONG);
    for (let after = next; after !== null; ) after = (await store.moveArrivals(MOVE, after, 60)).next;
    await receive(store, wrong.slice(250), WRONG);
    expect(await received(id)).toEqual(wrong.map(later));
  });

  it('moves arrivals again that a later clock moved before', async () => {
    const store = stores.store('private');
    const { id } = await register(store);
    const wrong = minutes(id, 60);
    await receive(store, wrong, WRONG);
    await moveAll(store);
    const back: ArrivalMove = {
      ...{ clock: MOVE.next, next: MOVE.next + 1, by: -BY },
      ...{ from: MOVE.from + BY, to: MOVE.to + BY, at: MOVE.at + HOUR_MS },
    };
    expect(await moveAll(store, back)).toEqual(new Set([id]));
    expect(await received(id)).toEqual(wrong.map(arrivalOf));
    const moves = await ask(stores, (both) => both.movedArrivals(id, 5));
    expect(moves.map(({ by }) => by)).toEqual([-BY, BY]);
    // What comes late by the first clock is moved by both.
    const late = minutes(id, 1, 60);
    await receive(store, late, WRONG);
    expect((await received(id)).at(-1)).toBe(late[0]!.receivedAt);
  });

  it('keeps sums of arrivals and the newest of them right', async () => {
    const { id } = await register(stores.store('private'));
    await receive(stores.store('private'), minutes(id, 180), WRONG);
    await stores.restart();
    expect(await byArrival(id)).toBe(180);
    await moveAll(stores.store('private'));
    for (let round = 0; round < 2; round += 1) {
      stores.reader.forgotten(id);
      expect(await byArrival(id)).toBe(180);
      const newest = await ask(stores, (both) => both.latest(id, 'received', 1));
      expect(newest.map(arrivalOf)).toEqual([START + 179 * MINUTE_MS + BY]);
      await stores.restart();
    }
  });

  it('keeps nothing of a deleted device', async () => {
    const store = stores.store('private');
    const { id } = await register(store);
    await receive(store, [plainReading(id, 1n, { receivedAt: START, timestamp: BigInt(START) })], WRONG);
    await moveAll(store);
    while (!(await store.forget(id, 1000)).isDone);
    await register(store);
    expect(await ask(stores, (both) => both.movedArrivals(id, 5))).toEqual([]);
  });
}

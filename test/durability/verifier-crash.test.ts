import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { Fate } from '../../src/main/store/verifier/packed-blocks.ts';
import { Verifiers } from '../../src/main/store/verifier/verifiers.ts';
import { CheckedLane, someChecks } from '../support/lanes.ts';

const log = pino({ level: 'silent' });
const CHUNK = 24;
let verifiers: Verifiers | undefined;
afterEach(() => verifiers?.close());

function start(threads: number, ...lanes: CheckedLane[]): Verifiers {
  verifiers = new Verifiers(log, { least: threads, most: threads });
  for (const lane of lanes) verifiers.add(lane);
  return verifiers;
}

/** Resolves once some of so many chunks are checked; fails where all are. */
async function isUnderWay(lane: CheckedLane, chunks: number): Promise<void> {
  await expect.poll(() => lane.checked, { interval: 1, timeout: 15_000 }).toBeGreaterThan(0);
  expect(lane.checked, 'all was done before the threads died').toBeLessThan(chunks);
}

test.for([1, 2, 4])(
  'all of %i threads die while they hold chunks: every block still gets its outcome',
  async (threads) => {
    const [first, second] = [new CheckedLane(), new CheckedLane()];
    const { checks, fates } = someChecks(60 * CHUNK);
    start(threads, first, second);
    for (const lane of [first, second]) lane.putAll(checks, CHUNK, verifiers!);
    await isUnderWay(first, 60);
    const dead = verifiers!.workers;
    expect(dead).toHaveLength(threads);
    await Promise.all(dead.map((worker) => worker.terminate()));
    for (const lane of [first, second]) expect(await lane.fates()).toEqual(fates);
    await expect.poll(() => verifiers!.workers.length, { timeout: 15_000 }).toBe(threads);
    expect(verifiers!.workers.some((worker) => dead.includes(worker))).toBe(false);
  },
);

test('a chunk whose thread died waits for another thread, even if others are idle', async () => {
  const lane = new CheckedLane();
  const { checks, fates } = someChecks(CHUNK);
  lane.put(checks);
  // As the thread that is about to die would have.
  expect(lane.memory.claim(1)).toBe(0);
  start(2, lane);
  await verifiers!.workers[1]!.terminate();
  expect(await lane.fates()).toEqual(fates);
});

test('a chunk whose second thread died is given up; known outcomes stay', async () => {
  const lane = new CheckedLane();
  const [, good, other] = someChecks(3).checks;
  const ticket = lane.put([good!, other!]);
  lane.memory.chunk(ticket).blocks.setFate(0, Fate.GOOD);
  lane.memory.claim(0);
  expect(lane.memory.claimedBy(0)).toEqual([{ ticket, tries: 1 }]);
  start(1, lane);
  const heard = lane.bell.heard;
  await verifiers!.workers[0]!.terminate();
  expect(await lane.fates()).toEqual([Fate.GOOD, Fate.FAILED]);
  expect(lane.bell.heard, 'nobody told the store').toBeGreaterThan(heard);
  // The lane goes on.
  const { checks, fates } = someChecks(5);
  lane.putAll(checks, 5, verifiers!);
  expect((await lane.fates()).slice(2)).toEqual(fates);
});

test('one of two threads dies repeatedly: nothing waits for ever', async () => {
  const lane = new CheckedLane();
  const { checks, fates } = someChecks(10 * CHUNK);
  start(2, lane);
  for (let round = 1; round <= 5; round += 1) {
    lane.putAll(checks, CHUNK, verifiers!);
    await verifiers!.workers[0]?.terminate();
    expect(await lane.fates()).toEqual(Array.from({ length: round }, () => fates).flat());
  }
});

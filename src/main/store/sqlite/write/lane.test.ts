import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { CheckedLane, someChecks } from '../../../../../test/support/lanes.ts';
import { Verifiers } from '../../verifier/verifiers.ts';
import { Lane } from './lane.ts';

let verifiers: Verifiers;
afterEach(() => verifiers.close());

/** Ingests blocks in one turn of the event loop while `threads` threads are idle. */
async function handedIn(threads: number, blocks: number): Promise<{ counts: number[]; areFatesRight: boolean }> {
  verifiers = new Verifiers(pino({ level: 'silent' }), { least: threads, most: threads });
  const store = new CheckedLane();
  const lane = new Lane(store, verifiers);
  await expect.poll(() => verifiers.idle, { timeout: 25_000 }).toBe(threads);
  const { checks, fates } = someChecks(blocks);
  void lane.ingest(checks.map((check) => ({ check, reading: null })));
  await expect.poll(() => store.counts.reduce((sum, count) => sum + count, 0), { timeout: 25_000 }).toBe(blocks);
  return { counts: store.counts, areFatesRight: `${await store.fates()}` === `${fates}` };
}

it('idle threads share the blocks of one turn of the event loop', async () => {
  expect(await handedIn(2, 7)).toEqual({ counts: [4, 3], areFatesRight: true });
});

it('a few blocks stay together, since they are not worth waking several threads', async () => {
  expect(await handedIn(4, 3)).toEqual({ counts: [2, 1], areFatesRight: true });
});

it('blocks for a single thread stay together', async () => {
  expect(await handedIn(1, 7)).toEqual({ counts: [7], areFatesRight: true });
});

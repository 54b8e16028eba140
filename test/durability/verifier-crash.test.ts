import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import type { SignatureCheck } from '../../src/main/ingest/signature-packing.ts';
import { VerifierPool } from '../../src/main/ingest/verifier-pool.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';

const log = pino({ level: 'silent' });
let pool: VerifierPool | undefined;
afterEach(() => pool?.close());

/** Checks of which every third is forged, and the verdicts that are right. */
function someChecks(count: number): { checks: SignatureCheck[]; verdicts: number[] } {
  const device = new SimulatedDevice();
  const checks = Array.from({ length: count }, (_, index) => {
    const message = Buffer.from(`${device.id}|${index}|0|0`);
    const signature = Buffer.from(device.sign(message));
    if (index % 3 === 0) signature[5]! ^= 1;
    return {
      publicKey: Buffer.from(device.id, 'hex'),
      signature: signature.toString('hex'),
      message: message.toString('hex'),
    };
  });
  return { checks, verdicts: checks.map((_, index) => (index % 3 === 0 ? 0 : 1)) };
}

test.for([1, 2, 4])(
  'all of %i threads die with checks in their hands: every check still gets its verdict',
  async (threads) => {
    pool = new VerifierPool(log, threads);
    const { checks, verdicts } = someChecks(2000);
    const verifying = [pool.verify(checks, 'local'), pool.verify(checks, 'public')];
    await nextTurn();
    expect(pool.waiting, 'no thread was given anything').toBeLessThan(4000);
    expect(pool.waiting, 'all was done before the threads died').toBeGreaterThan(0);
    const dead = pool.workers;
    expect(dead).toHaveLength(threads);
    await Promise.all(dead.map((worker) => worker.terminate()));
    for (const result of await Promise.all(verifying)) expect([...result.verdicts]).toEqual(verdicts);
    await expect.poll(() => pool!.workers.length).toBe(threads);
    expect(pool.workers.some((worker) => dead.includes(worker))).toBe(false);
  },
);

test('all threads die together, of which one had a check: it still gets its verdict', async () => {
  pool = new VerifierPool(log, 4);
  const { checks, verdicts } = someChecks(1);
  const verifying = pool.verify(checks, 'public');
  await nextTurn();
  expect(pool.waiting).toBe(0);
  await Promise.all(pool.workers.map((worker) => worker.terminate()));
  expect([...(await verifying).verdicts]).toEqual(verdicts);
});

test('public checks that a thread went down with do not overtake local ones', async () => {
  pool = new VerifierPool(log, 1);
  const order: string[] = [];
  const inHand = pool.verify(someChecks(24).checks, 'public').then(() => order.push('public'));
  await nextTurn();
  expect(pool.waiting).toBe(0);
  await pool.workers[0]!.terminate();
  const later = pool.verify(someChecks(24).checks, 'local').then(() => order.push('local'));
  await Promise.all([inHand, later]);
  expect(order).toEqual(['local', 'public']);
});

test('checks that take every thread down with them are given up after two', async () => {
  pool = new VerifierPool(log, 1);
  const verifying = pool.verify(someChecks(1).checks, 'local');
  const givenUp = expect(verifying).rejects.toThrow('verifier threads failed');
  await nextTurn();
  await pool.workers[0]!.terminate();
  await expect.poll(() => pool!.workers.length, { interval: 1 }).toBe(1);
  await pool.workers[0]!.terminate();
  await givenUp;
});

test('one of two threads dies again and again: nothing waits for ever', async () => {
  pool = new VerifierPool(log, 2);
  const { checks, verdicts } = someChecks(600);
  for (let round = 0; round < 5; round += 1) {
    const verifying = pool.verify(checks, 'local');
    await nextTurn();
    await pool.workers[0]?.terminate();
    expect([...(await verifying).verdicts]).toEqual(verdicts);
  }
});

import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { CheckedLane, someChecks } from '../../../../test/support/lanes.ts';
import { MAX_RAW_BYTES } from '../../../shared/protocol/limits.ts';
import { SimulatedDevice } from '../../../simulator/device.ts';
import type { SignatureCheck } from '../reading.ts';
import { Fate } from './packed-blocks.ts';
import { Verifiers } from './verifiers.ts';

const log = pino({ level: 'silent' });
let verifiers: Verifiers;
afterEach(() => verifiers.close());

function started(threads: number, ...lanes: CheckedLane[]): Verifiers {
  verifiers = new Verifiers(log, { least: threads, most: threads });
  for (const lane of lanes) verifiers.add(lane);
  return verifiers;
}

describe('Verifiers', () => {
  it('distinguish good signatures from bad ones, in place', async () => {
    const lane = new CheckedLane();
    const { checks, fates } = someChecks(90);
    lane.putAll(checks, 20, started(2, lane));
    expect(await lane.fates()).toEqual(fates);
  });

  it('refuse a signature for another message or another key', async () => {
    const lane = new CheckedLane();
    const [, first, second] = someChecks(3).checks as [SignatureCheck, SignatureCheck, SignatureCheck];
    const publicKey = Buffer.from(new SimulatedDevice().id, 'hex');
    lane.putAll([first, { ...first, message: second.message }, { ...first, publicKey }, second], 4, started(1, lane));
    expect(await lane.fates()).toEqual([Fate.GOOD, Fate.BAD_SIGNATURE, Fate.BAD_SIGNATURE, Fate.GOOD]);
  });

  it('check an empty message', async () => {
    const lane = new CheckedLane();
    const device = new SimulatedDevice();
    const signature = Buffer.from(device.sign(new Uint8Array())).toString('hex');
    lane.putAll([{ publicKey: Buffer.from(device.id, 'hex'), message: '', signature }], 1, started(1, lane));
    expect(await lane.fates()).toEqual([Fate.GOOD]);
  });

  it('tell good signatures from bad ones outside the lanes, for few blocks and for many long ones', async () => {
    const { checks, fates } = someChecks(90);
    const areGood = fates.map((fate) => fate === Fate.GOOD);
    const device = new SimulatedDevice();
    const raw = Buffer.alloc(MAX_RAW_BYTES, 'x');
    const long: SignatureCheck = {
      publicKey: Buffer.from(device.id, 'hex'),
      message: raw.toString('hex'),
      signature: Buffer.from(device.sign(raw)).toString('hex'),
    };
    started(2);
    expect(await verifiers.check(checks)).toEqual(areGood);
    const mixed = checks.flatMap((check) => [check, long]);
    const asked = await Promise.all([verifiers.check(mixed), verifiers.check([]), verifiers.check(checks.slice(0, 1))]);
    expect(asked).toEqual([areGood.flatMap((isGood) => [isGood, true]), [], areGood.slice(0, 1)]);
  });

  it('skip blocks with a known outcome', async () => {
    const lane = new CheckedLane();
    const [bad, good] = someChecks(2).checks as [SignatureCheck, SignatureCheck];
    const ticket = lane.put([bad, good]);
    lane.memory.chunk(ticket).blocks.setFate(0, Fate.GOOD);
    started(1, lane).wake(1);
    expect(await lane.fates()).toEqual([Fate.GOOD, Fate.GOOD]);
  });

  it('find chunks from before their start, and later lanes', async () => {
    const [before, later] = [new CheckedLane(), new CheckedLane()];
    const { checks, fates } = someChecks(10);
    for (const lane of [before, later]) lane.put(checks);
    started(2, before);
    expect(await before.fates()).toEqual(fates);
    verifiers.add(later);
    expect(await later.fates()).toEqual(fates);
  });

  it('start threads only while there is more work than idle threads', async () => {
    const lane = new CheckedLane();
    verifiers = new Verifiers(log, { least: 0, most: 3 });
    verifiers.add(lane);
    expect(verifiers.workers).toEqual([]);
    const { checks, fates } = someChecks(20);
    for (const half of [checks.slice(0, 10), checks.slice(10)]) {
      lane.putAll(half, 10, verifiers);
      await lane.fates();
      await expect.poll(() => verifiers.idle).toBe(1);
      expect(verifiers.workers).toHaveLength(1);
    }
    expect(await lane.fates()).toEqual(fates);
    for (let round = 0; round < 5; round += 1) lane.putAll(checks, 2, verifiers);
    expect(verifiers.workers).toHaveLength(3);
    expect((await lane.fates()).slice(20)).toEqual(Array.from({ length: 5 }, () => fates).flat());
  });

  it('start another thread for checks outside the lanes when every thread has some', async () => {
    verifiers = new Verifiers(log, { least: 1, most: 2 });
    const { checks, fates } = someChecks(100);
    expect(await verifiers.check(checks)).toEqual(fates.map((fate) => fate === Fate.GOOD));
    expect(verifiers.workers).toHaveLength(2);
  });

  it('check a lone signature outside the lanes without a thread', async () => {
    const { checks, fates } = someChecks(2);
    for (const [at, check] of checks.entries()) {
      started(0);
      expect(await verifiers.check([check])).toEqual([fates[at] === Fate.GOOD]);
      expect(verifiers.workers).toEqual([]);
    }
  });

  it('check the chunks of the first lane before those of the second', async () => {
    const [first, second] = [new CheckedLane(), new CheckedLane()];
    const { checks } = someChecks(24);
    started(1, first, second);
    for (let chunk = 0; chunk < 60; chunk += 1) second.put(checks);
    verifiers.wake(1);
    await expect.poll(() => second.checked, { timeout: 25_000, interval: 1 }).toBeGreaterThan(0);
    first.put(checks);
    verifiers.wake(1);
    await expect.poll(() => first.checked, { timeout: 25_000, interval: 1 }).toBe(1);
    expect(second.checked).toBeLessThan(60);
    await second.fates();
  });
});

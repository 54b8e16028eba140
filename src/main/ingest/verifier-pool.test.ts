import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { SimulatedDevice } from '../../simulator/device.ts';
import { isGood } from './packed-check.ts';
import type { SignatureCheck } from './signature-packing.ts';
import { VerifierPool } from './verifier-pool.ts';

const log = pino({ level: 'silent' });
let pool: VerifierPool;

afterEach(() => pool.close());

function checksOf(device: SimulatedDevice, count: number): SignatureCheck[] {
  return Array.from({ length: count }, (_, seq) => {
    const { signature, raw } = device.block({ seq, timestamp: 1_700_000_000_000 + seq, plain: { ph: 6.2 } });
    return { publicKey: Buffer.from(device.id, 'hex'), signature, message: raw };
  });
}

const flipFirstBit = (hex: string) => (Number.parseInt(hex[0]!, 16) ^ 8).toString(16) + hex.slice(1);

describe('VerifierPool', () => {
  it('tells good signatures from bad ones, in the order asked', async () => {
    pool = new VerifierPool(log, 2);
    const checks = checksOf(new SimulatedDevice(), 90);
    const asked = checks.map((check, index) =>
      index % 3 === 0 ? { ...check, signature: flipFirstBit(check.signature) } : check,
    );
    const { verdicts } = await pool.verify(asked, 'local');
    expect([...verdicts]).toEqual(asked.map((_, index) => (index % 3 === 0 ? 0 : 1)));
  });

  it('does not take a signature that was good for another message or another key', async () => {
    pool = new VerifierPool(log, 1);
    const [first, second] = checksOf(new SimulatedDevice(), 2) as [SignatureCheck, SignatureCheck];
    const other = Buffer.from(new SimulatedDevice().id, 'hex');
    const verified = await pool.verify([first, first], 'local');
    expect([...verified.verdicts]).toEqual([1, 1]);
    verified.remember(1);
    const again = [first, { ...first, message: second.message }, { ...first, publicKey: other }];
    expect([...(await pool.verify(again, 'local')).verdicts]).toEqual([1, 0, 0]);
  });

  it('answers an empty message and a signature of another length', async () => {
    pool = new VerifierPool(log, 1);
    const device = new SimulatedDevice();
    const publicKey = Buffer.from(device.id, 'hex');
    const empty = { publicKey, message: '', signature: Buffer.from(device.sign(new Uint8Array())).toString('hex') };
    expect([...(await pool.verify([empty, { ...empty, signature: 'ab' }], 'public')).verdicts]).toEqual([1, 0]);
  });

  it('packs a lone check for another thread, unless it is known what comes of it', async () => {
    pool = new VerifierPool(log, 1);
    const [check, other] = checksOf(new SimulatedDevice(), 2) as [SignatureCheck, SignatureCheck];
    const bad = { ...check, signature: flipFirstBit(check.signature) };
    const carried = [check, { ...check, message: other.message }, bad].map((each) => pool.carry(each)!);
    expect(carried.map(({ packed }) => isGood(packed))).toEqual([true, false, false]);
    expect(carried.map(({ packed }) => packed.buffer.byteLength - packed.byteLength)).toEqual([0, 0, 0]);
    expect(pool.carry({ ...check, signature: 'ab' })).toBeNull();
    carried[0]!.remember();
    expect(pool.carry(check)).toBeNull();
    expect([...(await pool.verify([check, bad], 'local')).verdicts]).toEqual([1, 0]);
  });

  it('finishes what a dying thread had in hand on another one', async () => {
    pool = new VerifierPool(log, 2);
    const device = new SimulatedDevice();
    const batches = Array.from({ length: 20 }, (_, batch) =>
      checksOf(device, 50).map((check, index) =>
        (batch + index) % 2 ? check : { ...check, message: `${check.message}00` },
      ),
    );
    const pending = Promise.all(batches.map((checks) => pool.verify(checks, 'public')));
    await new Promise(setImmediate);
    await pool.workers[0]!.terminate();
    for (const [batch, { verdicts }] of (await pending).entries()) {
      expect([...verdicts]).toEqual(Array.from({ length: 50 }, (_, index) => (batch + index) % 2));
    }
  });

  it('verifies local signatures before public ones that wait', async () => {
    pool = new VerifierPool(log, 1);
    const order: string[] = [];
    const flood = checksOf(new SimulatedDevice(), 2000);
    const local = checksOf(new SimulatedDevice(), 10);
    await Promise.all([
      pool.verify(flood, 'public').then(() => order.push('public')),
      pool.verify(local, 'local').then(() => order.push('local')),
    ]);
    expect(order).toEqual(['local', 'public']);
  });
});

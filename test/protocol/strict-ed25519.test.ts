import { randomBytes } from 'node:crypto';
import { Point } from '@noble/ed25519';
import { describe, expect, test } from 'vitest';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, handWritten, postBlocks, readingsOf, register, registeredDevice } from '../support/client.ts';
import {
  challenge,
  fromLittleEndian,
  L,
  littleEndian,
  NON_CANONICAL,
  SMALL_ORDER,
  scalarOf,
} from '../support/ed25519-edges.ts';
import { ENDPOINTS, runningNode } from '../support/node-process.ts';

const node = runningNode();

/** A block whose signature is put in by hand. */
function blockWith(deviceId: string, seq: number, raw: Buffer, signature: Buffer) {
  return {
    deviceId,
    seq: String(seq),
    timestamp: '5',
    keyVersion: 0,
    raw: raw.toString('hex'),
    signature: signature.toString('hex'),
  };
}

/**
 * Blocks under a key of order n dividing 8, signed by nobody: R = S·B for any S satisfies S·B = R + h·A wherever h is a
 * multiple of 8. A verifier that does not refuse the key itself takes every one of them.
 */
function forgeries(key: string, count: number) {
  const blocks = [];
  for (let seq = 0; blocks.length < count; seq += 1) {
    const raw = Buffer.from(`${key}|${seq}|5|0`);
    const s = fromLittleEndian(randomBytes(31)) + 1n;
    const r = Point.BASE.multiply(s).toBytes();
    if (challenge(r, Buffer.from(key, 'hex'), raw) % 8n !== 0n) continue;
    blocks.push(blockWith(key, seq, raw, Buffer.concat([r, littleEndian(s)])));
  }
  return blocks;
}

/** The same with S = 0 and R of small order, which a verifier may let pass even where it refuses other things. */
function emptySignatures(key: string) {
  return SMALL_ORDER.map((r, seq) => {
    const raw = Buffer.from(`${key}|${seq}|5|0`);
    return blockWith(key, seq, raw, Buffer.concat([Buffer.from(r, 'hex'), Buffer.alloc(32)]));
  });
}

describe.each(ENDPOINTS)('Ed25519 as libsodium checks it, %s endpoint', (endpoint) => {
  const url = () => node.url(endpoint);

  test.each(SMALL_ORDER)('the small-order key %s registers and never verifies', async (key) => {
    expect(Point.fromHex(key).multiplyUnsafe(8n).is0(), 'the key is of small order').toBe(true);
    expect((await register(url(), new SimulatedDevice().registration({ id: key }))).status).toBe(201);
    const blocks = [...forgeries(key, 6), ...emptySignatures(key)];
    const result = await postBlocks(url(), blocks);
    expect(result.accepted).toBe(0);
    for (const { error } of result.errors) expect(error).toBe(`Invalid signature for device ${key}`);
    expect(result.errors).toHaveLength(blocks.length);
    expect(await readingsOf(url(), key)).toEqual([]);
  });

  test.each(NON_CANONICAL)('the non-canonical key %s registers and never verifies', async (key) => {
    expect((await register(url(), new SimulatedDevice().registration({ id: key }))).status).toBe(201);
    const result = await postBlocks(url(), [...forgeries(key, 6), ...emptySignatures(key)]);
    expect(result.accepted).toBe(0);
    expect(await readingsOf(url(), key)).toEqual([]);
  });

  test('a key that is no point of the curve registers and never verifies', async () => {
    const key = `02${'00'.repeat(31)}`;
    expect(() => Point.fromHex(key)).toThrow();
    expect((await register(url(), new SimulatedDevice().registration({ id: key }))).status).toBe(201);
    const signer = new SimulatedDevice();
    const block = handWritten(signer, { raw: `${key}|1|5|0`, json: { deviceId: key, timestamp: '5' } });
    const result = await postBlocks(url(), [block]);
    expect(result.errors).toEqual([{ seq: '1', error: `Invalid signature for device ${key}` }]);
  });

  test('S at or above the group order is refused', async () => {
    const device = await registeredDevice(url());
    const block = handWritten(device);
    const signature = Buffer.from(block.signature, 'hex');
    const s = fromLittleEndian(signature.subarray(32));
    for (let multiple = 1n; s + multiple * L < 2n ** 256n; multiple += 1n) {
      const shifted = Buffer.concat([signature.subarray(0, 32), littleEndian(s + multiple * L)]);
      const result = await postBlocks(url(), [{ ...block, signature: shifted.toString('hex') }]);
      expect(result.errors[0]!.error).toBe(`Invalid signature for device ${device.id}`);
    }
    expect(await readingsOf(url(), device.id)).toEqual([]);
    await accept(url(), block);
  });

  test.each(SMALL_ORDER)('R = %s is refused even from the holder of the key', async (r) => {
    const device = await registeredDevice(url());
    const raw = Buffer.from(`${device.id}|1|5|0`);
    // With S = h·a the equation holds exactly for R = 0, and up to the cofactor for the others.
    const s = (challenge(Buffer.from(r, 'hex'), Buffer.from(device.id, 'hex'), raw) * scalarOf(device.seed)) % L;
    const signature = Buffer.concat([Buffer.from(r, 'hex'), littleEndian(s)]);
    const result = await postBlocks(url(), [blockWith(device.id, 1, raw, signature)]);
    expect(result.errors).toEqual([{ seq: '1', error: `Invalid signature for device ${device.id}` }]);
    expect(await readingsOf(url(), device.id)).toEqual([]);
  });
});

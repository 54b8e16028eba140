import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { FieldName } from '../../src/shared/protocol/fields.ts';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, handWritten, postBlocks, readingsOf, refuse, registeredDevice } from '../support/client.ts';
import { ENDPOINTS, runningNode } from '../support/node-process.ts';
import { runs } from '../support/thorough.ts';

const node = runningNode();
const RUNS = runs(40, 400);
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

/** The fields of the firmware with the decimals that it writes. */
const DECIMALS = {
  ec: 0,
  ph: 2,
  waterLevel: 0,
  tempWater: 2,
  tempAmbient: 2,
  humidity: 2,
} as const satisfies Partial<Record<FieldName, number>>;
const NAMES = Object.keys(DECIMALS) as (keyof typeof DECIMALS)[];

const values = fc.record({
  ec: fc.double({ min: 0, max: 5000, noNaN: true }),
  ph: fc.double({ min: 0, max: 14, noNaN: true }),
  waterLevel: fc.double({ min: 0, max: 4000, noNaN: true }),
  tempWater: fc.double({ min: -20, max: 60, noNaN: true }),
  tempAmbient: fc.double({ min: -40, max: 80, noNaN: true }),
  humidity: fc.double({ min: 0, max: 100, noNaN: true }),
});
const content = fc.record({ seq: uint64, timestamp: uint64, plain: values });

/** Returns the hex with one bit of its bytes flipped. */
function flipped(hex: string, bit: number): string {
  const bytes = Buffer.from(hex, 'hex');
  bytes[bit >> 3]! ^= 1 << (bit & 7);
  return bytes.toString('hex');
}

describe.each(ENDPOINTS)('a valid block of the raw grammar, changed on its way, %s endpoint', (endpoint) => {
  const url = () => node.url(endpoint);
  let device: SimulatedDevice;

  beforeAll(async () => {
    device = await registeredDevice(url());
  });

  test('without a change it is stored', async () => {
    const proof = await registeredDevice(url());
    await fc.assert(
      fc.asyncProperty(content, async (block) => accept(url(), proof.block(block))),
      runs(15),
    );
    expect((await readingsOf(url(), proof.id)).length).toBeGreaterThan(0);
  });

  test('any bit of the signature', async () => {
    await fc.assert(
      fc.asyncProperty(content, fc.nat({ max: 511 }), async (input, bit) => {
        const block = device.block(input);
        const error = await refuse(url(), { ...block, signature: flipped(block.signature, bit) });
        expect(error).toBe(`Invalid signature for device ${device.id}`);
      }),
      RUNS,
    );
    expect(await readingsOf(url(), device.id)).toEqual([]);
  });

  test('any bit of raw', async () => {
    await fc.assert(
      fc.asyncProperty(content, fc.nat(), async (input, anyBit) => {
        const block = device.block(input);
        const error = await refuse(url(), { ...block, raw: flipped(block.raw, anyBit % (block.raw.length * 4)) });
        expect(error).toBe(`Invalid signature for device ${device.id}`);
      }),
      RUNS,
    );
    expect(await readingsOf(url(), device.id)).toEqual([]);
  });

  test('every bit of one signature', async () => {
    const block = device.block({ seq: 5, timestamp: 5, plain: { ph: 6.2 } });
    for (let first = 0; first < 512; first += 64) {
      const blocks = Array.from({ length: 64 }, (_, index) => ({
        ...block,
        signature: flipped(block.signature, first + index),
      }));
      expect(await postBlocks(url(), blocks)).toMatchObject({ accepted: 0 });
    }
    expect(await readingsOf(url(), device.id)).toEqual([]);
  });

  test.each(['seq', 'timestamp'] as const)('another %s', async (name) => {
    await fc.assert(
      fc.asyncProperty(content, uint64, async (input, other) => {
        fc.pre(other !== input[name]);
        const error = await refuse(url(), { ...device.block(input), [name]: String(other) });
        expect(error).toBe(`Raw/JSON mismatch for device ${device.id}`);
      }),
      RUNS,
    );
    expect(await readingsOf(url(), device.id)).toEqual([]);
  });

  test('another key version', async () => {
    await fc.assert(
      fc.asyncProperty(content, fc.integer({ min: 1, max: 2 ** 32 - 1 }), async (input, keyVersion) => {
        const error = await refuse(url(), { ...device.block(input), keyVersion });
        expect(error).toBe(`Raw/JSON mismatch for device ${device.id}`);
      }),
      RUNS,
    );
    expect(await readingsOf(url(), device.id)).toEqual([]);
  });

  test('a plain value beyond the rounding of raw', async () => {
    const beyond = fc.double({ min: 1e-3, max: 1e6, noNaN: true });
    await fc.assert(
      fc.asyncProperty(content, fc.constantFrom(...NAMES), beyond, fc.boolean(), async (input, name, excess, up) => {
        const block = device.block(input);
        const signed = Number(new RegExp(`\\|${name}= *([^|]*)`).exec(Buffer.from(block.raw, 'hex').toString())![1]);
        const distance = 10 ** -DECIMALS[name] * (0.5 + excess);
        const error = await refuse(url(), { ...block, [name]: { plain: signed + (up ? distance : -distance) } });
        expect(error).toBe(`Raw/JSON mismatch for device ${device.id}`);
      }),
      RUNS,
    );
    expect(await readingsOf(url(), device.id)).toEqual([]);
  });

  test('a plain value taken away, or put in', async () => {
    await fc.assert(
      fc.asyncProperty(content, fc.constantFrom(...NAMES), async (input, name) => {
        const { [name]: _taken, ...rest } = device.block(input);
        expect(await refuse(url(), rest)).toBe(`Raw/JSON mismatch for device ${device.id}`);
        const { [name]: value, ...others } = input.plain;
        const lacking = device.block({ ...input, plain: others });
        expect(await refuse(url(), { ...lacking, [name]: { plain: value } })).toBe(
          `Raw/JSON mismatch for device ${device.id}`,
        );
      }),
      RUNS,
    );
    expect(await readingsOf(url(), device.id)).toEqual([]);
  });

  test('another device', async () => {
    const other = await registeredDevice(url());
    await fc.assert(
      fc.asyncProperty(content, async (input) => {
        const error = await refuse(url(), { ...device.block(input), deviceId: other.id });
        expect(error).toBe(`Invalid signature for device ${other.id}`);
      }),
      runs(20),
    );
    expect(await readingsOf(url(), other.id)).toEqual([]);
  });

  test('only the header binds seq, timestamp and key version', async () => {
    await fc.assert(
      fc.asyncProperty(uint64, uint64, uint64, async (seq, timestamp, other) => {
        fc.pre(other !== seq && other !== timestamp);
        for (const json of [{ seq: String(other) }, { timestamp: String(other) }, { keyVersion: 1 }]) {
          expect(await refuse(url(), handWritten(device, { seq, timestamp, json }))).toBe(
            `Raw/JSON mismatch for device ${device.id}`,
          );
        }
      }),
      runs(20),
    );
    expect(await readingsOf(url(), device.id)).toEqual([]);
  });
});

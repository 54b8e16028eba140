import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FieldName } from '../../src/shared/protocol/fields.ts';
import { accept, handWritten, readingsOf, registeredDevice } from '../support/client.ts';
import { send } from '../support/http.ts';
import { ENDPOINTS, runningNode } from '../support/node-process.ts';
import { runs } from '../support/thorough.ts';

const node = runningNode();

/** The fields in the firmware's order, the range that its sensors reach, and the decimals that it writes. */
const FIRMWARE: readonly (readonly [FieldName, number, number, number])[] = [
  ['ec', 0, 0, 5000],
  ['ph', 2, 0, 14],
  ['waterLevel', 0, 0, 4000],
  ['tempWater', 2, -20, 60],
  ['tempAmbient', 2, -40, 80],
  ['humidity', 2, 0, 100],
];
const NAMES = FIRMWARE.map(([name]) => name);

/** A 32-bit float within the range, and at times one of the values that print in an odd way. */
const float = (min: number, max: number) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.float({ min: Math.fround(min), max: Math.fround(max), noNaN: true }) },
    { weight: 1, arbitrary: fc.constantFrom(0, min, max, Math.fround(0.005), Math.fround(9.5), Math.fround(9.995)) },
    { weight: 1, arbitrary: fc.integer({ min: Math.ceil(min), max: Math.floor(max) }) },
  );

/** Some of the fields; a sensor that is not fitted is left out. */
const values = fc.record(
  Object.fromEntries(FIRMWARE.map(([name, , min, max]) => [name, float(min, max)])) as Record<
    FieldName,
    fc.Arbitrary<number>
  >,
  { requiredKeys: [] },
);

/** Writes the tail of raw as the firmware's `String(value, decimals)` does, apart from the simulator's code. */
function firmwareTail(plain: Partial<Record<FieldName, number>>): string {
  let tail = '';
  for (const [name, decimals] of FIRMWARE) {
    const value = plain[name];
    if (value !== undefined) tail += `|${name}=${value.toFixed(decimals).padStart(decimals === 0 ? 2 : 0, ' ')}`;
  }
  return tail;
}

describe.each(ENDPOINTS)('blocks as the firmware pads and rounds them, %s endpoint', (endpoint) => {
  const url = () => node.url(endpoint);

  test('are accepted, and the signed number is stored', async () => {
    const device = await registeredDevice(url());
    let seq = 0n;
    await fc.assert(
      fc.asyncProperty(values, fc.nat({ max: 3 }), async (drawn, keyVersion) => {
        seq += 1n;
        const plain = Object.fromEntries(Object.entries(drawn).map(([name, value]) => [name, Math.fround(value)]));
        const tail = firmwareTail(plain);
        const json = Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, { plain: value }]));
        await accept(url(), handWritten(device, { seq, timestamp: seq, keyVersion, tail, json }));
        const reading = (await readingsOf(url(), device.id))[0]!;
        expect(reading.seq).toBe(seq);
        for (const name of NAMES) {
          const signed = new RegExp(`\\|${name}= *([^|]*)`).exec(tail)?.[1];
          // Adding 0 makes -0 the 0 that it is.
          expect(reading[name], tail).toEqual(signed === undefined ? null : { value: Number(signed) + 0 });
        }
      }),
      runs(40, 400),
    );
  });

  test('match the simulated device’s blocks', async () => {
    const device = await registeredDevice(url());
    let seq = 0;
    await fc.assert(
      fc.asyncProperty(values, async (plain) => {
        seq += 1;
        const block = device.block({ seq, timestamp: seq, plain: plain as Partial<Record<FieldName, number>> });
        const floats = Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, Math.fround(value)]));
        const signed = Buffer.from(block.raw, 'hex').toString();
        expect(signed).toBe(`${device.id}|${seq}|${seq}|0${firmwareTail(floats)}`);
        await accept(url(), block);
      }),
      runs(40, 400),
    );
  });

  test('seq and timestamp are returned exactly, for any uint64', async () => {
    const device = await registeredDevice(url());
    const uint64 = fc.oneof(
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      fc.bigInt({ min: 2n ** 53n - 2n, max: 2n ** 53n + 9n }),
      fc.bigInt({ min: 2n ** 63n - 9n, max: 2n ** 63n + 9n }),
      fc.bigInt({ min: 2n ** 64n - 9n, max: 2n ** 64n - 1n }),
      fc.bigInt({ min: 0n, max: 9n }),
    );
    const sent = new Map<bigint, bigint>();
    await fc.assert(
      fc.asyncProperty(uint64, uint64, async (seq, timestamp) => {
        await accept(url(), handWritten(device, { seq, timestamp }));
        if (!sent.has(seq)) sent.set(seq, timestamp);
      }),
      runs(40, 400),
    );
    const readings = await readingsOf(url(), device.id);
    expect(new Map(readings.map(({ seq, timestamp }) => [seq, timestamp]))).toEqual(sent);
    const { text } = await send(`${url()}/v1/devices/${device.id}/telemetry`);
    for (const [seq, timestamp] of sent) {
      expect(text).toMatch(new RegExp(`"seq":\\s*${seq},\\s*"timestamp":\\s*${timestamp},`));
    }
    const order = readings.map(({ timestamp, seq }) => timestamp * 2n ** 64n + seq);
    expect(order).toEqual(order.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)));
  });

  test('location is returned exactly, for any uint64', async () => {
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), async (location) => {
        const device = await registeredDevice(url(), { location });
        const { text } = await send(`${url()}/v1/devices/${device.id}`);
        expect(text).toMatch(new RegExp(`"location":\\s*${location}[,}]`));
      }),
      runs(20),
    );
  });
});

import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Store } from '../../../src/main/store/port.ts';
import type { StoredField } from '../../../src/main/store/reading.ts';
import { deviceRegistration } from '../../../src/shared/protocol/device.ts';
import { MAX_UINT64 } from '../../../src/shared/protocol/uint64.ts';
import { SimulatedDevice } from '../../../src/simulator/device.ts';
import { newReading } from '../../support/readings.ts';
import { ask, kinds, type OpenStores, REGISTERED_AT, type StoresUnderTest } from './stores-under-test.ts';

const SPAN = { axis: 'timestamp', from: 0n, to: MAX_UINT64 } as const;
const START = 1_760_000_000_000n;

/** The contract of kept signatures. */
export function signedContract(open: OpenStores): void {
  let stores: StoresUnderTest;
  let store: Store;
  let device: SimulatedDevice;
  beforeEach(async () => {
    stores = await open();
    store = stores.store('private');
    device = new SimulatedDevice();
    await store.register(deviceRegistration.parse(device.registration({})), REGISTERED_AT);
  });
  afterEach(() => stores.dispose());

  const readings = () => ask(stores, (view) => view.page(device.id, SPAN, null, 1000, { withSigned: true }));
  const headerOf = (seq: bigint) => `${device.id}|${seq}|${START + seq}|0`;

  function block(seq: bigint, message: string, fields: readonly StoredField[], keepsSigned = true) {
    const { deviceId, signed, ...reading } = newReading(device.id, {
      ...{ seq, timestamp: START + seq, receivedAt: 1, fields },
    });
    const signature = Buffer.from(device.sign(Buffer.from(message, 'latin1'))).toString('hex');
    return {
      check: {
        publicKey: Buffer.from(device.id, 'hex'),
        signature,
        message: Buffer.from(message, 'latin1').toString('hex'),
      },
      reading: { ...reading, seq: String(seq), timestamp: String(START + seq), clock: 0, keepsSigned },
    };
  }

  it('returns the signed bytes and the signature of every reading, in any composition', async () => {
    const values = fc.array(fc.option(fc.integer({ min: -999_999, max: 999_999 }).map((value) => value / 100)), {
      ...{ minLength: 6, maxLength: 6 },
    });
    const tails = fc.oneof(
      values.map((list) => ({ list, tail: firmwareTail(list) })),
      values.map((list) => ({ list, tail: '' })),
      fc.tuple(values, fc.string({ maxLength: 40 })).map(([list, tail]) => ({ list, tail: `|${latin1(tail)}` })),
    );
    let seq = 0n;
    await fc.assert(
      fc.asyncProperty(fc.array(tails, { minLength: 1, maxLength: 20 }), async (sent) => {
        const blocks = sent.map(({ list, tail }) => {
          seq += 1n;
          return block(seq, headerOf(seq) + tail, list);
        });
        expect(new Set(kinds(await store.ingest(blocks)))).toEqual(new Set(['stored']));
        const kept = new Map((await readings()).map((reading) => [String(reading.seq), reading.signed!]));
        for (const { check, reading } of blocks) {
          const signed = kept.get(reading.seq)!;
          expect(Buffer.from(signed.raw).toString('hex')).toBe(check.message);
          expect(Buffer.from(signed.signature).toString('hex')).toBe(check.signature);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('stores no signature if it keeps no signatures, and returns none that was not requested', async () => {
    await store.ingest([block(1n, headerOf(1n), [6.2], false), block(2n, headerOf(2n), [6.2])]);
    expect((await readings()).map(({ signed }) => signed === null)).toEqual([true, false]);
    const plain = await ask(stores, (view) => view.page(device.id, SPAN, null, 10));
    expect(plain.map((reading) => 'signed' in reading)).toEqual([false, false]);
  });

  it('keeps the signature of the reading that came first', async () => {
    const [first, again] = [block(1n, headerOf(1n), [6]), block(1n, `${headerOf(1n)}|other`, [6])];
    await store.ingest([first]);
    await store.ingest([again]);
    expect(Buffer.from((await readings())[0]!.signed!.signature).toString('hex')).toBe(first.check.signature);
  });

  it('keeps the signed bytes when the time of arrival is moved', async () => {
    const sent = block(1n, `${headerOf(1n)}|ph=6.20`, [6.2]);
    await store.ingest([{ ...sent, reading: { ...sent.reading, receivedAt: 5000, clock: 7 } }]);
    await store.moveArrivals({ clock: 7, next: 8, by: 1000, from: 0, to: 9000, at: 9000 }, null, 10);
    const [reading] = await readings();
    expect(reading).toMatchObject({ receivedAt: 6000 });
    expect(Buffer.from(reading!.signed!.raw).toString('latin1')).toBe(`${headerOf(1n)}|ph=6.20`);
  });
}

/** The values as the firmware signs them, in its order and with its decimals. */
function firmwareTail(values: readonly (number | null)[]): string {
  const [ph, ec, waterLevel, tempWater, tempAmbient, humidity] = values;
  const parts = [
    ['ec', ec, 0],
    ['ph', ph, 2],
    ['waterLevel', waterLevel, 0],
    ['tempWater', tempWater, 2],
    ['tempAmbient', tempAmbient, 2],
    ['humidity', humidity, 2],
  ] as const;
  return parts
    .filter(([, value]) => value !== null)
    .map(([name, value, decimals]) => `|${name}=${value!.toFixed(decimals).padStart(2)}`)
    .join('');
}

const latin1 = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

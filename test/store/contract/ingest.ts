import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store, StoreBounds } from '../../../src/main/store/port.ts';
import type { BlockOutcome, NewBlock, StoredField } from '../../../src/main/store/reading.ts';
import { deviceRegistration } from '../../../src/shared/protocol/device.ts';
import { SimulatedDevice } from '../../../src/simulator/device.ts';
import { newReading } from '../../support/readings.ts';
import { kinds, type OpenStores, REGISTERED_AT, type StoresUnderTest } from './stores-under-test.ts';

const START = 1_760_000_000_000;
/** Room for some batches of large readings. */
const SMALL: StoreBounds = { maxDevices: 10, maxBytes: 600_000, minFreeBytes: 0, minFreePart: 0 };

/** A signed block of a device; `value` is what its first field holds. */
function block(device: SimulatedDevice, seq: bigint, value: StoredField = 1): NewBlock {
  const message = Buffer.from(`${device.id}|${seq}|${value}`);
  const { deviceId: _id, ...reading } = newReading(device.id, {
    ...{ seq, timestamp: BigInt(START) + seq, receivedAt: START, fields: [value] },
  });
  return {
    check: {
      publicKey: Buffer.from(device.id, 'hex'),
      signature: Buffer.from(device.sign(message)).toString('hex'),
      message: message.toString('hex'),
    },
    reading: { ...reading, seq: String(seq), timestamp: String(reading.timestamp), clock: 0, keepsSigned: true },
  };
}

function forged(sent: NewBlock): NewBlock {
  const { signature } = sent.check;
  const first = signature.startsWith('0') ? '1' : '0';
  return { ...sent, check: { ...sent.check, signature: first + signature.slice(1) } };
}

const blocks = (device: SimulatedDevice, count: number, from = 0, value: StoredField = 1) =>
  Array.from({ length: count }, (_, index) => block(device, BigInt(from + index), value));

/** The contract of blocks that were received by a wrong clock. */
export function movedBlocksContract(open: OpenStores): void {
  it('moves a reading whose clock was found to be wrong meanwhile', async () => {
    const stores = await open();
    try {
      const store = stores.store('private');
      const device = new SimulatedDevice();
      await store.register(deviceRegistration.parse(device.registration({})), REGISTERED_AT);
      const by = 3_600_000;
      await store.moveArrivals({ clock: 7, next: 8, by, from: START, to: START + 1000, at: START + by }, null, 10);
      const sent = block(device, 1n);
      const outcome = await store.ingest([{ ...sent, reading: { ...sent.reading!, clock: 7 } }]);
      expect(outcome).toEqual([{ kind: 'stored', receivedAt: START + by }]);
      expect((await store.latest(device.id, 1))[0]!.receivedAt).toBe(START + by);
    } finally {
      await stores.dispose();
    }
  });
}

/** The contract of blocks. `openBreakable` opens stores whose answers can be lost. */
export function ingestContract(open: OpenStores, openBreakable = open): void {
  let stores: StoresUnderTest;
  let store: Store;
  let device: SimulatedDevice;
  const begin = async (opened: Promise<StoresUnderTest>) => {
    stores = await opened;
    store = stores.store('private');
    device = new SimulatedDevice();
    for (const name of ['private', 'public'] as const) {
      await stores.store(name).register(deviceRegistration.parse(device.registration({})), REGISTERED_AT);
    }
  };
  beforeEach(() => begin(open(SMALL)));
  afterEach(() => stores.dispose());

  /** The first field of each reading that is stored, by seq. */
  const held = async (of = store): Promise<Map<bigint, StoredField>> =>
    new Map((await of.latest(device.id, 5000)).map(({ seq, fields }) => [seq, Object.values(fields)[0]!]));

  it('resolves with one outcome per block, in their order', async () => {
    const stranger = new SimulatedDevice();
    const sent = [
      block(device, 1n),
      forged(block(device, 2n)),
      block(stranger, 3n),
      { ...block(device, 4n), reading: null },
      block(device, 5n),
      { ...forged(block(device, 6n)), reading: null },
      block(device, 1n),
    ];
    expect(kinds(await store.ingest(sent))).toEqual([
      ...['stored', 'bad_signature', 'unknown_device', 'signed', 'stored', 'bad_signature', 'duplicate'],
    ]);
    expect([...(await held()).keys()].sort()).toEqual([1n, 5n]);
    expect(await store.ingest([])).toEqual([]);
  });

  it('returns the stored time of arrival', async () => {
    expect(await store.ingest([block(device, 1n)])).toEqual([{ kind: 'stored', receivedAt: START }]);
  });

  it('keeps the first of the readings of one seq within a batch', async () => {
    const sent = [block(device, 1n, 1), block(device, 2n, 1), block(device, 1n, 2), block(device, 2n, 3)];
    expect(kinds(await store.ingest(sent))).toEqual(['stored', 'stored', 'duplicate', 'duplicate']);
    expect(await held()).toEqual(new Map([1n, 2n].map((seq) => [seq, 1])));
  });

  it('keeps the order of calls, for any number of blocks', async () => {
    const calls = [
      blocks(device, 150, 0, 1),
      blocks(device, 1, 149, 2),
      blocks(device, 200, 0, 3),
      blocks(device, 1, 0, 4),
    ];
    const outcomes = (await Promise.all(calls.map((call) => store.ingest(call)))).map(kinds);
    const [first, second, third, fourth] = outcomes;
    expect(new Set(first)).toEqual(new Set(['stored']));
    expect([second, fourth]).toEqual([['duplicate'], ['duplicate']]);
    expect(third!.map((kind) => kind === 'stored')).toEqual(third!.map((_, index) => index >= 150));
    for (const [seq, value] of await held()) expect(value).toBe(seq < 150n ? 1 : 3);
  });

  it('a block is stored once, and is a duplicate afterwards', async () => {
    const sent = blocks(device, 30);
    expect(new Set(kinds(await store.ingest(sent)))).toEqual(new Set(['stored']));
    for (let round = 0; round < 3; round += 1) {
      expect(new Set(kinds(await store.ingest(sent)))).toEqual(new Set(['duplicate']));
    }
    expect(await held()).toHaveProperty('size', 30);
  });

  it('a signature that was good before is good for its own key and message alone, and a bad one stays bad', async () => {
    const other = new SimulatedDevice();
    await store.register(deviceRegistration.parse(other.registration({})), REGISTERED_AT);
    const [sent, next] = [block(device, 1n), block(device, 2n)];
    const withCheck = (over: Partial<NewBlock['check']>) => ({ ...sent, check: { ...sent.check, ...over } });
    const wrong = [
      withCheck({ publicKey: Buffer.from(other.id, 'hex') }),
      withCheck({ message: next.check.message }),
      withCheck({ signature: next.check.signature }),
      forged(next),
    ];
    await store.ingest([sent]);
    for (let round = 0; round < 3; round += 1) {
      expect(kinds(await store.ingest([sent]))).toEqual(['duplicate']);
      for (const each of wrong) expect(kinds(await store.ingest([each]))).toEqual(['bad_signature']);
    }
    expect([...(await held()).keys()]).toEqual([1n]);
    expect(await store.latest(other.id, 10)).toEqual([]);
  });

  describe('a store that becomes full', () => {
    it('refuses blocks without space, and contains exactly the confirmed ones', async () => {
      const small = stores.store('public');
      const large = new Uint8Array(268).fill(7);
      const outcomes: BlockOutcome[] = [];
      for (let from = 0; from < 5000 && !kinds(outcomes).includes('refused'); from += 300) {
        const calls = [0, 100, 200].map((more) => small.ingest(blocks(device, 100, from + more, large)));
        outcomes.push(...(await Promise.all(calls)).flat());
        // What a bound is checked by may be a second old.
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const refused = outcomes.filter((outcome) => outcome.kind === 'refused');
      expect(refused.length).toBeGreaterThan(0);
      for (const { error } of refused) expect(error).toMatchObject({ name: 'StorageUnavailable', code: 'limit' });
      const confirmed = outcomes.flatMap(({ kind }, seq) => (kind === 'stored' ? [BigInt(seq)] : []));
      expect([...(await held(small)).keys()].sort()).toEqual(confirmed.sort());
    }, 60_000);

    it('still reports the faults of blocks that it would not store', async () => {
      const small = stores.store('public');
      const large = new Uint8Array(268).fill(7);
      for (let from = 0; ; from += 100) {
        if (kinds(await small.ingest(blocks(device, 100, from, large))).includes('refused')) break;
        expect(from).toBeLessThan(10_000);
      }
      const sent = [forged(block(device, 90_001n)), { ...block(device, 90_002n), reading: null }];
      expect(kinds(await small.ingest(sent))).toEqual(['bad_signature', 'signed']);
    }, 60_000);
  });

  it('a commit whose answer is lost is refused, and is a duplicate or stored when it is sent again', async () => {
    await stores.dispose();
    await begin(openBreakable(SMALL));
    const confirmed = new Set<bigint>();
    for (let round = 0; round < 4; round += 1) {
      const sent = blocks(device, 120, round * 120, round);
      const underWay = sent.map((each) => store.ingest([each]));
      await stores.loseAnswers('private');
      const outcomes = (await Promise.all(underWay)).flat();
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome.kind === 'stored') confirmed.add(BigInt(round * 120 + index));
        else expect(outcome).toMatchObject({ kind: 'refused', error: { code: 'unreachable' } });
      }
      const before = await held();
      for (const seq of confirmed) expect(before.has(seq), `${seq} was confirmed`).toBe(true);
      const again = kinds(await store.ingest(blocks(device, 120, round * 120, 99)));
      expect(again).toEqual(sent.map((_, index) => (before.has(BigInt(round * 120 + index)) ? 'duplicate' : 'stored')));
      const after = await held();
      for (const [seq, value] of before) expect(after.get(seq)).toEqual(value);
    }
    expect(await held()).toHaveProperty('size', 480);
  }, 60_000);
}

import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { NonceRegistry } from '../../shared/crypto/keyring/nonce-registry.ts';
import { openReadings } from '../../shared/crypto/keyring/opening.ts';
import type { Input, MethodName, Output, OwnerApi } from '../../shared/owner-api/contract.ts';
import type { OwnerReading } from '../../shared/owner-api/readings.ts';
import { perFieldName } from '../../shared/protocol/fields.ts';
import { sealedField } from '../../simulator/block-source.ts';
import type { KeyDevice, SealedReading } from '../keys/types.ts';
import { openRange } from './open-range.ts';
import { BATCH, OpenedStore } from './opened-store.ts';

const DEVICE: KeyDevice = { id: 'ab'.repeat(32), ownerPubkey: 'cd'.repeat(32) };
const key = randomBytes(32);
const none = perFieldName(() => null);

function reading(seq: number, fields: Partial<SealedReading['fields']>): OwnerReading {
  const time = 1_000_000 + seq;
  return {
    seq: String(seq),
    timestamp: String(time),
    receivedAt: time,
    keyVersion: 1,
    store: 'private',
    fields: { ...none, ...fields },
  };
}

/** Returns a store that really opens readings, and a list of the batch sizes. */
function makeStore() {
  const nonces = new NonceRegistry();
  const batches: number[] = [];
  let gate: Promise<void> = Promise.resolve();
  const store = new OpenedStore(async (_device, readings) => {
    batches.push(readings.length);
    await gate;
    return openReadings(readings, () => [key], nonces);
  });
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    return resolve;
  };
  return { store, batches, hold };
}

describe('OpenedStore', () => {
  it('opens sealed values once, in batches', async () => {
    const { store, batches } = makeStore();
    const readings = Array.from({ length: BATCH + 20 }, (_, seq) => reading(seq, { ph: sealedField(key, seq), ec: 1 }));
    await Promise.all([store.request(DEVICE, readings), store.request(DEVICE, readings)]);
    expect(batches).toEqual([BATCH, 20]);
    const lookup = store.lookup(DEVICE.id);
    expect(lookup.of('7')).toEqual({ ph: { ok: true, value: 7, keyIndex: 0 } });
    await store.request(DEVICE, readings);
    expect(batches).toHaveLength(2);
    expect(store.lookup(DEVICE.id)).toBe(lookup);
  });

  it('opens another value of a reading with the same number', async () => {
    const { store } = makeStore();
    await store.request(DEVICE, [reading(1, { ph: sealedField(key, 6) })]);
    await store.request(DEVICE, [{ ...reading(1, { ph: sealedField(key, 5) }), receivedAt: 9 }]);
    expect(store.lookup(DEVICE.id).of('1')).toMatchObject({ ph: { value: 5 } });
  });

  it('withdraws a value when its original appears, alone or beside it', async () => {
    for (const beside of [false, true]) {
      const { store } = makeStore();
      const sealed = sealedField(key, 6);
      const copy = reading(9, { ph: sealed });
      const original = reading(1, { ph: sealed });
      await store.request(DEVICE, [copy]);
      expect(store.lookup(DEVICE.id).of('9')).toMatchObject({ ph: { ok: true } });
      await store.openNow(DEVICE, beside ? [original, copy] : [original], () => {});
      expect(store.lookup(DEVICE.id).of('9')).toMatchObject({ ph: { ok: false, reason: 'nonce_reused' } });
    }
  });

  it('drops everything at once, including work in progress', async () => {
    const { store, hold } = makeStore();
    let told = 0;
    await store.request(DEVICE, [reading(1, { ph: sealedField(key, 6) })]);
    store.series(DEVICE.id, 'timestamp').put('1', 1, 1, { ph: { ok: true, value: 6, keyIndex: 0 } });
    const release = hold();
    const later = store.request(DEVICE, [reading(2, { ph: sealedField(key, 7) })]);
    store.subscribe(() => told++);
    store.reset();
    expect(told).toBe(1);
    expect(store.lookup(DEVICE.id).of('1')).toBeUndefined();
    expect(store.series(DEVICE.id, 'timestamp').size).toBe(0);
    release();
    await later;
    expect(store.lookup(DEVICE.id).of('2')).toBeUndefined();
  });
});

describe('openRange', () => {
  const readings = Array.from({ length: 1203 }, (_, seq) =>
    reading(seq, seq % 100 === 0 ? { ph: 1 } : { ph: sealedField(key, seq) }),
  );
  /** The pages of a node, as the API specifies them. */
  const api = {
    call: <M extends MethodName>(method: M, input: Input<M>) => {
      expect(method).toBe('readingsPage');
      const { cursor, limit } = input as Input<'readingsPage'>;
      const start = Number(cursor ?? 0);
      const next = start + limit < readings.length ? String(start + limit) : null;
      const page = {
        readings: readings.slice(start, start + limit),
        next,
        total: start === 0 ? readings.length : null,
      };
      return Promise.resolve(page as Output<M>);
    },
  } satisfies Pick<OwnerApi, 'call'>;
  const task = { device: DEVICE, axis: 'timestamp', from: null, to: null } as const;

  it('opens every page once and reports its progress', async () => {
    const { store, batches } = makeStore();
    const progress: number[] = [];
    const open = () => openRange(task, store, api, new AbortController().signal, ({ done }) => progress.push(done));
    await open();
    expect(progress).toEqual([500, 1000, 1203]);
    expect(batches).toEqual([495, 495, 200]);
    const values = new Map<number, unknown>();
    store.series(DEVICE.id, 'timestamp').forEach(0, Number.POSITIVE_INFINITY, (time, _field, value) => {
      values.set(time, value);
    });
    expect(values.size).toBe(1190);
    expect(values.get(1_000_777)).toBe(777);
    await open();
    expect(batches).toHaveLength(3);
  });

  it('stops between two pages and keeps the opened values', async () => {
    const { store } = makeStore();
    const controller = new AbortController();
    const opening = openRange(task, store, api, controller.signal, () => controller.abort());
    await expect(opening).rejects.toMatchObject({ name: 'AbortError' });
    expect(store.series(DEVICE.id, 'timestamp').size).toBe(495);
  });
});

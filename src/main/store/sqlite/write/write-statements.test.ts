import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreInMemory } from '../../../../../test/support/store-in-memory.ts';
import { type DeviceRegistration, deviceRegistration } from '../../../../shared/protocol/device.ts';
import type { RegistrationOrigin } from '../../port.ts';
import { prepareWrites, type RunJob } from './write-statements.ts';

const [ID, OTHER_ID, UNKNOWN_ID] = ['0a'.repeat(32), '0b'.repeat(32), '0c'.repeat(32)];
const OWNER = 'ee'.repeat(32);
let store: StoreInMemory;
let run: RunJob;
beforeEach(() => {
  store = new StoreInMemory();
  run = prepare(null);
});
afterEach(() => store.close());

function prepare(maxDevices: number | null): RunJob {
  const { db, numbers, rollups, keptFrom, log } = store;
  const bounds = maxDevices === null ? null : { maxDevices, maxBytes: 0, minFreeBytes: 0, minFreePart: 0 };
  return prepareWrites(db, bounds, numbers, rollups, keptFrom, log);
}

describe('registering', () => {
  const LEAST = { id: ID, mac: '020000000001', ownerPubkey: OWNER, name: 'Tank' };
  const registrationOf = (sent: object = {}) => deviceRegistration.parse({ ...LEAST, ...sent });
  const register = (registration: DeviceRegistration, origin?: RegistrationOrigin, createdAt = 5) =>
    run({ kind: 'register', registration, createdAt, origin });
  const devices = () => store.rows('SELECT * FROM devices ORDER BY device');
  const owners = () => store.rows("SELECT * FROM users WHERE id <> x'01'");
  const bytes = (hex: string) => Buffer.from(hex, 'hex');

  it('stores everything that a device sends', () => {
    const all = registrationOf({
      ...{ type: 2, publishTo: 2, location: 2n ** 63n + 1n, networks: ['a', 'b'], localServers: ['c'] },
      ...{ ownerName: 'Ada', hardware: { model: 'M', firmware_version: '1' } },
      privacyPolicy: { ph: { default_disposition: 1 } },
    });
    expect(register(all)).toBe('created');
    expect(store.db.prepare('SELECT location FROM devices').safeIntegers().pluck().get()).toBe(-(2n ** 63n) + 1n);
    store.db.exec('UPDATE devices SET location = 7');
    expect(devices()).toEqual([
      [
        ...[1, bytes(ID), bytes('020000000001'), bytes(OWNER), 'Tank', 2, 7, 2, '["a","b"]', '["c"]', 0],
        ...['{"ph":{"default_disposition":1}}', '{"model":"M","firmware_version":"1"}', 0, 5],
      ],
    ]);
    expect(owners()).toEqual([[bytes(OWNER), 'Ada', null, null, null, null, 5]]);
    expect(store.values('SELECT content FROM log_entries')).toEqual([]);
  });

  it('stores defaults for what a device does not send, and the start of the key as the owner’s name', () => {
    register(registrationOf());
    expect(devices()).toEqual([
      [
        ...[1, bytes(ID), bytes('020000000001'), bytes(OWNER), 'Tank', 0, null, 1, '[]', '[]', 0],
        ...['{}', '{}', 0, 5],
      ],
    ]);
    expect(owners().map(([, name]) => name)).toEqual(['ee'.repeat(6)]);
  });

  it('keeps the name of a known owner and the first registration of a device', () => {
    register(registrationOf({ ownerName: 'Ada' }));
    expect(register(registrationOf({ id: OTHER_ID, ownerName: 'Eve' }))).toBe('created');
    expect(owners().map(([, name]) => name)).toEqual(['Ada']);
    const before = devices();
    const origin = { way: 'gate', by: null, received: null } as const;
    expect(register(registrationOf({ name: 'Other', ownerPubkey: 'dd'.repeat(32) }), origin)).toBe('exists');
    expect([devices(), owners().length, store.log.next]).toEqual([before, 1, 0]);
  });

  it('accepts devices up to the limit, and known ones beyond', () => {
    run = prepare(2);
    store.addDevice(UNKNOWN_ID);
    expect(register(registrationOf())).toBe('created');
    expect(register(registrationOf({ id: OTHER_ID }))).toBe('limit');
    expect(register(registrationOf())).toBe('exists');
    expect(devices()).toHaveLength(2);
    run = prepare(3);
    expect(register(registrationOf({ id: OTHER_ID }))).toBe('created');
  });

  it('removes the device from the unregistered ones', () => {
    store.db.exec(`INSERT INTO unregistered_devices VALUES (x'${ID}', 1, 1, 1, ''), (x'${OTHER_ID}', 1, 1, 1, '')`);
    register(registrationOf());
    expect(store.values('SELECT id FROM unregistered_devices')).toEqual([bytes(OTHER_ID)]);
  });

  it('records in the log how the device was registered', () => {
    const received = registrationOf({ location: 5n });
    register(registrationOf(), { way: 'adopted', by: 'my "phone"', received });
    register(registrationOf({ id: OTHER_ID }), { way: 'imported', by: null, received: null }, 6);
    expect(store.values('SELECT content FROM log_entries ORDER BY entry')).toEqual([
      `registration\ndevice ${ID}\nat 5\nway adopted\nby "my \\"phone\\""\nreceived {"id":"${ID}",` +
        `"mac":"020000000001","ownerPubkey":"${OWNER}","name":"Tank","type":0,"publishTo":1,"location":5,` +
        '"networks":[],"localServers":[]}\n',
      `registration\ndevice ${OTHER_ID}\nat 6\nway imported\n`,
    ]);
    expect(store.log.next).toBe(2);
  });
});

describe('counting', () => {
  const count = (counts: object) =>
    run({ kind: 'count', counts: { withheld: [], outcomes: [], unregistered: null, ...counts } });

  it('adds what was withheld of a registered device, and keeps the first time', () => {
    store.addDevice(ID);
    const omit = { deviceId: ID, cause: 'omit', field: 'ph', count: 2, firstAt: 10, lastAt: 20 };
    expect(count({ withheld: [omit, { ...omit, cause: 'publish_to', field: null }] })).toBeNull();
    const again = { ...omit, count: 3, firstAt: 15, lastAt: 30 };
    count({ withheld: [{ ...omit, deviceId: UNKNOWN_ID }, again, { ...again, field: 'ec' }] });
    expect(store.rows('SELECT * FROM withheld ORDER BY cause, field')).toEqual([
      [1, 'omit', 'ec', 3, 15, 30],
      [1, 'omit', 'ph', 5, 10, 30],
      [1, 'publish_to', '', 2, 10, 20],
    ]);
  });

  it('adds outcomes by the hour', () => {
    count({ outcomes: [{ hour: 1, outcome: 'stored', count: 2 }] });
    count({
      outcomes: [
        { hour: 1, outcome: 'stored', count: 3 },
        { hour: 1, outcome: 'bad', count: 4 },
        { hour: 2, outcome: 'stored', count: 5 },
      ],
    });
    expect(store.rows('SELECT * FROM hourly_counts ORDER BY hour, outcome')).toEqual([
      [1, 'bad', 4],
      [1, 'stored', 5],
      [2, 'stored', 5],
    ]);
  });

  it('replaces the list of unregistered devices, without those registered meanwhile', () => {
    store.addDevice(ID);
    const device = (id: string) => ({ id, attempts: 3, firstAt: 1, lastAt: 2, lastError: 'unknown' });
    count({ unregistered: [device(UNKNOWN_ID)] });
    const row = (id: string) => [Buffer.from(id, 'hex'), 3, 1, 2, 'unknown'];
    const list = () => store.rows('SELECT * FROM unregistered_devices');
    count({ unregistered: null });
    expect(list()).toEqual([row(UNKNOWN_ID)]);
    count({ unregistered: [device(ID), device(OTHER_ID)] });
    expect(list()).toEqual([row(OTHER_ID)]);
    count({ unregistered: [] });
    expect(list()).toEqual([]);
  });
});

describe('each kind of job', () => {
  it('goes to its part of the writer', () => {
    const device = store.addDevice(ID);
    store.addReading(device, { seq: 1, timestamp: 5, receivedAt: 10, clock: 7 });
    const move = { clock: 7, next: 8, by: 1, from: 0, to: 20, at: 30 };
    expect(run({ kind: 'moveArrivals', move, after: null, limit: 9 })).toEqual({ devices: [ID], next: null });
    expect(run({ kind: 'prune', id: ID, before: 9, limit: 1 })).toEqual({
      ...{ readings: 0, isDone: true, isWaiting: false },
    });
    expect(run({ kind: 'pruneStrays', id: ID, before: 9, after: null, limit: 1 })).toEqual({ readings: 0, next: null });
    expect(run({ kind: 'checkpoint', checkpoint: { size: 3, at: 4, note: 'n' } })).toBeNull();
    expect(store.rows('SELECT * FROM log_checkpoints')).toEqual([[3, 4, 'n']]);
    expect(run({ kind: 'choose', name: 'n', value: '1', updatedAt: 2 })).toBeNull();
    expect(store.rows('SELECT * FROM owner_choices')).toEqual([['n', '1', 2]]);
    expect(run({ kind: 'forget', id: ID, limit: 9 })).toEqual({ readings: 1, isDone: true });
  });

  it.each([{ kind: 'compact' }, { kind: 'setDurability', durability: 'full' }] as const)(
    'is refused if it must run outside of a transaction: $kind',
    (job) => {
      expect(() => run(job)).toThrow(`${job.kind} is no part of a transaction`);
    },
  );
});

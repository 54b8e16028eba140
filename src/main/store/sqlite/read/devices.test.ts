import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OwnerStoresForTest } from '../../../../../test/support/owner-stores.ts';
import type { LogAct } from '../../../../shared/owner-data/journal.ts';
import { type DeviceNotes, NO_NOTES } from '../../../../shared/owner-data/notes.ts';
import type { RegisteredDevice } from '../../port.ts';
import { openForWriting } from '../file/database.ts';
import {
  allKnown,
  deviceOf,
  devicesAfter,
  devicesOf,
  numberIn,
  numbersOf,
  oneKnown,
  privateOwners,
} from './devices.ts';
import { ReadConnection } from './read-connection.ts';

const CREATED = 1_700_000_000_000;
const UNKNOWN = 'ff'.repeat(32);
const OWNERS = ['aa', 'bb', 'cc'].map((byte) => byte.repeat(32)) as [string, string, string];
const HARDWARE = { model: 'M', firmware_version: '1.2' };
const POLICY = { ph: { default_disposition: 1 } };
const OTHER_POLICY = { ec: { default_disposition: 2 } };
const POINT = { reference: 7, shown: 6 };
const PH_BY_ONE = [{ field: 'ph', from: 5, slope: 1, offset: 1 }];

let stores: OwnerStoresForTest;
let connection: ReadConnection;
/** One in both stores, one in each. */
let both: RegisteredDevice;
let own: RegisteredDevice;
let strange: RegisteredDevice;

beforeAll(() => {
  stores = new OwnerStoresForTest();
  const options = (byte: number, owner: string) => {
    return { seed: Buffer.alloc(32, byte), mac: `0200000000${byte}`, name: `Device ${byte}`, ownerPubkey: owner };
  };
  const register = (byte: number, owner: string, names: ('private' | 'public')[], overrides: object) => {
    const { id } = stores.register(options(byte, owner), names, { ...overrides, hardware: HARDWARE });
    return id;
  };
  const location = 2n ** 64n - 2n;
  const [strangeId, ownId, bothId] = [
    register(13, OWNERS[2], ['public'], { type: 2, publishTo: 0, privacyPolicy: OTHER_POLICY, ownerName: 'Cleo' }),
    register(12, OWNERS[1], ['private'], { type: 1, publishTo: 1, privacyPolicy: POLICY, ownerName: 'Bea' }),
    register(11, OWNERS[0], ['private', 'public'], { location, publishTo: 2, privacyPolicy: POLICY }),
  ];
  const device = (id: string, byte: number, owner: string, ownerName: string, rest: object) => ({
    ...{ id, mac: `0200000000${byte}`, ownerPubkey: owner, ownerName, name: `Device ${byte}` },
    ...{ location: null, createdAt: CREATED, privacyPolicy: POLICY, hardware: HARDWARE, ...rest },
  });
  own = device(ownId!, 12, OWNERS[1], 'Bea', { type: 1, publishTo: 1 }) as RegisteredDevice;
  both = device(bothId!, 11, OWNERS[0], 'aaaaaaaaaaaa', { type: 0, location, publishTo: 2 }) as RegisteredDevice;
  const rest = { type: 2, publishTo: 0, privacyPolicy: OTHER_POLICY };
  strange = device(strangeId!, 13, OWNERS[2], 'Cleo', rest) as RegisteredDevice;
  connection = ReadConnection.toBoth(stores.paths);
});
afterAll(async () => {
  connection.close();
  await stores.dispose();
});

/** Returns devices with the values of their getters. */
const plainly = (devices: readonly (RegisteredDevice | null)[]) =>
  devices.map((device) => device && { ...device, privacyPolicy: device.privacyPolicy, hardware: device.hardware });

describe('the devices of a store', () => {
  it('are all in the order of registration, with all that they said', () => {
    expect(plainly(devicesOf(connection, 'private'))).toEqual([own, both]);
    expect(plainly(devicesOf(connection, 'public'))).toEqual([strange, both]);
  });

  it('are found by their id', () => {
    const found = [both.id, own.id, strange.id, UNKNOWN].map((id) => deviceOf(connection, 'private', id));
    expect(plainly(found)).toEqual([both, own, null, null]);
    expect([both.id, own.id, strange.id].map((id) => numberIn(connection, 'public', id))).toEqual([2, null, 1]);
    expect([both, own, strange].map(({ id }) => numbersOf(connection, id))).toEqual([
      { private: 2, public: 2 },
      { private: 1, public: null },
      { private: null, public: 1 },
    ]);
  });

  it('have pages', () => {
    const page = (after: string | null, limit: number) => devicesAfter(connection, 'private', { after, limit });
    expect(plainly(page(null, 1))).toEqual([own]);
    expect(plainly(page(null, 9))).toEqual([own, both]);
    expect(plainly(page(own.id, 1))).toEqual([both]);
    expect([page(both.id, 9), page(UNKNOWN, 9), page(strange.id, 9), page(null, 0)]).toEqual([[], [], [], []]);
  });
});

describe('the numbers of a device', () => {
  it('are only those of the stores that there are', () => {
    const alone = ReadConnection.toBoth({ ...stores.paths, public: null });
    expect(numbersOf(alone, both.id)).toEqual({ private: 2, public: null });
    expect(allKnown(alone).map(({ id }) => id)).toEqual([own.id, both.id]);
    expect(oneKnown(alone, strange.id)).toBe(null);
    alone.close();
    const open = ReadConnection.toOne('public', stores.paths.public!);
    expect(numbersOf(open, both.id)).toEqual({ private: null, public: 2 });
    open.close();
  });
});

function execute(sql: string): void {
  const db = openForWriting(stores.paths.private, 'normal');
  db.exec(sql);
  db.close();
}

describe('known devices', () => {
  const NOTES: DeviceNotes = {
    ...{ displayName: 'Tank', units: { ec: { shown: 'ppm500' } }, earlierLabels: { ph: 'x' }, text: 'by the door' },
    ...{ silentAfterMs: 60_000, status: 1, mine: true, isHidden: true },
  };
  const note = (id: string, notes: DeviceNotes | null) =>
    stores.write('private', [{ kind: 'note', id, notes, updatedAt: 1 }]);
  const simply = (known: NonNullable<ReturnType<typeof oneKnown>>) => ({
    ...known,
    entries: known.entries.map(({ store, device }) => [store, ...plainly([device])]),
  });
  const NOTHING = { notes: NO_NOTES, corrections: [] };

  it('are those of both stores, those of the private one first, each once', () => {
    expect(allKnown(connection).map(simply)).toEqual([
      { id: own.id, entries: [['private', own]], ...NOTHING },
      {
        id: both.id,
        entries: [
          ['private', both],
          ['public', both],
        ],
        ...NOTHING,
      },
      { id: strange.id, entries: [['public', strange]], ...NOTHING },
    ]);
    for (const known of allKnown(connection)) expect(simply(oneKnown(connection, known.id)!)).toEqual(simply(known));
    expect(oneKnown(connection, UNKNOWN)).toBe(null);
  });

  it('have the owner’s notes and corrections', () => {
    const entry = { id: null, at: 5, text: '', updatedAt: 1 };
    const act: LogAct = { kind: 'calibrated', field: 'ph', points: [POINT] };
    note(both.id, NOTES);
    note(strange.id, { ...NOTES, mine: false, isHidden: false, displayName: null, silentAfterMs: null });
    stores.write('private', [{ kind: 'writeEntry', ...entry, device: both.id, act }]);
    const expected = [
      { notes: NO_NOTES, corrections: [] },
      { notes: NOTES, corrections: PH_BY_ONE },
      { notes: { ...NOTES, mine: false, isHidden: false, displayName: null, silentAfterMs: null }, corrections: [] },
    ];
    const ofAll = allKnown(connection);
    const ofEach = [own, both, strange].map(({ id }) => oneKnown(connection, id)!);
    for (const found of [ofAll, ofEach]) {
      expect(found.map(({ notes, corrections }) => ({ notes, corrections }))).toEqual(expected);
    }
    note(strange.id, { ...NOTES, mine: null });
    expect(oneKnown(connection, strange.id)!.notes).toEqual({ ...NOTES, mine: null });
  });

  it('have notes of an earlier version, whose labels become units', () => {
    note(own.id, NOTES);
    const set = (labels: string) =>
      execute(`UPDATE device_notes SET units = NULL, unit_labels = '${labels}' WHERE id = x'${own.id}'`);
    set('{"ec":"us/cm","ph":"pH"}');
    expect(oneKnown(connection, own.id)!.notes).toEqual({
      ...NOTES,
      ...{ units: { ec: { shown: 'microsiemens' } }, earlierLabels: { ec: 'us/cm' } },
    });
    set('{"ec":"own"}');
    expect(oneKnown(connection, own.id)!.notes).toEqual({
      ...NOTES,
      ...{ units: { ec: { label: 'own' } }, earlierLabels: {} },
    });
  });
});

it('the owners of the private store are known', () => {
  expect([...privateOwners(connection)].sort()).toEqual(OWNERS.slice(0, 2));
});

import { type OldLabels, readOldLabels } from '../../../../shared/measures/old-labels.ts';
import { type DeviceNotes, NO_NOTES } from '../../../../shared/owner-data/notes.ts';
import type { DeviceType, PublishTo, StoreName } from '../../../../shared/protocol/codes.ts';
import type { PrivacyPolicy } from '../../../../shared/protocol/device.ts';
import type { DevicePage, RegisteredDevice } from '../../port.ts';
import type { KnownDevice } from '../../stores-view.ts';
import { correctionsOfAll, correctionsOfOne } from './owner-records.ts';
import type { ReadConnection } from './read-connection.ts';

/** The numbers of a device in each store; null if that store does not know it. */
export interface DeviceNumbers {
  readonly private: number | null;
  readonly public: number | null;
}

type Row = [
  id: Buffer,
  mac: Buffer,
  ownerPubkey: Buffer,
  ownerName: string,
  name: string,
  type: bigint,
  location: bigint | null,
  publishTo: bigint,
  privacyPolicy: string,
  hardware: string,
  createdAt: bigint,
];

type NoteRow = [
  id: Buffer,
  displayName: string | null,
  unitLabels: string,
  silentAfterMs: number | null,
  status: DeviceNotes['status'],
  mine: number | null,
  units: string | null,
  text: string,
];

const DEVICES_SQL = `SELECT d.id, mac, owner_pubkey, u.name, d.name, type, location, publish_to, privacy_policy, hardware,
  d.created_at FROM @.devices d LEFT JOIN @.users u ON u.id = d.owner_pubkey`;
const ALL_SQL = `${DEVICES_SQL} ORDER BY device`;
const PAGE_SQL = `${DEVICES_SQL} WHERE device > ? ORDER BY device LIMIT ?`;
const ONE_SQL = `${DEVICES_SQL} WHERE d.id = ?`;
const NUMBER_SQL = 'SELECT device FROM @.devices WHERE id = ?';
const NOTES_SQL =
  'SELECT id, display_name, unit_labels, silent_after_ms, status, mine, units, text FROM main.device_notes';
/** The devices that the owner hid. They are a separate choice because the notes table is older than this feature. */
const HIDDEN_SQL = "SELECT value FROM main.owner_choices WHERE name = 'hidden'";
const OWNERS_SQL = 'SELECT DISTINCT owner_pubkey FROM main.devices';

/** Returns all devices of a store in the order of registration. */
export function devicesOf(connection: ReadConnection, store: StoreName): RegisteredDevice[] {
  return connection
    .statement<Row>(store, ALL_SQL, true)
    .all()
    .map((row) => new DeviceRecord(row));
}

/** Returns a page of a store's devices, in the order of registration. */
export function devicesAfter(
  connection: ReadConnection,
  store: StoreName,
  { after, limit }: DevicePage,
): RegisteredDevice[] {
  const number = after === null ? -1 : numberIn(connection, store, after);
  if (number === null) return [];
  return connection
    .statement<Row>(store, PAGE_SQL, true)
    .all(number, limit)
    .map((row) => new DeviceRecord(row));
}

/** Returns a device of a store by its id, or null. */
export function deviceOf(connection: ReadConnection, store: StoreName, id: string): RegisteredDevice | null {
  const row = connection.statement<Row>(store, ONE_SQL, true).get(Buffer.from(id, 'hex'));
  return row === undefined ? null : new DeviceRecord(row);
}

/** Returns the number of a device in a store, or null. */
export function numberIn(connection: ReadConnection, store: StoreName, id: string): number | null {
  return connection.statement<[number]>(store, NUMBER_SQL).get(Buffer.from(id, 'hex'))?.[0] ?? null;
}

/** Returns the numbers of a device in all stores of a connection. */
export function numbersOf(connection: ReadConnection, id: string): DeviceNumbers {
  const number = (store: StoreName) => (connection.names.includes(store) ? numberIn(connection, store, id) : null);
  return { private: number('private'), public: number('public') };
}

/** Returns all devices of both stores, those of the private store first. */
export function allKnown(connection: ReadConnection): KnownDevice[] {
  const hidden = hiddenIn(connection);
  const notes = new Map(
    connection
      .statement<NoteRow>('private', NOTES_SQL)
      .all()
      .map((row) => [row[0].toString('hex'), toNotes(row, hidden)]),
  );
  const byId = new Map<string, KnownDevice['entries'][number][]>();
  for (const store of connection.names) {
    for (const device of devicesOf(connection, store)) {
      byId.set(device.id, [...(byId.get(device.id) ?? []), { store, device }]);
    }
  }
  const corrections = correctionsOfAll(connection);
  return [...byId].map(([id, entries]) => ({
    ...{ id, entries, notes: notes.get(id) ?? NO_NOTES },
    corrections: corrections.get(id) ?? [],
  }));
}

/** Returns a device with the data of both stores, or null if neither knows it. */
export function oneKnown(connection: ReadConnection, id: string): KnownDevice | null {
  const entries = connection.names.flatMap((store) => {
    const device = deviceOf(connection, store, id);
    return device === null ? [] : [{ store, device }];
  });
  if (entries.length === 0) return null;
  const notes = connection.statement<NoteRow>('private', `${NOTES_SQL} WHERE id = ?`).get(Buffer.from(id, 'hex'));
  return {
    ...{ id, entries, notes: notes === undefined ? NO_NOTES : toNotes(notes, hiddenIn(connection)) },
    corrections: correctionsOfOne(connection, id),
  };
}

function hiddenIn(connection: ReadConnection): ReadonlySet<string> {
  const row = connection.statement<[value: string]>('private', HIDDEN_SQL).get();
  return new Set(row === undefined ? [] : (JSON.parse(row[0]) as string[]));
}

/** Returns the owner keys of the private store's devices, lowercase hex. */
export function privateOwners(connection: ReadConnection): Set<string> {
  const rows = connection.statement<[Buffer]>('private', OWNERS_SQL).all();
  return new Set(rows.map(([key]) => key.toString('hex')));
}

/** A row as a device. Its JSON is parsed on demand, because lists of thousands of strangers never need it. */
class DeviceRecord implements RegisteredDevice {
  readonly id: string;
  readonly mac: string;
  readonly ownerPubkey: string;
  readonly ownerName: string;
  readonly name: string;
  readonly type: DeviceType;
  readonly location: bigint | null;
  readonly publishTo: PublishTo;
  readonly createdAt: number;
  readonly #privacyPolicy: string;
  readonly #hardware: string;

  constructor(row: Row) {
    const [id, mac, ownerPubkey, ownerName, name, type, location, publishTo, privacyPolicy, hardware, createdAt] = row;
    this.id = id.toString('hex');
    this.mac = mac.toString('hex');
    this.ownerPubkey = ownerPubkey.toString('hex');
    this.ownerName = ownerName;
    this.name = name;
    this.type = Number(type) as DeviceType;
    this.location = location === null ? null : BigInt.asUintN(64, location);
    this.publishTo = Number(publishTo) as PublishTo;
    this.createdAt = Number(createdAt);
    this.#privacyPolicy = privacyPolicy;
    this.#hardware = hardware;
  }

  get privacyPolicy(): PrivacyPolicy {
    return JSON.parse(this.#privacyPolicy) as PrivacyPolicy;
  }

  get hardware(): RegisteredDevice['hardware'] {
    return JSON.parse(this.#hardware) as RegisteredDevice['hardware'];
  }
}

function toNotes(row: NoteRow, hidden: ReadonlySet<string>): DeviceNotes {
  const [id, displayName, unitLabels, silentAfterMs, status, mine, units, text] = row;
  const labels = JSON.parse(unitLabels) as OldLabels;
  // Notes of an earlier version that were not rewritten since.
  const old = units === null ? readOldLabels(labels) : null;
  return {
    displayName,
    units: old?.units ?? (JSON.parse(units!) as DeviceNotes['units']),
    earlierLabels: old?.doubtful ?? labels,
    text,
    silentAfterMs,
    status,
    mine: mine === null ? null : mine === 1,
    isHidden: hidden.has(id.toString('hex')),
  };
}

import type { DeviceNotes } from '../../shared/owner-api.ts';
import type { DeviceNumbers, OwnerStores, StoreName } from './owner-stores.ts';
import type { UnregisteredDevice, WithheldCause } from './write-jobs.ts';

/** A device as one store knows it. */
export interface DeviceRow {
  /** Its small number there. */
  readonly device: number;
  /** Lowercase hex, as `mac` and `ownerPubkey`. */
  readonly id: string;
  readonly mac: string;
  readonly ownerPubkey: string;
  readonly ownerName: string | null;
  readonly name: string;
  readonly type: number;
  /** Unsigned. */
  readonly location: bigint | null;
  readonly publishTo: number;
  /** JSON, as registered. */
  readonly privacyPolicy: string;
  readonly hardware: string;
  readonly createdAt: number;
}

/** A device as all stores know it. */
export interface KnownDevice {
  readonly id: string;
  readonly numbers: DeviceNumbers;
  /** The private row first. */
  readonly rows: readonly { readonly store: StoreName; readonly row: DeviceRow }[];
  readonly notes: DeviceNotes;
}

type Columns = [
  device: bigint,
  id: Buffer,
  mac: Buffer,
  ownerPubkey: Buffer,
  ownerName: string | null,
  name: string,
  type: bigint,
  location: bigint | null,
  publishTo: bigint,
  privacyPolicy: string,
  hardware: string,
  createdAt: bigint,
];

type NoteColumns = [
  id: Buffer,
  displayName: string | null,
  unitLabels: string,
  silentAfterMs: number | null,
  status: DeviceNotes['status'],
  mine: number | null,
];

const DEVICES_SQL = `SELECT device, d.id, mac, owner_pubkey, u.name, d.name, type, location, publish_to, privacy_policy,
  hardware, d.created_at FROM @.devices d LEFT JOIN @.users u ON u.id = d.owner_pubkey`;
const NOTES_SQL = 'SELECT id, display_name, unit_labels, silent_after_ms, status, mine FROM main.device_notes';

const NO_NOTES: DeviceNotes = { displayName: null, unitLabels: {}, silentAfterMs: null, status: 0, mine: null };

/** All devices of both stores, those of the private store first, each store's in the order of registration. */
export function allDevices(stores: OwnerStores): KnownDevice[] {
  const notes = new Map(
    stores
      .statement<NoteColumns>('private', NOTES_SQL)
      .all()
      .map((row) => [row[0].toString('hex'), toNotes(row)]),
  );
  const byId = new Map<string, KnownDevice['rows'][number][]>();
  for (const store of stores.names) {
    const rows = stores.statement<Columns>(store, `${DEVICES_SQL} ORDER BY device`, true).all().map(toDeviceRow);
    for (const row of rows) byId.set(row.id, [...(byId.get(row.id) ?? []), { store, row }]);
  }
  return [...byId].map(([id, rows]) => toKnown(id, rows, notes.get(id) ?? NO_NOTES));
}

/** One device, or null where no store knows it. */
export function oneDevice(stores: OwnerStores, id: string): KnownDevice | null {
  const key = Buffer.from(id, 'hex');
  const rows = stores.names.flatMap((store) => {
    const row = stores.statement<Columns>(store, `${DEVICES_SQL} WHERE d.id = ?`, true).get(key);
    return row === undefined ? [] : [{ store, row: toDeviceRow(row) }];
  });
  if (rows.length === 0) return null;
  const notes = stores.statement<NoteColumns>('private', `${NOTES_SQL} WHERE id = ?`).get(key);
  return toKnown(id, rows, notes === undefined ? NO_NOTES : toNotes(notes));
}

/** The owner keys of the private store's devices, lowercase hex. */
export function privateOwners(stores: OwnerStores): Set<string> {
  const rows = stores.statement<[Buffer]>('private', 'SELECT DISTINCT owner_pubkey FROM main.devices').all();
  return new Set(rows.map(([key]) => key.toString('hex')));
}

/** What a store withheld of a device. */
export interface WithheldRow {
  readonly cause: WithheldCause;
  /** A field name; empty for whole blocks. */
  readonly field: string;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** What a store withheld of one of its devices. */
export function withheldOf(stores: OwnerStores, store: StoreName, device: number): WithheldRow[] {
  const sql = 'SELECT cause, field, count, first_at, last_at FROM @.withheld WHERE device = ? ORDER BY cause, field';
  return stores
    .statement<[WithheldCause, string, number, number, number]>(store, sql)
    .all(device)
    .map(([cause, field, count, firstAt, lastAt]) => ({ cause, field, count, firstAt, lastAt }));
}

/** Blocks of a store by outcome, since an hour (hours since 1970). */
export function outcomesSince(stores: OwnerStores, store: StoreName, hour: number): [outcome: string, count: number][] {
  const sql = 'SELECT outcome, sum(count) FROM @.hourly_counts WHERE hour >= ? GROUP BY outcome ORDER BY outcome';
  return stores.statement<[string, number]>(store, sql).all(hour);
}

/** The unregistered devices that a store remembers, as last written. */
export function unregisteredOf(stores: OwnerStores, store: StoreName): UnregisteredDevice[] {
  const sql = 'SELECT id, attempts, first_at, last_at, last_error FROM @.unregistered_devices ORDER BY last_at';
  return stores
    .statement<[Buffer, number, number, number, string]>(store, sql)
    .all()
    .map(([id, attempts, firstAt, lastAt, lastError]) => {
      return { id: id.toString('hex'), attempts, firstAt, lastAt, lastError };
    });
}

function toKnown(id: string, rows: KnownDevice['rows'], notes: DeviceNotes): KnownDevice {
  const numberIn = (name: StoreName) => rows.find(({ store }) => store === name)?.row.device ?? null;
  return { id, rows, notes, numbers: { private: numberIn('private'), public: numberIn('public') } };
}

function toDeviceRow(columns: Columns): DeviceRow {
  const [device, id, mac, owner, ownerName, name, type, location, publishTo, privacyPolicy, hardware, createdAt] =
    columns;
  return {
    device: Number(device),
    id: id.toString('hex'),
    mac: mac.toString('hex'),
    ownerPubkey: owner.toString('hex'),
    ownerName,
    name,
    type: Number(type),
    location: location === null ? null : BigInt.asUintN(64, location),
    publishTo: Number(publishTo),
    privacyPolicy,
    hardware,
    createdAt: Number(createdAt),
  };
}

function toNotes([, displayName, unitLabels, silentAfterMs, status, mine]: NoteColumns): DeviceNotes {
  return {
    displayName,
    unitLabels: JSON.parse(unitLabels) as DeviceNotes['unitLabels'],
    silentAfterMs,
    status,
    mine: mine === null ? null : mine === 1,
  };
}

import type { Database } from 'better-sqlite3';
import type { Destination } from '../../shared/protocol/codes.ts';
import { SENSOR_FIELDS } from '../../shared/protocol/fields.ts';

/**
 * Marks a file as a store of this program, and as which of the two (`PRAGMA application_id`): "WELP" and "WELL". Files
 * that were swapped would serve private readings to everybody.
 */
export const APPLICATION_IDS: Record<Destination, number> = { public: 0x57454c50, local: 0x57454c4c };

const fieldColumns = SENSOR_FIELDS.map(({ policyName }) => `${policyName} REAL`).join(',\n  ');
const fieldForms = SENSOR_FIELDS.map(
  ({ policyName: name }) => `
  iif(typeof(${name}) = 'blob', NULL, ${name}) AS ${name}_plain,
  iif(typeof(${name}) = 'blob', substr(${name}, 13), NULL) AS ${name}_cipher,
  iif(typeof(${name}) = 'blob', substr(${name}, 1, 12), NULL) AS ${name}_nonce`,
).join(',');

/**
 * The first schema. Unsigned 64-bit values are kept as the signed integer of the same bits, which takes 3 to 6 bytes
 * for everyday values; `(x < 0), x` is their unsigned order. A device's small number stands for its 32-byte id in each
 * reading and index entry. A field is one column: NULL is absent, a REAL is plain, a BLOB is sealed (the 12-byte nonce,
 * then the cipher with its tag), so a reading can't hold two forms of one field; the view `reading_forms` shows the
 * three apart. Times are Unix milliseconds.
 */
const first = `
CREATE TABLE users (
  id BLOB PRIMARY KEY,
  name TEXT NOT NULL,
  phone TEXT,
  email TEXT,
  website TEXT,
  bio TEXT,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE devices (
  device INTEGER PRIMARY KEY AUTOINCREMENT,
  id BLOB NOT NULL UNIQUE,
  mac BLOB NOT NULL,
  owner_pubkey BLOB NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  type INTEGER NOT NULL,
  location INTEGER,
  publish_to INTEGER NOT NULL,
  networks TEXT NOT NULL,
  local_servers TEXT NOT NULL,
  encryption_key_version INTEGER NOT NULL DEFAULT 0,
  privacy_policy TEXT NOT NULL,
  hardware TEXT NOT NULL,
  status INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE readings (
  device INTEGER NOT NULL REFERENCES devices (device),
  seq INTEGER NOT NULL,
  timestamp INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  key_version INTEGER NOT NULL,
  ${fieldColumns},
  PRIMARY KEY (device, seq)
) WITHOUT ROWID;

CREATE INDEX readings_by_time ON readings (device, (timestamp < 0), timestamp, (seq < 0), seq);

CREATE VIEW reading_forms AS SELECT
  device, seq, timestamp, received_at, key_version,${fieldForms}
FROM readings;

-- What was accepted and not kept: cause 'publish_to' counts blocks; 'omit' and 'encrypted_only' count values of a field.
CREATE TABLE withheld (
  device INTEGER NOT NULL REFERENCES devices (device),
  cause TEXT NOT NULL,
  field TEXT NOT NULL,
  count INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (device, cause, field)
) STRICT, WITHOUT ROWID;

-- Devices that post without being registered here, the newest few; each proved that it holds the key it claims.
CREATE TABLE unregistered_devices (
  id BLOB PRIMARY KEY,
  attempts INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  last_error TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Blocks by outcome and hour (hours since 1970): 'stored', or the cause of a rejection.
CREATE TABLE hourly_counts (
  hour INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (hour, outcome)
) STRICT, WITHOUT ROWID;
`;

/** The owner's own notes on devices, apart from what the devices said, and kept in the private store alone. */
const ownerNotes = `
CREATE TABLE device_notes (
  id BLOB PRIMARY KEY,
  display_name TEXT,
  unit_labels TEXT NOT NULL DEFAULT '{}',
  silent_after_ms INTEGER,
  status INTEGER NOT NULL DEFAULT 0,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

const rollupColumns = SENSOR_FIELDS.map(
  ({ policyName: name }) => `
  ${name}_count INTEGER NOT NULL, ${name}_sealed INTEGER NOT NULL, ${name}_min REAL, ${name}_max REAL, ${name}_sum REAL NOT NULL`,
).join(',');

/**
 * The second schema: sums by hour, so that a chart of years need not read every reading. An hour is that of the device's
 * timestamp (unsigned, in units of 3,600,000 ms). `dirty_hours` names those whose sums are missing or out of date; the
 * mark is written in the transaction of the reading and removed in that of the sums, so that the two never disagree.
 * `seq_hash` tells sets of readings apart without reading them: two stores whose hours have the same number of readings
 * and the same hash hold the same ones.
 */
const rollups = `
CREATE TABLE hourly_rollups (
  device INTEGER NOT NULL REFERENCES devices (device),
  hour INTEGER NOT NULL,
  readings INTEGER NOT NULL,
  seq_hash INTEGER NOT NULL,
  seq_min INTEGER NOT NULL,
  seq_max INTEGER NOT NULL,
  received_min INTEGER NOT NULL,
  received_max INTEGER NOT NULL,${rollupColumns},
  PRIMARY KEY (device, hour)
) WITHOUT ROWID;

CREATE TABLE dirty_hours (
  device INTEGER NOT NULL REFERENCES devices (device),
  hour INTEGER NOT NULL,
  PRIMARY KEY (device, hour)
) STRICT, WITHOUT ROWID;

-- The unsigned timestamp divided by an hour: SQLite's shift keeps the sign, the mask takes it off.
INSERT INTO dirty_hours SELECT DISTINCT device, ((timestamp >> 1) & 9223372036854775807) / 1800000 FROM readings;
`;

/** Whether the owner counts a device that only the public store knows as theirs; NULL: by its owner key. */
const notesMine = 'ALTER TABLE device_notes ADD COLUMN mine INTEGER;';

type Migration = (db: Database, destination: Destination) => void;

/** Step i brings a store from version i to i+1 (`PRAGMA user_version`). A released step never changes. */
const MIGRATIONS: readonly Migration[] = [
  (db, destination) => {
    db.exec(first);
    if (destination === 'local') db.exec(ownerNotes);
  },
  (db, destination) => {
    db.exec(rollups);
    if (destination === 'local') db.exec(notesMine);
  },
];

/** The version that this program writes. */
export const STORE_VERSION = MIGRATIONS.length;

/**
 * Brings an open store up to the present version, in one transaction. `target` is an older version, for tests of what
 * comes after it.
 */
export function migrate(db: Database, destination: Destination, target = STORE_VERSION): void {
  const version = db.pragma('user_version', { simple: true }) as number;
  if (version === target) return;
  db.transaction(() => {
    for (const step of MIGRATIONS.slice(version, target)) step(db, destination);
    db.pragma(`application_id = ${APPLICATION_IDS[destination]}`);
    db.pragma(`user_version = ${target}`);
  }).exclusive();
}

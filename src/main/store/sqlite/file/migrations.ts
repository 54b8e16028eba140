import type { Database } from 'better-sqlite3';
import type { StoreName } from '../../../../shared/protocol/codes.ts';

/**
 * Marks a file as a public or a private store of this program (`PRAGMA application_id`): "WELP" and "WELL". If the
 * files were swapped, private readings would be served to everybody.
 */
export const APPLICATION_IDS: Record<StoreName, number> = { public: 0x57454c50, private: 0x57454c4c };

/**
 * The first schema. Unsigned 64-bit values are stored as the signed integer with the same bits, which takes 3 to 6
 * bytes for everyday values; `(x < 0), x` is their unsigned order. Each reading and index entry has a device's small
 * number instead of its 32-byte id. A field is one column: NULL is absent, a REAL is plain, a BLOB is sealed (the
 * 12-byte nonce, then the cipher with its tag), so a reading can't have two forms of one field. The view
 * `reading_forms` separates the three. Times are Unix milliseconds.
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
  ph REAL,
  ec REAL,
  water_level REAL,
  temp_water REAL,
  temp_ambient REAL,
  humidity REAL,
  PRIMARY KEY (device, seq)
) WITHOUT ROWID;

CREATE INDEX readings_by_time ON readings (device, (timestamp < 0), timestamp, (seq < 0), seq);

CREATE VIEW reading_forms AS SELECT
  device, seq, timestamp, received_at, key_version,
  iif(typeof(ph) = 'blob', NULL, ph) AS ph_plain,
  iif(typeof(ph) = 'blob', substr(ph, 13), NULL) AS ph_cipher,
  iif(typeof(ph) = 'blob', substr(ph, 1, 12), NULL) AS ph_nonce,
  iif(typeof(ec) = 'blob', NULL, ec) AS ec_plain,
  iif(typeof(ec) = 'blob', substr(ec, 13), NULL) AS ec_cipher,
  iif(typeof(ec) = 'blob', substr(ec, 1, 12), NULL) AS ec_nonce,
  iif(typeof(water_level) = 'blob', NULL, water_level) AS water_level_plain,
  iif(typeof(water_level) = 'blob', substr(water_level, 13), NULL) AS water_level_cipher,
  iif(typeof(water_level) = 'blob', substr(water_level, 1, 12), NULL) AS water_level_nonce,
  iif(typeof(temp_water) = 'blob', NULL, temp_water) AS temp_water_plain,
  iif(typeof(temp_water) = 'blob', substr(temp_water, 13), NULL) AS temp_water_cipher,
  iif(typeof(temp_water) = 'blob', substr(temp_water, 1, 12), NULL) AS temp_water_nonce,
  iif(typeof(temp_ambient) = 'blob', NULL, temp_ambient) AS temp_ambient_plain,
  iif(typeof(temp_ambient) = 'blob', substr(temp_ambient, 13), NULL) AS temp_ambient_cipher,
  iif(typeof(temp_ambient) = 'blob', substr(temp_ambient, 1, 12), NULL) AS temp_ambient_nonce,
  iif(typeof(humidity) = 'blob', NULL, humidity) AS humidity_plain,
  iif(typeof(humidity) = 'blob', substr(humidity, 13), NULL) AS humidity_cipher,
  iif(typeof(humidity) = 'blob', substr(humidity, 1, 12), NULL) AS humidity_nonce
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

/** The owner's notes on devices, separate from the data that devices sent. Only the private store has them. */
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

/**
 * The second schema: sums by hour, so that a chart of years need not read every reading. An hour is that of the
 * device's timestamp (unsigned, in units of 3,600,000 ms). `dirty_hours` marks those whose sums are missing or
 * outdated. The mark is written in the transaction of the reading and removed in that of the sums, so they always
 * agree. `seq_hash` compares sets of readings without reading them: if an hour has the same number of readings and the
 * same hash in two stores, both have the same readings.
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
  received_max INTEGER NOT NULL,
  ph_count INTEGER NOT NULL, ph_sealed INTEGER NOT NULL, ph_min REAL, ph_max REAL, ph_sum REAL NOT NULL,
  ec_count INTEGER NOT NULL, ec_sealed INTEGER NOT NULL, ec_min REAL, ec_max REAL, ec_sum REAL NOT NULL,
  water_level_count INTEGER NOT NULL, water_level_sealed INTEGER NOT NULL, water_level_min REAL, water_level_max REAL, water_level_sum REAL NOT NULL,
  temp_water_count INTEGER NOT NULL, temp_water_sealed INTEGER NOT NULL, temp_water_min REAL, temp_water_max REAL, temp_water_sum REAL NOT NULL,
  temp_ambient_count INTEGER NOT NULL, temp_ambient_sealed INTEGER NOT NULL, temp_ambient_min REAL, temp_ambient_max REAL, temp_ambient_sum REAL NOT NULL,
  humidity_count INTEGER NOT NULL, humidity_sealed INTEGER NOT NULL, humidity_min REAL, humidity_max REAL, humidity_sum REAL NOT NULL,
  PRIMARY KEY (device, hour)
) WITHOUT ROWID;

CREATE TABLE dirty_hours (
  device INTEGER NOT NULL REFERENCES devices (device),
  hour INTEGER NOT NULL,
  PRIMARY KEY (device, hour)
) STRICT, WITHOUT ROWID;

-- The unsigned timestamp divided by an hour: SQLite's shift keeps the sign, the mask takes it off.
INSERT INTO dirty_hours (device, hour) SELECT DISTINCT device, ((timestamp >> 1) & 9223372036854775807) / 1800000 FROM readings;
`;

/** Whether the owner claims a device that only the public store knows; NULL: its owner key decides. */
const notesMine = 'ALTER TABLE device_notes ADD COLUMN mine INTEGER;';

/** The tables of the owner's choices and notes. Only the private store has them. */
const ownerRecords = `
-- The owner's units by field, as JSON; NULL: those that unit_labels of an earlier version stand for. From now on
-- unit_labels holds those of them that the owner was not asked about yet.
ALTER TABLE device_notes ADD COLUMN units TEXT;
ALTER TABLE device_notes ADD COLUMN text TEXT NOT NULL DEFAULT '';

-- What the owner chose for all devices: a JSON document for each name.
CREATE TABLE owner_choices (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What the owner noted at a time; without a device it concerns all.
CREATE TABLE journal (
  entry INTEGER PRIMARY KEY AUTOINCREMENT,
  device_id BLOB,
  at INTEGER NOT NULL,
  text TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE INDEX journal_by_time ON journal (at);
`;

/**
 * The hourly sums of readings that retention deleted. `hourly_rollups` describes only existing readings; an hour is in
 * one of the two.
 */
const retention = `
CREATE TABLE retained_hours (
  device INTEGER NOT NULL REFERENCES devices (device),
  hour INTEGER NOT NULL,
  readings INTEGER NOT NULL,
  ph_count INTEGER NOT NULL, ph_sealed INTEGER NOT NULL, ph_min REAL, ph_max REAL, ph_sum REAL NOT NULL,
  ec_count INTEGER NOT NULL, ec_sealed INTEGER NOT NULL, ec_min REAL, ec_max REAL, ec_sum REAL NOT NULL,
  water_level_count INTEGER NOT NULL, water_level_sealed INTEGER NOT NULL, water_level_min REAL, water_level_max REAL, water_level_sum REAL NOT NULL,
  temp_water_count INTEGER NOT NULL, temp_water_sealed INTEGER NOT NULL, temp_water_min REAL, temp_water_max REAL, temp_water_sum REAL NOT NULL,
  temp_ambient_count INTEGER NOT NULL, temp_ambient_sealed INTEGER NOT NULL, temp_ambient_min REAL, temp_ambient_max REAL, temp_ambient_sum REAL NOT NULL,
  humidity_count INTEGER NOT NULL, humidity_sealed INTEGER NOT NULL, humidity_min REAL, humidity_max REAL, humidity_sum REAL NOT NULL,
  PRIMARY KEY (device, hour)
) WITHOUT ROWID;

-- The hour since which nothing of a device was deleted: an earlier one may be in retained_hours.
CREATE TABLE retention (
  device INTEGER PRIMARY KEY REFERENCES devices (device),
  kept_from INTEGER NOT NULL
) STRICT;
`;

/** The column and tables for times that a wrong clock gave. */
const clocks = `
-- The number of the clock by which received_at was taken, where that was not known to be right; NULL: it was. By it the
-- readings are found again once the time is known.
ALTER TABLE readings ADD COLUMN clock INTEGER;

-- Clocks whose readings were moved, all of them.
CREATE TABLE moved_clocks (
  clock INTEGER PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT;

-- When times of a device were moved, by how many milliseconds, and of how many readings.
CREATE TABLE moved_arrivals (
  device INTEGER NOT NULL REFERENCES devices (device),
  at INTEGER NOT NULL,
  moved_by INTEGER NOT NULL,
  readings INTEGER NOT NULL,
  PRIMARY KEY (device, at)
) STRICT, WITHOUT ROWID;
`;

/**
 * The signature and raw string of a reading. `signed` is the number of the raw string's composition, which rebuilds it
 * from the other columns, or its bytes if it has no known composition. Both are NULL for readings that were stored
 * before this version, that were imported, or whose raw string would reveal data that the policy hides.
 */
const signatures = `
ALTER TABLE readings ADD COLUMN signature BLOB;
ALTER TABLE readings ADD COLUMN signed BLOB;
`;

/**
 * The log: an append-only Merkle tree (RFC 6962) of the stored data, in the order in which it was stored. `entry` is
 * the index of a reading's leaf, assigned when the reading is stored; its hash is computed later. Readings of earlier
 * versions have none.
 */
const log = `
ALTER TABLE readings ADD COLUMN entry INTEGER;
-- When and by which clock a reading was received as first recorded, "<received_at> <clock>", where that was moved since.
ALTER TABLE readings ADD COLUMN first_arrival TEXT;
CREATE UNIQUE INDEX readings_by_entry ON readings (entry) WHERE entry IS NOT NULL;

-- Entries that are no readings: their text.
CREATE TABLE log_entries (
  entry INTEGER PRIMARY KEY,
  content TEXT NOT NULL
) STRICT;

-- The hash of each leaf; those of readings that the program deleted are marked.
CREATE TABLE log_leaves (
  entry INTEGER PRIMARY KEY,
  hash BLOB NOT NULL,
  is_deleted INTEGER NOT NULL DEFAULT 0
) STRICT;

-- The hashes of complete subtrees of 2^level leaves, from level 8 on.
CREATE TABLE log_nodes (
  level INTEGER NOT NULL,
  position INTEGER NOT NULL,
  hash BLOB NOT NULL,
  PRIMARY KEY (level, position)
) STRICT, WITHOUT ROWID;

-- How many leaves are hashed; in one row.
CREATE TABLE log_state (
  row INTEGER PRIMARY KEY CHECK (row = 1),
  size INTEGER NOT NULL
) STRICT;
INSERT INTO log_state VALUES (1, 0);

-- Signed checkpoints of the tree, as notes.
CREATE TABLE log_checkpoints (
  size INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  note TEXT NOT NULL
) STRICT;
`;

/** The act and the author of journal entries. Only the private store has them. */
const acts = `
-- What was done, as JSON; NULL: a note.
ALTER TABLE journal ADD COLUMN act TEXT;
-- The name of the pairing that wrote it; NULL: somebody at the machine itself.
ALTER TABLE journal ADD COLUMN author TEXT;
`;

/** An index for calibrations. They correct a device's values, so every list of devices reads them. */
const calibrations = `
CREATE INDEX journal_calibrations ON journal (device_id) WHERE substr(act, 1, 20) = '{"kind":"calibrated"';
`;

type Migration = (db: Database, name: StoreName) => void;

/** Step i migrates a store from version i to i+1 (`PRAGMA user_version`). A released step never changes. */
const MIGRATIONS: readonly Migration[] = [
  (db, name) => {
    db.exec(first);
    if (name === 'private') db.exec(ownerNotes);
  },
  (db, name) => {
    db.exec(rollups);
    if (name === 'private') db.exec(notesMine);
  },
  (db, name) => {
    if (name === 'private') db.exec(ownerRecords);
  },
  (db) => {
    db.exec(retention);
  },
  (db) => {
    db.exec(clocks);
  },
  (db) => {
    db.exec(signatures);
  },
  (db) => {
    db.exec(log);
  },
  (db, name) => {
    if (name === 'private') db.exec(acts);
  },
  (db, name) => {
    if (name === 'private') db.exec(calibrations);
  },
];

/** The version of the stores that this program writes. */
export const STORE_VERSION = MIGRATIONS.length;

/**
 * Migrates an open store to the present version in one transaction. `target` is an older version, for tests of the
 * later steps.
 */
export function migrate(db: Database, name: StoreName, target = STORE_VERSION): void {
  const version = db.pragma('user_version', { simple: true }) as number;
  if (version === target) return;
  db.transaction(() => {
    for (const step of MIGRATIONS.slice(version, target)) step(db, name);
    db.pragma(`application_id = ${APPLICATION_IDS[name]}`);
    db.pragma(`user_version = ${target}`);
  }).exclusive();
}

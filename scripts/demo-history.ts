import { join } from 'node:path';
import Database from 'better-sqlite3';
import { loadOrCreateIdentity } from '../src/main/data-folder/identity.ts';
import type { NewReading, StoredField } from '../src/main/store/reading.ts';
import { prepareStore } from '../src/main/store/sqlite/file/database.ts';
import { DirectWriter } from '../src/main/store/sqlite/write/direct-writer.ts';
import { deriveFieldKey } from '../src/shared/crypto/keyring/field-key.ts';
import { REFERENCE_DIGITS } from '../src/shared/measures/units.ts';
import type { StoreName } from '../src/shared/protocol/codes.ts';
import { type DeviceRegistrationInput, deviceRegistration } from '../src/shared/protocol/device.ts';
import { FIELD_NAMES, type FieldName } from '../src/shared/protocol/fields.ts';
import { sealedField } from '../src/simulator/block-source.ts';
import { measure, traitsOf } from '../src/simulator/curves.ts';
import type { SimulatedDevice } from '../src/simulator/device.ts';

/** A device of the demo. */
export interface DemoDevice {
  readonly device: SimulatedDevice;
  readonly encrypt: readonly FieldName[];
  /** The arrival time of its last reading, in Unix milliseconds. */
  readonly lastAt: number;
  /** When a device without a clock was switched on: its timestamps count from then. null for a device with a clock. */
  readonly bootedAt: number | null;
  /** Whether its pH leaves its range while it is live. */
  readonly drifts?: boolean;
  readonly location?: bigint;
  readonly stores: readonly StoreName[];
}

export const HISTORY_DAYS = 30;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const READINGS_AT_ONCE = 1000;

/** The length of the history, and the interval of its readings. */
export interface HistorySpan {
  readonly days: number;
  readonly everyMs: number;
}
const MONTH: HistorySpan = { days: HISTORY_DAYS, everyMs: MINUTE_MS };

/**
 * Creates a data folder whose devices have posted readings for some days; by default a reading a minute for 30 days. It
 * writes straight into the stores: posted readings would all have arrived today.
 */
export function writeHistory(
  dataDir: string,
  devices: readonly DemoDevice[],
  ownerSeed: Uint8Array,
  span: HistorySpan = MONTH,
): void {
  loadOrCreateIdentity(dataDir, false);
  for (const name of ['private', 'public'] as const) {
    const path = join(dataDir, `${name}.db`);
    prepareStore(path, name);
    const writer = new DirectWriter(path);
    for (const demo of devices.filter(({ stores }) => stores.includes(name))) write(writer, demo, ownerSeed, span);
    writer.sumUp();
    writer.close();
    countByArrival(path);
  }
}

/** Counts the readings by the hour of their arrival: the writer counted all of them as of today. */
function countByArrival(path: string): void {
  const db = new Database(path);
  db.exec(`DELETE FROM hourly_counts;
    INSERT INTO hourly_counts (hour, outcome, count) SELECT received_at / 3600000, 'stored', count(*) FROM readings GROUP BY 1`);
  db.close();
}

/** Returns the registration that a demo device sends. */
export function registrationOf({ device, location, stores }: DemoDevice): DeviceRegistrationInput {
  return device.registration({
    ownerName: 'Demo',
    publishTo: stores.length === 2 ? 2 : 0,
    ...(location === undefined ? {} : { location }),
  });
}

function write(writer: DirectWriter, demo: DemoDevice, ownerSeed: Uint8Array, { days, everyMs }: HistorySpan): void {
  const end = demo.lastAt;
  const start = end - days * DAY_MS;
  writer.register(deviceRegistration.parse(registrationOf(demo)), start);
  const key = deriveFieldKey(ownerSeed, Buffer.from(demo.device.id, 'hex'), 1);
  const traits = traitsOf(demo.device.seed);
  let readings: NewReading[] = [];
  for (let seq = 1; start + seq * everyMs <= end; seq += 1) {
    const time = start + seq * everyMs;
    const values = measure(traits, time);
    const fields = {} as Record<FieldName, StoredField>;
    for (const name of FIELD_NAMES) {
      if (demo.encrypt.includes(name)) {
        const { nonce, cipher } = sealedField(key, values[name]);
        fields[name] = Buffer.from(nonce + cipher, 'hex');
      } else fields[name] = Number(values[name].toFixed(REFERENCE_DIGITS[name]));
    }
    readings.push({
      deviceId: demo.device.id,
      seq: BigInt(seq),
      timestamp: BigInt(time - (demo.bootedAt ?? 0)),
      receivedAt: time + 150 + ((seq * 37) % 400),
      keyVersion: demo.encrypt.length > 0 ? 1 : 0,
      fields,
    });
    if (readings.length === READINGS_AT_ONCE) {
      writer.append(readings);
      readings = [];
    }
  }
  if (readings.length > 0) writer.append(readings);
}

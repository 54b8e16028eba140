import { join } from 'node:path';
import Database from 'better-sqlite3';
import { loadOrCreateIdentity } from '../src/main/data-folder/identity.ts';
import type { NewReading } from '../src/main/store/reading.ts';
import { prepareStore } from '../src/main/store/sqlite/file/database.ts';
import { DirectWriter } from '../src/main/store/sqlite/write/direct-writer.ts';
import { publicKeyOf } from '../src/shared/crypto/ed25519.ts';
import { deviceRegistration } from '../src/shared/protocol/device.ts';
import { FIELD_NAMES, type FieldName } from '../src/shared/protocol/fields.ts';
import { measure, traitsOf } from '../src/simulator/curves.ts';
import { SimulatedDevice } from '../src/simulator/device.ts';

/** The amount of data for which the owner's view must be fast. */
export const DEVICES = 300;
export const READINGS = 1_000_000;
/** A year of one device's readings, one per minute. */
export const YEAR_READINGS = 365 * 24 * 60;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const READINGS_AT_ONCE = 1000;
const OWNER = Buffer.from(publicKeyOf(Buffer.alloc(32, 5))).toString('hex');

/**
 * Fills a data folder with 300 devices of one owner and a million readings that end now. The first device has a year of
 * them, one per minute; the others share the rest. It writes straight into the store, as the node would have done over
 * time.
 */
export function writeLargeStore(dataDir: string): readonly SimulatedDevice[] {
  loadOrCreateIdentity(dataDir, false);
  const paths = { private: join(dataDir, 'private.db'), public: join(dataDir, 'public.db') } as const;
  for (const name of ['private', 'public'] as const) prepareStore(paths[name], name);
  const writer = new DirectWriter(paths.private);
  const now = Date.now();
  const each = Math.ceil((READINGS - YEAR_READINGS) / (DEVICES - 1));
  const devices = Array.from({ length: DEVICES }, (_, index) => {
    const seed = Buffer.alloc(32);
    seed.writeUInt16BE(index + 1);
    const device = new SimulatedDevice({ seed, name: `Tank ${index + 1}`, ownerPubkey: OWNER });
    const registration = deviceRegistration.parse(device.registration({ publishTo: 0, ownerName: 'Bench' }));
    writer.register(registration, now - 366 * DAY_MS);
    append(writer, device, index === 0 ? YEAR_READINGS : each, now);
    return device;
  });
  writer.sumUp();
  writer.close();
  const db = new Database(paths.private);
  // The writer counted all readings as of today, so this counts them by the hour of their arrival.
  db.exec(`DELETE FROM hourly_counts;
    INSERT INTO hourly_counts (hour, outcome, count) SELECT received_at / 3600000, 'stored', count(*) FROM readings GROUP BY 1;
    PRAGMA wal_checkpoint(TRUNCATE)`);
  db.close();
  return devices;
}

/**
 * Fills another data folder with a year of one device in both stores. The device has no clock and restarts every day,
 * so its timestamps do not show when it measured.
 */
export function writeYearWithoutClock(dataDir: string): SimulatedDevice {
  loadOrCreateIdentity(dataDir, false);
  const device = new SimulatedDevice({ seed: Buffer.alloc(32, 99), name: 'Without a clock', ownerPubkey: OWNER });
  const registration = deviceRegistration.parse(device.registration({ publishTo: 2, ownerName: 'Bench' }));
  const now = Date.now();
  for (const name of ['private', 'public'] as const) {
    const path = join(dataDir, `${name}.db`);
    prepareStore(path, name);
    const writer = new DirectWriter(path);
    writer.register(registration, now - 366 * DAY_MS);
    append(writer, device, YEAR_READINGS, now, (time) => time % DAY_MS);
    writer.sumUp();
    writer.close();
  }
  return device;
}

function append(
  writer: DirectWriter,
  device: SimulatedDevice,
  count: number,
  now: number,
  timestampAt = (time: number) => time,
): void {
  const traits = traitsOf(device.seed);
  let readings: NewReading[] = [];
  for (let seq = 1; seq <= count; seq += 1) {
    const time = now - (count - seq) * MINUTE_MS;
    const values = measure(traits, time);
    const fields = {} as Record<FieldName, number>;
    for (const name of FIELD_NAMES) fields[name] = Number(values[name].toFixed(2));
    readings.push({
      deviceId: device.id,
      seq: BigInt(seq),
      timestamp: BigInt(timestampAt(time)),
      receivedAt: time + 200,
      keyVersion: 0,
      fields,
    });
    if (readings.length < READINGS_AT_ONCE && seq < count) continue;
    writer.append(readings);
    readings = [];
  }
}

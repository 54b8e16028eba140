import { join } from 'node:path';
import Database from 'better-sqlite3';
import { loadOrCreateIdentity } from '../src/main/identity.ts';
import { prepareStore } from '../src/main/store/database.ts';
import type { ReadingRow } from '../src/main/store/write-jobs.ts';
import { WriterConnection } from '../src/main/store/writer-connection.ts';
import { publicKeyOf } from '../src/shared/crypto/ed25519.ts';
import { deviceRegistration } from '../src/shared/protocol/device.ts';
import { measure, traitsOf } from '../src/simulator/curves.ts';
import { SimulatedDevice } from '../src/simulator/device.ts';

/** What the speed of the owner's view is promised for. */
export const DEVICES = 50;
export const READINGS = 1_000_000;
/** A year of one device's readings, one a minute. */
export const YEAR_READINGS = 365 * 24 * 60;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const ROWS_AT_ONCE = 1000;
const OWNER = Buffer.from(publicKeyOf(Buffer.alloc(32, 5))).toString('hex');

/**
 * Fills a data folder with 50 devices of one owner and a million readings that end now: the first device has a year of
 * them, one a minute, the others share the rest. Written straight into the store, as they would lie there by then.
 */
export function writeLargeStore(dataDir: string): readonly SimulatedDevice[] {
  loadOrCreateIdentity(dataDir, false);
  const paths = { local: join(dataDir, 'private.db'), public: join(dataDir, 'public.db') } as const;
  for (const destination of ['local', 'public'] as const) prepareStore(paths[destination], destination);
  const writer = new WriterConnection({ path: paths.local, durability: 'normal', bounds: null });
  const now = Date.now();
  const each = Math.ceil((READINGS - YEAR_READINGS) / (DEVICES - 1));
  const devices = Array.from({ length: DEVICES }, (_, index) => {
    const seed = Buffer.alloc(32, index + 1);
    const device = new SimulatedDevice({ seed, name: `Tank ${index + 1}`, ownerPubkey: OWNER });
    const registration = deviceRegistration.parse(device.registration({ publishTo: 0, ownerName: 'Bench' }));
    writer.runGroup([{ kind: 'register', registration, createdAt: now - 366 * 86_400_000 }]);
    append(writer, index + 1, device, index === 0 ? YEAR_READINGS : each, now);
    return device;
  });
  while (writer.sumUp(1000));
  writer.close();
  const db = new Database(paths.local);
  // The writer counted all of it as of today.
  db.exec(`DELETE FROM hourly_counts;
    INSERT INTO hourly_counts SELECT received_at / 3600000, 'stored', count(*) FROM readings GROUP BY 1;
    PRAGMA wal_checkpoint(TRUNCATE)`);
  db.close();
  return devices;
}

/**
 * Fills another data folder with a year of one device in both stores that has no clock and starts anew every day, so
 * that its timestamps tell nothing of when it measured.
 */
export function writeYearWithoutClock(dataDir: string): SimulatedDevice {
  loadOrCreateIdentity(dataDir, false);
  const device = new SimulatedDevice({ seed: Buffer.alloc(32, 99), name: 'Without a clock', ownerPubkey: OWNER });
  const registration = deviceRegistration.parse(device.registration({ publishTo: 2, ownerName: 'Bench' }));
  const now = Date.now();
  for (const destination of ['local', 'public'] as const) {
    const path = join(dataDir, destination === 'local' ? 'private.db' : 'public.db');
    prepareStore(path, destination);
    const writer = new WriterConnection({ path, durability: 'normal', bounds: null });
    writer.runGroup([{ kind: 'register', registration, createdAt: now - 366 * DAY_MS }]);
    append(writer, 1, device, YEAR_READINGS, now, (time) => time % DAY_MS);
    while (writer.sumUp(1000));
    writer.close();
  }
  return device;
}

function append(
  writer: WriterConnection,
  number: number,
  device: SimulatedDevice,
  count: number,
  now: number,
  timestampAt = (time: number) => time,
): void {
  const traits = traitsOf(device.seed);
  let rows: ReadingRow[] = [];
  for (let seq = 1; seq <= count; seq += 1) {
    const time = now - (count - seq) * MINUTE_MS;
    const { ph, ec, waterLevel, tempWater, tempAmbient, humidity } = measure(traits, time);
    const fields = [ph, ec, waterLevel, tempWater, tempAmbient, humidity].map((value) => Number(value.toFixed(2)));
    rows.push([
      number,
      seq,
      timestampAt(time),
      time + 200,
      0,
      ...(fields as [number, number, number, number, number, number]),
    ]);
    if (rows.length < ROWS_AT_ONCE && seq < count) continue;
    writer.runGroup([{ kind: 'append', rows }]);
    rows = [];
  }
}

import type { NewReading } from '../src/main/store/reading.ts';
import { openForReading } from '../src/main/store/sqlite/file/database.ts';
import { DirectWriter } from '../src/main/store/sqlite/write/direct-writer.ts';
import { FIELD_NAMES, type FieldName } from '../src/shared/protocol/fields.ts';
import { sensorValues, timestampOf } from './traffic.ts';

const READINGS_PER_TRANSACTION = 100_000;

/**
 * Puts `count` readings into a store that no node has open, evenly over its devices, with the node's own write
 * connection and in the order of arrival: all devices in turn, once a minute. The order matters because it decides how
 * full the pages are. Returns the next sequence number, which is the same for each device.
 */
export function growStore(path: string, count: number): number {
  const devices = readDevices(path);
  const seqs = Math.ceil(count / devices.length);
  const writer = new DirectWriter(path);
  let readings: NewReading[] = [];
  for (let seq = 1; seq <= seqs; seq += 1) {
    for (const [index, id] of devices.entries()) readings.push(readingOf(id, index, seq));
    if (readings.length < READINGS_PER_TRANSACTION && seq < seqs) continue;
    writer.append(readings);
    writer.sumUp();
    readings = [];
  }
  writer.close();
  return seqs + 1;
}

function readDevices(path: string): string[] {
  const db = openForReading(path);
  try {
    const ids = db.prepare<[], Buffer>('SELECT id FROM devices ORDER BY device').pluck().all();
    return ids.map((id) => id.toString('hex'));
  } finally {
    db.close();
  }
}

function readingOf(deviceId: string, index: number, seq: number): NewReading {
  const values = sensorValues(seq);
  const timestamp = timestampOf(seq);
  const fields = Object.fromEntries(FIELD_NAMES.map((name) => [name, values[name] ?? null])) as Record<
    FieldName,
    number | null
  >;
  // A reading arrives some milliseconds after its measurement.
  const receivedAt = timestamp + 200 + index;
  return { deviceId, seq: BigInt(seq), timestamp: BigInt(timestamp), receivedAt, keyVersion: 0, fields };
}

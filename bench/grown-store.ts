import { openForReading } from '../src/main/store/database.ts';
import type { ReadingRow } from '../src/main/store/write-jobs.ts';
import { WriterConnection } from '../src/main/store/writer-connection.ts';
import { sensorValues, timestampOf } from './traffic.ts';

const ROWS_PER_TRANSACTION = 100_000;
const SUM_UP_MS = 1000;

/**
 * Puts `count` readings into a store that no node holds open, evenly over its devices and with the node's own write
 * connection, in the order in which they would have arrived: all devices in turn, once a minute. That order matters: it
 * decides how full the pages are. Returns the seq that comes next, the same for each device.
 */
export function growStore(path: string, count: number): number {
  const devices = readDevices(path);
  const seqs = Math.ceil(count / devices.length);
  const connection = new WriterConnection({ path, durability: 'normal', bounds: null });
  let rows: ReadingRow[] = [];
  for (let seq = 1; seq <= seqs; seq += 1) {
    for (const device of devices) rows.push(readingRow(device, seq));
    if (rows.length < ROWS_PER_TRANSACTION && seq < seqs) continue;
    const [outcome] = connection.runGroup([{ kind: 'append', rows }]) ?? [];
    if (outcome?.ok !== true) throw new Error(`the store took no readings: ${JSON.stringify(outcome)}`);
    // A node that had lived as long would have summed the hours up long ago.
    while (connection.sumUp(SUM_UP_MS));
    rows = [];
  }
  connection.close();
  return seqs + 1;
}

function readDevices(path: string): number[] {
  const db = openForReading(path);
  try {
    return db.prepare<[], number>('SELECT device FROM devices ORDER BY device').pluck().all();
  } finally {
    db.close();
  }
}

function readingRow(device: number, seq: number): ReadingRow {
  const { ph, ec, waterLevel, tempWater, tempAmbient, humidity } = sensorValues(seq);
  const timestamp = timestampOf(seq);
  // A reading arrives some milliseconds after it was taken.
  const receivedAt = timestamp + 200 + device;
  return [
    device,
    seq,
    timestamp,
    receivedAt,
    0,
    ph ?? null,
    ec ?? null,
    waterLevel ?? null,
    tempWater ?? null,
    tempAmbient ?? null,
    humidity ?? null,
  ];
}

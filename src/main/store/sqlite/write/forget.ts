import type { Database } from 'better-sqlite3';
import type { DeviceNumbers } from './device-numbers.ts';
import type { LogWriter } from './log-writer.ts';
import type { Moves } from './move-arrivals.ts';
import type { Pruning } from './prune.ts';
import type { RollupWriter } from './rollup-writer.ts';
import type { WriteJob, WriteResults } from './write-jobs.ts';

/** The parts of the writer that have data of a device. */
interface Forgetting {
  readonly numbers: DeviceNumbers;
  readonly rollups: RollupWriter;
  readonly pruning: Pruning;
  readonly moves: Moves;
  readonly log: LogWriter;
}

/**
 * Prepares the job that forgets a device in small steps, so that ingestion continues between them. It deletes readings
 * first, the oldest first, then counts, and the device's row last. Until then, also after a crash, the device stays
 * registered with fewer readings.
 */
export function prepareForget(
  db: Database,
  { numbers, rollups, pruning, moves, log }: Forgetting,
): (job: Extract<WriteJob, { kind: 'forget' }>) => WriteResults['forget'] {
  const oldest = db
    .prepare<[number, number], [seq: bigint, timestamp: bigint, entry: bigint | null]>(
      `SELECT seq, timestamp, entry FROM readings WHERE device = ?
       ORDER BY (timestamp < 0), timestamp, (seq < 0), seq LIMIT ?`,
    )
    .raw()
    .safeIntegers();
  const deleteReading = db.prepare('DELETE FROM readings WHERE device = ? AND seq = ?');
  const deleteWithheld = db.prepare('DELETE FROM withheld WHERE device = ?');
  const deleteDevice = db.prepare('DELETE FROM devices WHERE device = ?');

  return ({ id, limit }) => {
    const device = numbers.of(id);
    if (device === null) return { readings: 0, isDone: true };
    const readings = oldest.all(device, limit);
    for (const [seq, timestamp, entry] of readings) {
      log.deleting(entry === null ? null : Number(entry));
      deleteReading.run(device, seq);
      rollups.touch(device, timestamp);
    }
    const isDone = readings.length < limit;
    if (isDone) {
      rollups.forget(device);
      pruning.forget(device);
      moves.forget(device);
      log.forgetRegistration(id);
      deleteWithheld.run(device);
      deleteDevice.run(device);
      numbers.forget(id);
    }
    return { readings: readings.length, isDone };
  };
}

import type { Database } from 'better-sqlite3';
import { MAX_READINGS_RETURNED } from '../../../../shared/protocol/limits.ts';
import { AHEAD_MS, UPTIME_BELOW_MS } from '../../../common/device-clock.ts';
import { HOUR_MS } from '../../counts.ts';
import { RETAINED_COLUMNS } from '../file/columns.ts';
import { hourOf } from '../file/unsigned.ts';
import type { DeviceNumbers } from './device-numbers.ts';
import type { KeptFrom } from './kept-from.ts';
import type { LogWriter } from './log-writer.ts';
import type { RollupWriter } from './rollup-writer.ts';
import type { WriteJob, WriteResults } from './write-jobs.ts';

const UPTIME_BELOW = Number(UPTIME_BELOW_MS);
const FIRST_HOUR = Math.ceil(UPTIME_BELOW / HOUR_MS);
/** The number of readings that a search for strays reads for each one that it may delete. */
const LOOKED_AT = 10;

type Prune = Extract<WriteJob, { kind: 'prune' }>;
type PruneStrays = Extract<WriteJob, { kind: 'pruneStrays' }>;
type LookedAt = [seq: bigint, timestamp: bigint, receivedAt: bigint, entry: bigint | null];

/** The jobs of retention, in small steps, so that ingestion continues between them. */
export interface Pruning {
  /**
   * Deletes the readings of whole hours, oldest first, if all were measured and received before a time, and keeps the
   * sums of the hours. It stops before an hour without up-to-date sums. The newest 500 readings of a device always
   * stay.
   */
  prune(job: Prune): WriteResults['prune'];
  /** Deletes readings with meaningless timestamps, by their time of arrival. No sums of them are kept. */
  pruneStrays(job: PruneStrays): WriteResults['pruneStrays'];
  /** Returns whether a reading belongs to an hour with only sums: if it was stored, it would count twice. */
  isPruned(device: number, timestamp: number | bigint): boolean;
  /** Removes the sums of a device, in the transaction that removes its row. */
  forget(device: number): void;
}

/** Prepares the jobs of retention for a connection. */
export function preparePruning(
  db: Database,
  numbers: DeviceNumbers,
  rollups: RollupWriter,
  keptFrom: KeptFrom,
  log: LogWriter,
): Pruning {
  const nextHour = db
    .prepare<[number, number, number], number>(
      `SELECT hour FROM hourly_rollups WHERE device = ? AND hour >= ${FIRST_HOUR} AND hour < ? AND received_max < ?
       ORDER BY hour LIMIT 1`,
    )
    .pluck();
  const firstDirty = db
    .prepare<[number], number | null>(`SELECT min(hour) FROM dirty_hours WHERE device = ? AND hour >= ${FIRST_HOUR}`)
    .pluck();
  const columns = RETAINED_COLUMNS.join(', ');
  const keepSums = db.prepare(
    `REPLACE INTO retained_hours (${columns}) SELECT ${columns} FROM hourly_rollups WHERE device = ? AND hour = ?`,
  );
  const removeSums = db.prepare('DELETE FROM hourly_rollups WHERE device = ? AND hour = ?');
  const forgetSums = db.prepare('DELETE FROM retained_hours WHERE device = ?');
  const isKeptAsSums = db.prepare<[number, number], 1>('SELECT 1 FROM retained_hours WHERE device = ? AND hour = ?');
  const deleteHour = db.prepare(
    'DELETE FROM readings WHERE device = ? AND (timestamp < 0) = 0 AND timestamp >= ? AND timestamp < ?',
  );
  const deleteReading = db.prepare('DELETE FROM readings WHERE device = ? AND seq = ?');
  const newest = db
    .prepare<[number, number], [number]>(
      `SELECT timestamp FROM readings INDEXED BY readings_by_time WHERE device = ? AND (timestamp < 0) = ?
       ORDER BY timestamp DESC LIMIT 1 OFFSET ${MAX_READINGS_RETURNED - 1}`,
    )
    .raw();

  /**
   * Returns the timestamp of the oldest of the newest readings, which always stay; null if there are fewer with a
   * timestamp below 2^63.
   */
  function oldestToStay(device: number): number | null {
    return newest.get(device, 0)?.[0] ?? null;
  }

  function prune({ id, before, limit }: Prune): WriteResults['prune'] {
    const device = numbers.of(id);
    const stays = device === null ? null : oldestToStay(device);
    if (device === null || stays === null) return { readings: 0, isDone: true, isWaiting: false };
    const old = Math.min(Math.floor(before / HOUR_MS), hourOf(stays));
    const dirty = firstDirty.get(device) ?? Number.POSITIVE_INFINITY;
    const end = Math.min(old, dirty);
    let readings = 0;
    while (readings < limit) {
      const hour = nextHour.get(device, end, before);
      if (hour === undefined) return { readings, isDone: true, isWaiting: dirty < old };
      keepSums.run(device, hour);
      removeSums.run(device, hour);
      keptFrom.raise(device, hour + 1);
      log.deletingHour(device, hour * HOUR_MS, (hour + 1) * HOUR_MS);
      readings += deleteHour.run(device, hour * HOUR_MS, (hour + 1) * HOUR_MS).changes;
    }
    return { readings, isDone: false, isWaiting: dirty < old };
  }

  const ofDevice = 'SELECT seq, timestamp, received_at, entry FROM readings WHERE device = ?';
  const firstInOrder = db.prepare<[number, number], LookedAt>(`${ofDevice} ORDER BY seq LIMIT ?`).raw().safeIntegers();
  const nextInOrder = db
    .prepare<[number, bigint, number], LookedAt>(`${ofDevice} AND seq > ? ORDER BY seq LIMIT ?`)
    .raw()
    .safeIntegers();
  const anyBetween = db.prepare<[number, number, number], 1>(
    `SELECT 1 FROM readings INDEXED BY readings_by_time
     WHERE device = ? AND (timestamp < 0) = 0 AND timestamp >= ? AND timestamp < ? LIMIT 1`,
  );
  const hasStrays = (device: number, before: number) =>
    anyBetween.get(device, 0, UPTIME_BELOW) !== undefined ||
    anyBetween.get(device, before, Number.MAX_SAFE_INTEGER) !== undefined;

  function pruneStrays({ id, before, after, limit }: PruneStrays): WriteResults['pruneStrays'] {
    const device = numbers.of(id);
    if (device === null || (after === null && !hasStrays(device, before))) {
      return { readings: 0, next: null };
    }
    const stays = BigInt(oldestToStay(device) ?? 0);
    const most = limit * LOOKED_AT;
    const rows = after === null ? firstInOrder.all(device, most) : nextInOrder.all(device, after, most);
    let readings = 0;
    for (const [seq, timestamp, receivedAt, entry] of rows) {
      if (readings >= limit) return { readings, next: seq - 1n };
      const isStray = timestamp < UPTIME_BELOW_MS || timestamp > receivedAt + AHEAD_MS;
      if (!isStray || receivedAt >= BigInt(before) || timestamp < 0n || timestamp >= stays) continue;
      log.deleting(entry === null ? null : Number(entry));
      deleteReading.run(device, seq);
      rollups.touch(device, timestamp);
      readings += 1;
    }
    return { readings, next: rows.length < most ? null : rows.at(-1)![0] };
  }

  return {
    prune,
    pruneStrays,
    isPruned: (device, timestamp) => {
      const from = keptFrom.of(device);
      // This runs for each stored reading. Most devices never had one deleted.
      if (from === 0) return false;
      const hour = hourOf(timestamp);
      return hour < from && isKeptAsSums.get(device, hour) !== undefined;
    },
    forget: (device) => {
      forgetSums.run(device);
      keptFrom.forget(device);
    },
  };
}

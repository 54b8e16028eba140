import type { Database } from 'better-sqlite3';
import type { ArrivalMove, MovedTo } from '../../arrival-move.ts';
import { HOUR_MS } from '../../counts.ts';
import { timestampsOfHour } from '../file/unsigned.ts';
import type { LogWriter } from './log-writer.ts';
import type { RollupWriter } from './rollup-writer.ts';
import type { WriteJob, WriteResults } from './write-jobs.ts';

/** The number of hours that are read in one step. */
const HOURS_AT_ONCE = 200;

/** The node's time may go back by this much without a move. */
const SLACK_MS = 60_000;

/** The jobs that move times of arrival that a wrong clock gave. */
export interface Moves {
  move(job: Extract<WriteJob, { kind: 'moveArrivals' }>): WriteResults['moveArrivals'];
  /**
   * Returns the time and clock to store for an arrival: moved if its clock was found to be wrong before it was stored.
   */
  now(receivedAt: number, clock: number): { readonly receivedAt: number; readonly clock: number };
  /** Removes the notes about moves of a device, in the transaction that removes its row. */
  forget(device: number): void;
}

/**
 * Prepares the moves for a connection. The clock number of a reading shows whether it was moved, and each step is one
 * transaction with all derived data. So an interrupted move can continue without counting anything twice.
 */
export function prepareMoves(db: Database, rollups: RollupWriter, log: LogWriter): Moves {
  /** The moves of this connection by clock, both in progress and complete. */
  const known = new Map<number, ArrivalMove>();
  const isMade = db.prepare<[number], 1>('SELECT 1 FROM moved_clocks WHERE clock = ?').pluck();
  const setMade = db.prepare('INSERT INTO moved_clocks (clock, at) VALUES (?, ?)');
  const hours = db
    .prepare<[number, number, number, number], [device: number, hour: number]>(
      `SELECT device, hour FROM (
         SELECT device, hour FROM dirty_hours
         UNION SELECT device, hour FROM hourly_rollups WHERE received_max >= ? AND received_min <= ?
       ) WHERE (device, hour) > (?, ?) ORDER BY device, hour LIMIT ${HOURS_AT_ONCE}`,
    )
    .raw();
  const readings = db
    .prepare<[number, number, bigint, bigint, number], [seq: bigint, timestamp: bigint, receivedAt: bigint]>(
      `SELECT seq, timestamp, received_at FROM readings INDEXED BY readings_by_time
       WHERE device = ? AND (timestamp < 0) = ? AND timestamp BETWEEN ? AND ? AND clock = ?`,
    )
    .raw()
    .safeIntegers();
  const moveReading = db.prepare(
    `UPDATE readings SET first_arrival = coalesce(first_arrival, received_at || ' ' || coalesce(clock, 0)),
       received_at = ?, clock = ? WHERE device = ? AND seq = ?`,
  );
  const addToHour = db.prepare(`INSERT INTO hourly_counts (hour, outcome, count) VALUES (?, 'stored', ?)
    ON CONFLICT (hour, outcome) DO UPDATE SET count = count + excluded.count`);
  const note = db.prepare(`INSERT INTO moved_arrivals (device, at, moved_by, readings) VALUES (?, ?, ?, ?)
    ON CONFLICT (device, at) DO UPDATE SET readings = readings + excluded.readings`);
  const idOf = db.prepare<[number], Buffer>('SELECT id FROM devices WHERE device = ?').pluck();
  const removeNotes = db.prepare('DELETE FROM moved_arrivals WHERE device = ?');
  const times = [
    ['withheld', 'first_at'],
    ['withheld', 'last_at'],
    ['unregistered_devices', 'first_at'],
    ['unregistered_devices', 'last_at'],
    ['devices', 'created_at'],
    ['users', 'created_at'],
  ].map(([table, column]) =>
    db.prepare(`UPDATE ${table} SET ${column} = ${column} + ? WHERE ${column} BETWEEN ? AND ?`),
  );

  /** Moves the readings of an hour of a device; returns their number. */
  function moveHour(device: number, hour: number, { clock, next, by, at }: ArrivalMove): number {
    let moved = 0;
    const counts = new Map<number, number>();
    const count = (time: number, added: number) => {
      const of = Math.floor(time / HOUR_MS);
      counts.set(of, (counts.get(of) ?? 0) + added);
    };
    for (const { isNegative, from, to } of timestampsOfHour(hour)) {
      for (const [seq, timestamp, received] of readings.all(device, isNegative, from, to, clock)) {
        const receivedAt = Number(received);
        moveReading.run(receivedAt + by, next, device, seq);
        rollups.touch(device, timestamp);
        count(receivedAt, -1);
        count(receivedAt + by, 1);
        moved += 1;
      }
    }
    for (const [of, added] of counts) if (added !== 0) addToHour.run(of, added);
    if (moved > 0) note.run(device, at, by, moved);
    return moved;
  }

  /** Moves the times that do not belong to readings, once, after all readings are moved. */
  function finish({ clock, next, by, from, to, at }: ArrivalMove): void {
    log.add({ kind: 'correction', clock, next, by, at });
    for (const statement of times) statement.run(by, from, to);
    setMade.run(clock, at);
  }

  return {
    move: ({ move, after, limit }) => {
      known.set(move.clock, move);
      if (isMade.get(move.clock) !== undefined) return { devices: [], next: null };
      const [afterDevice = 0, afterHour = 0] = after?.split(' ').map(Number) ?? [];
      const found = hours.all(move.from - SLACK_MS, move.to + SLACK_MS, afterDevice, afterHour);
      const devices = new Set<number>();
      let moved = 0;
      for (const [device, hour] of found) {
        const here = moveHour(device, hour, move);
        if (here > 0) devices.add(device);
        moved += here;
        if (moved >= limit) return { devices: ids(devices), next: `${device} ${hour}` };
      }
      const last = found.at(-1);
      const next: MovedTo | null = found.length < HOURS_AT_ONCE || last === undefined ? null : last.join(' ');
      if (next === null) finish(move);
      return { devices: ids(devices), next };
    },
    now: (receivedAt, clock) => {
      let [time, by] = [receivedAt, known.get(clock)];
      let number = clock;
      for (; by !== undefined; by = known.get(number)) {
        time += by.by;
        number = by.next;
      }
      return { receivedAt: time, clock: number };
    },
    forget: (device) => removeNotes.run(device),
  };

  function ids(devices: ReadonlySet<number>): string[] {
    return [...devices].flatMap((device) => idOf.get(device)?.toString('hex') ?? []);
  }
}

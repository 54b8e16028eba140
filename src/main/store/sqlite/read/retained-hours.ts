import type { StoreName } from '../../../../shared/protocol/codes.ts';
import { MAX_READINGS_RETURNED } from '../../../../shared/protocol/limits.ts';
import { AHEAD_MS, UPTIME_BELOW_MS } from '../../../common/device-clock.ts';
import { HOUR_MS } from '../../counts.ts';
import { Sums } from '../../sums.ts';
import { ROLLUP_FIELD_COLUMNS } from '../file/columns.ts';
import { hourOf } from '../file/unsigned.ts';
import type { DeviceNumbers } from './devices.ts';
import type { ReadConnection } from './read-connection.ts';
import { addStored } from './rollup.ts';

type HourRow = [hour: number, readings: number, ...fields: (number | null)[]];

const HOURS_SQL = `SELECT hour, readings, ${ROLLUP_FIELD_COLUMNS.join(', ')} FROM @.retained_hours
  WHERE device = ? AND hour BETWEEN ? AND ?`;
const FIRST_SQL = 'SELECT hour FROM @.retained_hours WHERE device = ? AND hour BETWEEN ? AND ? ORDER BY hour LIMIT 1';
const KEPT_FROM_SQL = 'SELECT kept_from FROM @.retention WHERE device = ?';
const FIRST_HOUR = Math.ceil(Number(UPTIME_BELOW_MS) / HOUR_MS);
const NEWEST_SQL = `SELECT timestamp FROM @.readings INDEXED BY readings_by_time
  WHERE device = ? AND (timestamp < 0) = 0 ORDER BY timestamp DESC LIMIT 1 OFFSET ${MAX_READINGS_RETURNED - 1}`;
const IS_CLEAN = 'NOT EXISTS (SELECT 1 FROM @.dirty_hours d WHERE d.device = h.device AND d.hour = h.hour)';
const OF_HOUR = `CROSS JOIN @.readings r INDEXED BY readings_by_time ON r.device = h.device AND (r.timestamp < 0) = 0
  AND r.timestamp BETWEEN h.hour * ${HOUR_MS} AND h.hour * ${HOUR_MS} + ${HOUR_MS - 1}`;
const BEFORE_SQL = `SELECT coalesce(sum(readings), 0) FROM @.hourly_rollups h
  WHERE device = $device AND hour >= ${FIRST_HOUR} AND hour < $old AND received_max < $before AND ${IS_CLEAN}`;
/** The same for hours whose sums are not made yet, as after an import. */
const DIRTY_BEFORE_SQL = `SELECT coalesce(sum(readings), 0) FROM (
  SELECT count(*) AS readings FROM @.dirty_hours h ${OF_HOUR}
  WHERE h.device = $device AND h.hour >= ${FIRST_HOUR} AND h.hour < $old
  GROUP BY h.hour HAVING max(r.received_at) < $before)`;
const ANY_BETWEEN_SQL = `SELECT count(*) FROM (SELECT 1 FROM @.readings INDEXED BY readings_by_time
  WHERE device = ? AND (timestamp < 0) = 0 AND timestamp >= ? AND timestamp < ? LIMIT 1)`;
/** Readings of a device whose clock is not set: their timestamps are meaningless. */
const CLOCKLESS_SQL = `SELECT count(*) FROM @.readings INDEXED BY readings_by_time
  WHERE device = $device AND (timestamp < 0) = 0 AND timestamp >= 0
    AND timestamp < min(${UPTIME_BELOW_MS}, $stays) AND received_at < $before`;
const IS_AHEAD = `r.timestamp > r.received_at + ${AHEAD_MS} AND r.received_at < $before AND r.timestamp < $stays`;
/** Readings that are dated ahead of their arrival, in hours that are not deleted as a whole. */
const AHEAD_SQL = `SELECT count(*) FROM @.hourly_rollups h ${OF_HOUR}
  WHERE h.device = $device AND h.hour >= ${FIRST_HOUR} AND h.hour <= $stays / ${HOUR_MS}
    AND h.received_min < h.hour * ${HOUR_MS} AND NOT (h.hour < $old AND h.received_max < $before)
    AND ${IS_AHEAD} AND ${IS_CLEAN}`;
const DIRTY_AHEAD_SQL = `SELECT coalesce(sum(readings), 0) FROM (
  SELECT sum(${IS_AHEAD}) AS readings FROM @.dirty_hours h ${OF_HOUR}
  WHERE h.device = $device AND h.hour >= ${FIRST_HOUR} AND h.hour <= $stays / ${HOUR_MS}
  GROUP BY h.hour HAVING NOT (h.hour < $old AND max(r.received_at) < $before))`;

/** Reads the hourly sums of readings that retention deleted. */
export class RetainedHours {
  readonly #connection: ReadConnection;

  constructor(connection: ReadConnection) {
    this.#connection = connection;
  }

  /**
   * Returns the sums of hours between two, both inclusive. If both stores have sums of an hour, those of more readings
   * count.
   */
  between(numbers: DeviceNumbers, from: number, to: number): ReadonlyMap<number, Sums> {
    const hours = new Map<number, Sums>();
    for (const store of this.#connection.names) {
      const device = numbers[store];
      if (device === null) continue;
      for (const row of this.#connection.statement<HourRow>(store, HOURS_SQL).all(device, from, to)) {
        if (row[1] <= (hours.get(row[0])?.readings ?? 0)) continue;
        const sums = new Sums();
        addStored(sums, row[1], row, 2);
        hours.set(row[0], sums);
      }
    }
    return hours;
  }

  /** Returns the first hour between two with only sums, or null. */
  first(numbers: DeviceNumbers, from: number, to: number): number | null {
    const found = this.#each(numbers, FIRST_SQL, from, to);
    return found.length === 0 ? null : Math.min(...found);
  }

  /** Returns the hour since which nothing of a device was deleted in any store; null if nothing ever was. */
  keptFrom(numbers: DeviceNumbers): number | null {
    const found = this.#each(numbers, KEPT_FROM_SQL);
    return found.length === 0 ? null : Math.max(...found);
  }

  /** Returns how many readings of a device retention would delete from a store before a time (Unix milliseconds). */
  countBefore(store: StoreName, device: number, before: number): number {
    const one = (sql: string, ...given: unknown[]) =>
      this.#connection.statement<[number]>(store, sql).get(...given)?.[0];
    const stays = this.#connection.statement<[bigint]>(store, NEWEST_SQL, true).get(device)?.[0];
    // The device has at most the newest readings, which always stay.
    if (stays === undefined) return 0;
    const old = Math.min(Math.floor(before / HOUR_MS), hourOf(stays));
    const given = { device, before, old, stays };
    const sum = (...parts: string[]) => parts.reduce((total, sql) => total + one(sql, namedIn(sql, given))!, 0);
    const hasStrays =
      one(ANY_BETWEEN_SQL, device, 0, UPTIME_BELOW_MS) === 1 ||
      one(ANY_BETWEEN_SQL, device, before, Number.MAX_SAFE_INTEGER) === 1;
    const strays = hasStrays ? sum(CLOCKLESS_SQL, AHEAD_SQL, DIRTY_AHEAD_SQL) : 0;
    return sum(BEFORE_SQL, DIRTY_BEFORE_SQL) + strays;
  }

  #each(numbers: DeviceNumbers, sql: string, ...bounds: number[]): number[] {
    return this.#connection.names.flatMap((store) => {
      const device = numbers[store];
      if (device === null) return [];
      const row = this.#connection.statement<[number]>(store, sql).get(device, ...bounds);
      return row === undefined ? [] : [row[0]];
    });
  }
}

/** Returns only the values that a statement names: the driver refuses others. */
function namedIn(sql: string, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => sql.includes(`$${name}`)));
}

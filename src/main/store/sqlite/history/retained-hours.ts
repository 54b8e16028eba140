import { UPTIME_BELOW_MS } from '../../../common/device-clock.ts';
import { HOUR_MS } from '../../port.ts';
import { Sums } from '../../sums.ts';
import { ROLLUP_FIELD_COLUMNS } from '../file/columns.ts';
import type { DeviceNumbers } from '../read/devices.ts';
import type { ReadConnection } from '../read/read-connection.ts';
import { addStored } from './rollup.ts';

type HourRow = [hour: number, readings: number, ...fields: (number | null)[]];

const HOURS_SQL = `SELECT hour, readings, ${ROLLUP_FIELD_COLUMNS.join(', ')} FROM @.retained_hours
  WHERE device = ? AND hour BETWEEN ? AND ?`;
const FIRST_SQL = 'SELECT hour FROM @.retained_hours WHERE device = ? AND hour BETWEEN ? AND ? ORDER BY hour LIMIT 1';
const KEPT_FROM_SQL = 'SELECT kept_from FROM @.retention WHERE device = ?';
const FIRST_HOUR = Math.ceil(Number(UPTIME_BELOW_MS) / HOUR_MS);
const BEFORE_SQL = `SELECT coalesce(sum(readings), 0) FROM @.hourly_rollups h
  WHERE device = ? AND hour >= ${FIRST_HOUR} AND hour < ? AND received_max < ?
    AND NOT EXISTS (SELECT 1 FROM @.dirty_hours d WHERE d.device = h.device AND d.hour = h.hour)`;
/** The same of hours whose sums are still to be made, as after an import. */
const DIRTY_BEFORE_SQL = `SELECT coalesce(sum(readings), 0) FROM (
  SELECT count(*) AS readings FROM @.dirty_hours h CROSS JOIN @.readings r INDEXED BY readings_by_time
    ON r.device = h.device AND (r.timestamp < 0) = 0
      AND r.timestamp BETWEEN h.hour * ${HOUR_MS} AND h.hour * ${HOUR_MS} + ${HOUR_MS - 1}
  WHERE h.device = ? AND h.hour >= ${FIRST_HOUR} AND h.hour < ?
  GROUP BY h.hour HAVING max(r.received_at) < ?)`;

/** Reads what stays of readings that retention deleted: sums by the hour. */
export class RetainedHours {
  readonly #connection: ReadConnection;

  constructor(connection: ReadConnection) {
    this.#connection = connection;
  }

  /** The sums of hours between two, both inclusive; where both stores have some, those of more readings. */
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

  /** The first hour between two of which only sums are kept; null where there is none. */
  first(numbers: DeviceNumbers, from: number, to: number): number | null {
    const found = this.#each(numbers, FIRST_SQL, from, to);
    return found.length === 0 ? null : Math.min(...found);
  }

  /** The hour since which nothing of a device was deleted in any store; null: nothing ever was. */
  keptFrom(numbers: DeviceNumbers): number | null {
    const found = this.#each(numbers, KEPT_FROM_SQL);
    return found.length === 0 ? null : Math.max(...found);
  }

  /** How many readings were measured and received before a time, in Unix milliseconds; of whole hours. */
  countBefore(store: 'private' | 'public', device: number, before: number): number {
    const hour = Math.floor(before / HOUR_MS);
    const count = (sql: string) => this.#connection.statement<[number]>(store, sql).get(device, hour, before)![0];
    return count(BEFORE_SQL) + count(DIRTY_BEFORE_SQL);
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

import { timestampsOfHour } from '../file/unsigned.ts';
import type { DeviceNumbers } from './devices.ts';
import type { ReadConnection } from './read-connection.ts';

/**
 * The hours of the public store with sums and readings since a time, with the number of readings that both stores have;
 * -1 if they must be counted.
 */
const SUMMED_SQL = `SELECT h.hour, iif(h.received_min >= ? AND o.readings = h.readings AND o.seq_hash = h.seq_hash
    AND NOT EXISTS (SELECT 1 FROM main.dirty_hours d WHERE d.device = o.device AND d.hour = o.hour), h.readings, -1)
  FROM @.hourly_rollups h LEFT JOIN main.hourly_rollups o ON o.device = ? AND o.hour = h.hour
  WHERE h.device = ? AND h.received_max >= ?
    AND NOT EXISTS (SELECT 1 FROM @.dirty_hours d WHERE d.device = h.device AND d.hour = h.hour)`;
const DIRTY_SQL = 'SELECT hour, -1 FROM @.dirty_hours WHERE device = ?';
const COUNT_SQL = `SELECT count(*) FROM @.readings r INDEXED BY readings_by_time
  WHERE r.device = ? AND (r.timestamp < 0) = ? AND r.timestamp BETWEEN ? AND ? AND r.received_at >= ?
    AND EXISTS (SELECT 1 FROM main.readings p WHERE p.device = ? AND p.seq = r.seq)`;

/**
 * Returns the number of readings of a device that the public store received since a time (Unix milliseconds) and that
 * the private store has as well. If both stores have equal sums of an hour, its readings are not read.
 */
export function countInBoth(connection: ReadConnection, numbers: DeviceNumbers, since: number): number {
  if (numbers.private === null || numbers.public === null) return 0;
  const hours = (sql: string) => connection.statement<[hour: number, twice: number]>('public', sql);
  const found = [
    ...hours(SUMMED_SQL).all(since, numbers.private, numbers.public, since),
    ...hours(DIRTY_SQL).all(numbers.public),
  ];
  const count = connection.statement<[number]>('public', COUNT_SQL);
  let total = 0;
  for (const [hour, twice] of found) {
    if (twice >= 0) {
      total += twice;
      continue;
    }
    for (const { isNegative, from, to } of timestampsOfHour(hour)) {
      total += count.get(numbers.public, isNegative, from, to, since, numbers.private)![0];
    }
  }
  return total;
}

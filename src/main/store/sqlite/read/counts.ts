import type { StoreName } from '../../../../shared/protocol/codes.ts';
import type { FieldName } from '../../../../shared/protocol/fields.ts';
import type { MovedArrivals } from '../../arrival-move.ts';
import type { OutcomeCount, UnregisteredDevice, WithheldCause, WithheldCount } from '../../counts.ts';
import type { ReadConnection } from './read-connection.ts';

const WITHHELD_SQL =
  'SELECT cause, field, count, first_at, last_at FROM @.withheld WHERE device = ? ORDER BY cause, field';
const OUTCOMES_SQL =
  'SELECT outcome, sum(count) FROM @.hourly_counts WHERE hour >= ? GROUP BY outcome ORDER BY outcome';
const UNREGISTERED_SQL =
  'SELECT id, attempts, first_at, last_at, last_error FROM @.unregistered_devices ORDER BY last_at';

const MOVED_SQL = 'SELECT at, moved_by, readings FROM @.moved_arrivals WHERE device = ? ORDER BY at DESC LIMIT ?';

/** Returns the moves of times of a store's device, the latest first. */
export function movedOf(connection: ReadConnection, store: StoreName, device: number, limit: number): MovedArrivals[] {
  const rows = connection.statement<[number, number, number]>(store, MOVED_SQL).all(device, limit);
  return rows.map(([at, by, readings]) => ({ at, by, readings }));
}

/** Returns the fields that a store withheld of one of its devices. */
export function withheldOf(
  connection: ReadConnection,
  store: StoreName,
  device: number,
): Omit<WithheldCount, 'deviceId'>[] {
  return connection
    .statement<[WithheldCause, FieldName | '', number, number, number]>(store, WITHHELD_SQL)
    .all(device)
    .map(([cause, field, count, firstAt, lastAt]) => {
      return { cause, field: field === '' ? null : field, count, firstAt, lastAt };
    });
}

/** Returns the number of blocks of a store by outcome, since an hour (hours since 1970). */
export function outcomesSince(
  connection: ReadConnection,
  store: StoreName,
  hour: number,
): Omit<OutcomeCount, 'hour'>[] {
  const rows = connection.statement<[outcome: string, count: number]>(store, OUTCOMES_SQL).all(hour);
  return rows.map(([outcome, count]) => ({ outcome, count }));
}

/** Returns the unregistered devices of a store as last written, the latest last. */
export function unregisteredOf(connection: ReadConnection, store: StoreName): UnregisteredDevice[] {
  return connection
    .statement<[Buffer, number, number, number, string]>(store, UNREGISTERED_SQL)
    .all()
    .map(([id, attempts, firstAt, lastAt, lastError]) => {
      return { id: id.toString('hex'), attempts, firstAt, lastAt, lastError };
    });
}

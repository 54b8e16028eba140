import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import * as columns from './columns.ts';
import { migrate } from './migrations.ts';

it('the columns are those of the tables, in their order', () => {
  const db = new Database(':memory:');
  migrate(db, 'public');
  const of = (table: string) => db.prepare(`SELECT name FROM pragma_table_info('${table}')`).pluck().all();
  expect(of('readings')).toEqual([
    ...columns.READING_COLUMNS,
    columns.CLOCK_COLUMN,
    ...columns.SIGNED_COLUMNS,
    columns.ENTRY_COLUMN,
    columns.FIRST_ARRIVAL_COLUMN,
  ]);
  expect(of('hourly_rollups')).toEqual(columns.ROLLUP_COLUMNS);
  expect(of('retained_hours')).toEqual(columns.RETAINED_COLUMNS);
  db.close();
});

it('writes into the columns that it names', () => {
  expect(columns.into('rows', ['one', 'two'])).toBe('INTO rows (one, two) VALUES (?, ?)');
});

import { shortestFloat32 } from '../../../../shared/float32.ts';
import type { OwnerReading } from '../../../../shared/owner-api.ts';
import type { FieldName } from '../../../../shared/protocol/fields.ts';
import { shownValue } from '../../../values.ts';
import { COLUMN_IDS, type ColumnId, delayOf, isField, timeOf } from '../readings/row.ts';
import { csvCell, tsvCell } from './defuse.ts';

/** What a row's form depends on besides the reading. */
export interface RowContext {
  /** In their order. */
  readonly columns: readonly ColumnId[];
  /** The device's timestamps are no times: they are given as they are, without a time beside them. */
  readonly clockNotSet: boolean;
}

/** What a whole file's form depends on besides its readings. */
export interface ExportContext extends RowContext {
  readonly units: Readonly<Record<FieldName, string>>;
}

export const ALL_COLUMNS: readonly ColumnId[] = COLUMN_IDS;

type Cell = string | number | null;

// The names stay the same in every language: a program reads them.
const HEADERS: Readonly<Record<Exclude<ColumnId, FieldName>, readonly string[]>> = {
  seq: ['seq'],
  time: ['time', 'timestamp_ms'],
  receivedAt: ['received_at'],
  delay: ['delay_s'],
  keyVersion: ['key_version'],
  store: ['store'],
};

/** The first line of CSV, with its line end; a field's unit stands in brackets. */
export function csvHeader({ columns, units }: ExportContext): string {
  const names = columns.flatMap((column) =>
    isField(column) ? [units[column] === '' ? column : `${column} (${units[column]})`] : HEADERS[column],
  );
  return `${names.map(csvCell).join(',')}\r\n`;
}

/** A reading as a line of CSV, with its line end. Times are UTC (ISO 8601), a sealed field says so. */
export function csvLine(reading: OwnerReading, context: RowContext): string {
  return `${cellsOf(reading, context).map(csvCell).join(',')}\r\n`;
}

/** A reading as one line to paste into a spreadsheet, without a line end. */
export function tsvLine(reading: OwnerReading, context: RowContext): string {
  return cellsOf(reading, context).map(tsvCell).join('\t');
}

function cellsOf(reading: OwnerReading, { columns, clockNotSet }: RowContext): Cell[] {
  return columns.flatMap((column): Cell[] => {
    switch (column) {
      case 'seq':
        return [reading.seq];
      case 'time':
        return [timeText(reading, clockNotSet), reading.timestamp];
      case 'receivedAt':
        return [new Date(reading.receivedAt).toISOString()];
      case 'delay':
        return [delaySeconds(reading, clockNotSet)];
      case 'keyVersion':
        return [reading.keyVersion];
      case 'store':
        return [reading.store];
      default:
        return [fieldCell(reading, column)];
    }
  });
}

/**
 * A reading as a line of NDJSON, with its line end: numbers as numbers, 64-bit values as text, a sealed field with its
 * cipher and nonce, so that it can be opened elsewhere.
 */
export function ndjsonLine(reading: OwnerReading, { columns, clockNotSet }: RowContext): string {
  const line: Record<string, unknown> = {};
  for (const column of columns) {
    if (isField(column)) {
      const value = reading.fields[column];
      line[column] = typeof value === 'number' ? shortestFloat32(value) : value;
      continue;
    }
    switch (column) {
      case 'seq':
        line.seq = reading.seq;
        break;
      case 'time':
        line.time = timeText(reading, clockNotSet);
        line.timestamp = reading.timestamp;
        break;
      case 'receivedAt':
        line.receivedAt = new Date(reading.receivedAt).toISOString();
        break;
      case 'delay':
        line.delaySeconds = delaySeconds(reading, clockNotSet);
        break;
      case 'keyVersion':
        line.keyVersion = reading.keyVersion;
        break;
      case 'store':
        line.store = reading.store;
        break;
    }
  }
  // What is sealed can't be opened without it.
  if (columns.some((column) => isField(column) && isSealed(reading, column))) line.keyVersion = reading.keyVersion;
  return `${JSON.stringify(line)}\n`;
}

function isSealed(reading: OwnerReading, field: FieldName): boolean {
  return shownValue(reading.fields[field], reading.keyVersion).kind === 'sealed';
}

function fieldCell(reading: OwnerReading, field: FieldName): Cell {
  const shown = shownValue(reading.fields[field], reading.keyVersion);
  if (shown.kind === 'plain') return shortestFloat32(shown.value);
  return shown.kind === 'sealed' ? `sealed v${shown.keyVersion}` : null;
}

function timeText(reading: OwnerReading, clockNotSet: boolean): string | null {
  const time = clockNotSet ? null : timeOf(reading.timestamp);
  return time === null ? null : new Date(time).toISOString();
}

function delaySeconds(reading: OwnerReading, clockNotSet: boolean): number | null {
  const delay = delayOf(reading, clockNotSet);
  return delay === null ? null : delay / 1000;
}

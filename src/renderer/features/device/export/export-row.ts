import type { OpeningFault } from '../../../../shared/crypto/opening.ts';
import { shortestFloat32 } from '../../../../shared/float32.ts';
import type { OwnerReading } from '../../../../shared/owner-api.ts';
import type { FieldName } from '../../../../shared/protocol/fields.ts';
import { type OpenedFields, type ShownValue, shownField, shownNumber } from '../../../values.ts';
import { COLUMN_IDS, type ColumnId, delayOf, isField, type OpenedOf, timeOf } from '../readings/row.ts';
import { csvCell, tsvCell } from './defuse.ts';

/** What a row's form depends on besides the reading. */
export interface RowContext {
  /** In their order. */
  readonly columns: readonly ColumnId[];
  /** The device's timestamps are no times: they are given as they are, without a time beside them. */
  readonly clockNotSet: boolean;
  /** What opening sealed fields came to; without it they are given sealed. */
  readonly openedOf?: OpenedOf | undefined;
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

/**
 * The first line of CSV, with its line end; a field's unit stands in brackets. Where values were opened, a last column
 * says which.
 */
export function csvHeader({ columns, units, openedOf }: ExportContext): string {
  const names = columns.flatMap((column) =>
    isField(column) ? [units[column] === '' ? column : `${column} (${units[column]})`] : HEADERS[column],
  );
  return `${[...names, ...(openedOf === undefined ? [] : ['opened'])].map(csvCell).join(',')}\r\n`;
}

/** A reading as a line of CSV, with its line end. Times are UTC (ISO 8601), a sealed field says so, and why it is. */
export function csvLine(reading: OwnerReading, context: RowContext): string {
  const cells = cellsOf(reading, context);
  if (context.openedOf !== undefined) cells.push(ofKind(reading, context, 'opened').join(' '));
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** The chosen fields of a reading that are shown as `kind`. */
function ofKind(reading: OwnerReading, { columns, openedOf }: RowContext, kind: ShownValue['kind']): FieldName[] {
  const opened = openedOf?.(reading.seq);
  return columns.filter(isField).filter((field) => shownField(reading, field, opened).kind === kind);
}

/** A reading as one line to paste into a spreadsheet, without a line end. */
export function tsvLine(reading: OwnerReading, context: RowContext): string {
  return cellsOf(reading, context).map(tsvCell).join('\t');
}

function cellsOf(reading: OwnerReading, { columns, clockNotSet, openedOf }: RowContext): Cell[] {
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
        return [fieldCell(shownField(reading, column, openedOf?.(reading.seq)))];
    }
  });
}

/**
 * A reading as a line of NDJSON, with its line end: numbers as numbers, 64-bit values as text, a sealed field with its
 * cipher and nonce, so that it can be opened elsewhere. Where values were opened, `opened` names them, and `notOpened`
 * says why others are not.
 */
export function ndjsonLine(reading: OwnerReading, context: RowContext): string {
  const { columns, clockNotSet, openedOf } = context;
  const opened = openedOf?.(reading.seq);
  const line: Record<string, unknown> = {};
  for (const column of columns) {
    if (isField(column)) {
      const number = shownNumber(shownField(reading, column, opened));
      line[column] = number === null ? reading.fields[column] : shortestFloat32(number);
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
  const failed = ofKind(reading, context, 'failed');
  // What is sealed can't be opened without it.
  if (failed.length > 0 || ofKind(reading, context, 'sealed').length > 0) line.keyVersion = reading.keyVersion;
  if (openedOf !== undefined) {
    line.opened = ofKind(reading, context, 'opened');
    if (failed.length > 0) line.notOpened = Object.fromEntries(failed.map((field) => [field, faultOf(opened, field)]));
  }
  return `${JSON.stringify(line)}\n`;
}

function faultOf(opened: OpenedFields | undefined, field: FieldName): string | null {
  const item = opened?.[field];
  return item === undefined || item.ok ? null : item.reason;
}

/** In English in every language, as the names of the columns: a program reads them. */
const FAULTS: Readonly<Record<OpeningFault, string>> = {
  no_key: 'no key',
  wrong_key: 'wrong key',
  not_four_bytes: 'not 4 bytes',
  not_finite: 'not a finite number',
  nonce_reused: 'a copy',
};

function fieldCell(shown: ShownValue): Cell {
  switch (shown.kind) {
    case 'plain':
    case 'opened':
      return shortestFloat32(shown.value);
    case 'sealed':
      return `sealed v${shown.keyVersion}`;
    case 'failed':
      return `sealed v${shown.keyVersion}: ${FAULTS[shown.reason]}`;
    case 'absent':
      return null;
  }
}

function timeText(reading: OwnerReading, clockNotSet: boolean): string | null {
  const time = clockNotSet ? null : timeOf(reading.timestamp);
  return time === null ? null : new Date(time).toISOString();
}

function delaySeconds(reading: OwnerReading, clockNotSet: boolean): number | null {
  const delay = delayOf(reading, clockNotSet);
  return delay === null ? null : delay / 1000;
}

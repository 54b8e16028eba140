import type { OpeningFault } from '../../../../shared/crypto/keyring/opening.ts';
import { type Cell, type CsvDialect, csvLine, tsvLine } from '../../../../shared/export/csv.ts';
import { localTimeText, localZone } from '../../../../shared/export/file-name.ts';
import { shortestFloat32 } from '../../../../shared/float32.ts';
import { exportedNumber } from '../../../../shared/format/scaled.ts';
import type { Correction } from '../../../../shared/measures/correction.ts';
import {
  type AnyField,
  DERIVED_NAMES,
  type DerivedBy,
  type DerivedName,
  mayBeDerived,
  sourcesOf,
} from '../../../../shared/measures/derived.ts';
import type { FieldScale } from '../../../../shared/measures/field-scale.ts';
import type { OwnerReading } from '../../../../shared/owner-api/readings.ts';
import type { FieldName } from '../../../../shared/protocol/fields.ts';
import type { Scales } from '../../../devices/use-scales.ts';
import { type OpenedFields, type ShownValue, shownAny, shownField, shownNumber } from '../../../format/values.ts';
import {
  COLUMN_IDS,
  type ColumnId,
  delayOf,
  type GridColumn,
  isField,
  isWithheld,
  NOT_DERIVED,
  type OpenedOf,
  timeOf,
} from '../row.ts';

/** The options for writing one row. */
export interface RowContext {
  /** In the order of the table. */
  readonly columns: readonly ColumnId[];
  /** The units of CSV. NDJSON contains the values as sent, and names their units. */
  readonly scales: Scales;
  /** Whether the device's clock is not set. If so, timestamps are written as sent, without a time. */
  readonly clockNotSet: boolean;
  /** The owner's calibrations. A calibrated field is written both corrected and as sent. */
  readonly corrections?: readonly Correction[];
  /** The inputs of derived values other than readings. If missing, no derived values are written. */
  readonly derivedBy?: DerivedBy | undefined;
  /** The opened fields. If missing, sealed fields are written as sealed. */
  readonly openedOf?: OpenedOf | undefined;
}

/** The options for writing a whole CSV file. */
export interface CsvContext extends RowContext {
  readonly dialect: CsvDialect;
}

export const ALL_COLUMNS: readonly ColumnId[] = COLUMN_IDS;

/**
 * Returns the CSV header line with its line end. Units and scales of fields, and the time zone of local times, are in
 * brackets. The names are not translated, because programs read them. If values were opened, the next column names the
 * opened fields. Derived fields come last, so that they move no other column.
 */
export function csvHeader(context: CsvContext): string {
  const { columns, scales, openedOf, corrections, dialect } = context;
  const local = ` (${localZone()})`;
  const headers: Readonly<Record<Exclude<ColumnId, FieldName>, readonly string[]>> = {
    seq: ['seq'],
    time: ['time', `time_local${local}`, 'timestamp_ms'],
    receivedAt: ['received_at', `received_local${local}`],
    delay: ['delay_s'],
    keyVersion: ['key_version'],
    store: ['store'],
  };
  const names = columns.flatMap((column) => {
    if (!isField(column)) return headers[column];
    const { header } = scales[column];
    const named = (name: string) => (header === '' ? name : `${name} (${header})`);
    return isCalibrated(column, corrections) ? [named(column), named(`${column}_as_sent`)] : [named(column)];
  });
  const derived = derivedOf(context).map((name) => `${name} (${scales[name].header})`);
  return csvLine([...names, ...(openedOf === undefined ? [] : ['opened']), ...derived], dialect);
}

/**
 * Returns a reading as a CSV line with its line end. Times are in UTC (ISO 8601), then local. The cell of a sealed
 * field says so, with the reason if it did not open.
 */
export function readingLine(reading: OwnerReading, context: CsvContext): string {
  const cells = cellsOf(reading, context);
  if (context.openedOf !== undefined) cells.push(ofKind(reading, context, 'opened').join(' '));
  cells.push(...derivedOf(context).map((name) => fieldCell(shownInFile(reading, name, context), context.scales[name])));
  return csvLine(cells, context.dialect);
}

/** Returns the derived fields of a file: those whose source fields are in the file. */
function derivedOf({ columns, derivedBy }: RowContext): DerivedName[] {
  if (derivedBy === undefined) return [];
  const isThere = (field: FieldName) => columns.includes(field);
  return DERIVED_NAMES.filter((name) => mayBeDerived(name, derivedBy) && sourcesOf(name).every(isThere));
}

function shownInFile(reading: OwnerReading, name: DerivedName, context: RowContext): ShownValue {
  const { clockNotSet, openedOf, corrections = [], derivedBy } = context;
  return shownAny(reading, name, openedOf?.(reading.seq), { corrections, clockNotSet }, derivedBy!);
}

function isCalibrated(field: AnyField, corrections: readonly Correction[] = []): boolean {
  return corrections.some((each) => each.field === field);
}

/** Returns the chosen fields of a reading that are shown as `kind`. */
function ofKind(reading: OwnerReading, { columns, openedOf }: RowContext, kind: ShownValue['kind']): FieldName[] {
  const opened = openedOf?.(reading.seq);
  return columns.filter(isField).filter((field) => shownField(reading, field, opened).kind === kind);
}

/** Returns a reading as one line to paste into a spreadsheet, without line end. */
export function pasteLine(
  reading: OwnerReading,
  columns: readonly GridColumn[],
  context: Omit<CsvContext, 'columns'>,
): string {
  return tsvLine(cellsOf(reading, { ...context, columns }), context.dialect);
}

type CellContext = Omit<RowContext, 'columns'> & { readonly columns: readonly GridColumn[] };

function cellsOf(
  reading: OwnerReading,
  { columns, scales, clockNotSet, openedOf, corrections = [], derivedBy = NOT_DERIVED }: CellContext,
): Cell[] {
  return columns.flatMap((column): Cell[] => {
    switch (column) {
      case 'seq':
        return [reading.seq];
      case 'time': {
        const time = clockNotSet ? null : timeOf(reading.timestamp);
        return [utcText(time), time === null ? null : localTimeText(time), reading.timestamp];
      }
      case 'receivedAt':
        return [utcText(reading.receivedAt), localTimeText(reading.receivedAt)];
      case 'delay':
        return [delaySeconds(reading, clockNotSet)];
      case 'keyVersion':
        return [reading.keyVersion];
      case 'store':
        return [reading.store];
      default:
        return fieldCells(
          shownAny(reading, column, openedOf?.(reading.seq), { corrections, clockNotSet }, derivedBy),
          scales[column],
          isCalibrated(column, corrections),
        );
    }
  });
}

/**
 * Returns a reading as an NDJSON line with its line end. Numbers are in the unit that the device sends, named in
 * `units`; 64-bit values are text. `asSent` has the uncorrected values of calibrated fields. A sealed field has its
 * cipher and nonce, so that it can be opened elsewhere (not for a viewer). `derived` has the derived values, in kPa and
 * °C. If values were opened, `opened` lists their fields, and `notOpened` has the reasons for the others.
 */
export function ndjsonLine(reading: OwnerReading, context: RowContext): string {
  const { columns, scales, clockNotSet, openedOf, corrections = [] } = context;
  const opened = openedOf?.(reading.seq);
  const line: Record<string, unknown> = {};
  const asSent: Partial<Record<FieldName, number>> = {};
  for (const column of columns) {
    if (isField(column)) {
      const shown = shownField(reading, column, opened, { corrections, clockNotSet });
      const number = shownNumber(shown);
      if ('sent' in shown && shown.sent !== undefined) asSent[column] = shortestFloat32(shown.sent);
      const stored = isWithheld(reading.fields[column]) ? { sealed: true } : reading.fields[column];
      line[column] = number === null ? stored : shortestFloat32(number);
      continue;
    }
    switch (column) {
      case 'seq':
        line.seq = reading.seq;
        break;
      case 'time':
        line.time = clockNotSet ? null : utcText(timeOf(reading.timestamp));
        line.timestamp = reading.timestamp;
        break;
      case 'receivedAt':
        line.receivedAt = utcText(reading.receivedAt);
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
  const derived = derivedOf(context).flatMap((name) => {
    const number = shownNumber(shownInFile(reading, name, context));
    return number === null ? [] : [[name, Number(number.toFixed(scales[name].decimals + 1))] as const];
  });
  const units = columns.filter(isField).flatMap((field) => {
    const { sentHeader } = scales[field];
    return sentHeader === '' || reading.fields[field] === null ? [] : [[field, sentHeader]];
  });
  if (Object.keys(asSent).length > 0) line.asSent = asSent;
  if (units.length > 0) line.units = Object.fromEntries(units);
  if (derived.length > 0) line.derived = Object.fromEntries(derived);
  const failed = ofKind(reading, context, 'failed');
  // The key version is needed to open the sealed values.
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

/** The reasons are not translated, like the names of the columns. */
const FAULTS: Readonly<Record<OpeningFault, string>> = {
  no_key: 'no key',
  wrong_key: 'wrong key',
  not_four_bytes: 'not 4 bytes',
  not_finite: 'not a finite number',
  nonce_reused: 'a copy',
};

/** Returns the corrected value, and for a calibrated field also the value that the device sent. */
function fieldCells(shown: ShownValue, scale: FieldScale, isBoth: boolean): Cell[] {
  const cell = fieldCell(shown, scale);
  if (!isBoth) return [cell];
  const sent = 'sent' in shown ? shown.sent : undefined;
  return [cell, sent === undefined ? cell : exportedNumber(scale, sent)];
}

function fieldCell(shown: ShownValue, scale: FieldScale): Cell {
  switch (shown.kind) {
    case 'plain':
    case 'opened':
      return exportedNumber(scale, shown.value);
    case 'sealed':
      return `sealed v${shown.keyVersion}`;
    case 'failed':
      return `sealed v${shown.keyVersion}: ${FAULTS[shown.reason]}`;
    case 'absent':
      return null;
  }
}

function utcText(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

function delaySeconds(reading: OwnerReading, clockNotSet: boolean): number | null {
  const delay = delayOf(reading, clockNotSet);
  return delay === null ? null : delay / 1000;
}

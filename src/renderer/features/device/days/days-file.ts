import { type CsvDialect, csvLine } from '../../../../shared/export/csv.ts';
import { localTimeText, localZone } from '../../../../shared/export/file-name.ts';
import type { FieldScale } from '../../../../shared/measures/field-scale.ts';
import type { DayPart } from '../../../../shared/owner-data/day-parts.ts';

/** A field with its summaries by day or week. */
export interface FieldDays {
  readonly scale: FieldScale;
  readonly parts: readonly DayPart[];
}

const DIGITS = 6;
const rounded = (value: number | null) => (value === null ? null : Number(value.toPrecision(DIGITS)));
const COLUMNS = ['inRange', 'mean', 'day', 'night', 'min', 'max'] as const;

/** Returns the days or weeks of fields as CSV. Column names are not translated, because programs read them. */
export function daysCsv(fields: readonly FieldDays[], dialect: CsvDialect): string {
  const zone = localZone();
  const header = [`from_local (${zone})`, `to_local (${zone})`, 'field', 'unit', 'in_range', 'mean', 'mean_by_day'];
  const lines = fields.flatMap(({ scale, parts }) =>
    parts.map((part) => [
      ...[localTimeText(part.from), localTimeText(part.to), scale.field, scale.header],
      ...COLUMNS.map((column) => rounded(part[column])),
      part.count,
    ]),
  );
  return [[...header, 'mean_by_night', 'min', 'max', 'readings'], ...lines]
    .map((line) => csvLine(line, dialect))
    .join('');
}

/** Returns the days or weeks of fields as JSON, with times in UTC. */
export function daysJson(fields: readonly FieldDays[]): string {
  const rows = fields.flatMap(({ scale, parts }) =>
    parts.map((part) => ({
      from: new Date(part.from).toISOString(),
      to: new Date(part.to).toISOString(),
      field: scale.field,
      unit: scale.header,
      inRange: rounded(part.inRange),
      mean: rounded(part.mean),
      meanByDay: rounded(part.day),
      meanByNight: rounded(part.night),
      min: rounded(part.min),
      max: rounded(part.max),
      readings: part.count,
    })),
  );
  return `${JSON.stringify(rows, null, 2)}\n`;
}

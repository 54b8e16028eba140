import type { OwnerApi } from '../../../../shared/owner-api/contract.ts';
import type { OwnerReading } from '../../../../shared/owner-api/readings.ts';
import { readingsPages } from '../../../api/queries/readings.ts';
import type { OpenedOf } from '../row.ts';
import { type CsvContext, csvHeader, ndjsonLine, readingLine } from './export-row.ts';

export type ExportFormat = 'csv' | 'ndjson';

/** The readings to export: readings already loaded, or a time range to fetch (Unix milliseconds, both inclusive). */
export type ExportSource =
  | { readonly kind: 'shown'; readonly readings: readonly OwnerReading[] }
  | { readonly kind: 'range'; readonly id: string; readonly from: number | null; readonly to: number | null };

export interface ExportProgress {
  readonly done: number;
  readonly total: number;
}

/** Opens the sealed fields of readings for a file. */
export type OpenForExport = (
  readings: readonly OwnerReading[],
  signal: AbortSignal,
) => Promise<{
  readonly openedOf: OpenedOf;
  /** Whether a value of an earlier page turned out to be a copy. */
  readonly isOverturned: boolean;
}>;

const PAGE = 2000;
/**
 * The maximum number of attempts. Once all readings have been read, no value can turn out to be a copy. The third
 * attempt covers readings that arrive in the meantime.
 */
const TRIES = 3;
const TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv;charset=utf-8',
  ndjson: 'application/x-ndjson;charset=utf-8',
};
/** Without a byte order mark, Excel reads the units in the header in the system's legacy code page. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Builds a file page by page. Each page becomes a Blob, which the browser may keep on disk. With `open`, sealed fields
 * are opened first. If a value of an earlier page turns out to be a copy, the file is built again. Rejects with the
 * signal's reason if it is aborted.
 */
export async function buildExport(
  source: ExportSource,
  format: ExportFormat,
  context: Omit<CsvContext, 'openedOf'>,
  api: Pick<OwnerApi, 'call'>,
  signal: AbortSignal,
  onProgress: (progress: ExportProgress) => void,
  open: OpenForExport | null = null,
): Promise<Blob> {
  for (let left = TRIES; ; left--) {
    const { blob, isOverturned } = await buildOnce(source, format, context, api, signal, onProgress, open);
    if (!isOverturned || left === 1) return blob;
  }
}

async function buildOnce(
  source: ExportSource,
  format: ExportFormat,
  context: Omit<CsvContext, 'openedOf'>,
  api: Pick<OwnerApi, 'call'>,
  signal: AbortSignal,
  onProgress: (progress: ExportProgress) => void,
  open: OpenForExport | null,
): Promise<{ blob: Blob; isOverturned: boolean }> {
  const line = format === 'csv' ? readingLine : ndjsonLine;
  const ofHeader = open === null ? undefined : () => undefined;
  const parts: Blob[] =
    format === 'csv' ? [new Blob([BYTE_ORDER_MARK, csvHeader({ ...context, openedOf: ofHeader })])] : [];
  let done = 0;
  let isOverturned = false;
  const pages =
    source.kind === 'shown'
      ? [{ readings: source.readings, total: source.readings.length }]
      : readingsPages(api, source, PAGE, signal);
  for await (const { readings, total } of pages) {
    signal.throwIfAborted();
    const opened = await open?.(readings, signal);
    isOverturned ||= done > 0 && opened?.isOverturned === true;
    const ofPage = { ...context, openedOf: opened?.openedOf };
    parts.push(new Blob([readings.map((reading) => line(reading, ofPage)).join('')]));
    done += readings.length;
    onProgress({ done: Math.min(total, done), total });
  }
  return { blob: new Blob(parts, { type: TYPES[format] }), isOverturned };
}

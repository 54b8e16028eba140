import type { OwnerApi, OwnerReading } from '../../../../shared/owner-api.ts';
import type { OpenedOf } from '../readings/row.ts';
import { csvHeader, csvLine, type ExportContext, ndjsonLine } from './export-row.ts';

export type ExportFormat = 'csv' | 'ndjson';

/** What goes into a file: readings already there, or a time range to be fetched (Unix milliseconds, both inclusive). */
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
  /** A value of readings given before proved to be a copy now. */
  readonly isOverturned: boolean;
}>;

const PAGE = 2000;
/** Once all readings were seen nothing is overturned any more; the third try is for those that come in meanwhile. */
const TRIES = 3;
const TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv;charset=utf-8',
  ndjson: 'application/x-ndjson;charset=utf-8',
};
/** Without it Excel reads the units of the header in the machine's old code page. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Builds a file page by page; each page becomes a Blob at once, which the browser may keep on disk. With `open` sealed
 * fields are opened first; where a page proves a value of one before to be a copy, the file is made anew. Rejects with
 * the signal's reason when it is aborted, between two pages.
 */
export async function buildExport(
  source: ExportSource,
  format: ExportFormat,
  context: Omit<ExportContext, 'openedOf'>,
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
  context: Omit<ExportContext, 'openedOf'>,
  api: Pick<OwnerApi, 'call'>,
  signal: AbortSignal,
  onProgress: (progress: ExportProgress) => void,
  open: OpenForExport | null,
): Promise<{ blob: Blob; isOverturned: boolean }> {
  const line = format === 'csv' ? csvLine : ndjsonLine;
  const ofHeader = open === null ? undefined : () => undefined;
  const parts: Blob[] =
    format === 'csv' ? [new Blob([BYTE_ORDER_MARK, csvHeader({ ...context, openedOf: ofHeader })])] : [];
  let done = 0;
  let isOverturned = false;
  for await (const { readings, total } of pages(source, api, signal)) {
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

async function* pages(source: ExportSource, api: Pick<OwnerApi, 'call'>, signal: AbortSignal) {
  if (source.kind === 'shown') {
    yield { readings: source.readings, total: source.readings.length };
    return;
  }
  const { id, from, to } = source;
  let cursor: string | null = null;
  let total = 0;
  do {
    signal.throwIfAborted();
    const page: { readings: OwnerReading[]; next: string | null; total: number | null } = await api.call(
      'readingsPage',
      { id, from, to, cursor, limit: PAGE },
    );
    total = page.total ?? total;
    yield { readings: page.readings, total };
    cursor = page.next;
  } while (cursor !== null);
}

/** A name for the file: of the device and the day, with what any file system takes. */
export function exportFileName(deviceName: string, at: Date, format: ExportFormat): string {
  const name = deviceName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-zA-Z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
    .slice(0, 40);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${['wellhouse', name, day].filter((part) => part !== '').join('_')}.${format}`;
}

/** Hands a finished file to the browser's downloads. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has its own hold on the file once it has begun, which is not before the next tasks.
  window.setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';

// The format: https://www.sqlite.org/fileformat2.html#walformat
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const MAGIC = 0x377f0682;
/** The offset of the change counter in page 1. */
export const CHANGE_COUNTER_OFFSET = 24;

/** The part of a write-ahead log that SQLite accepts: the frames up to the last complete commit. */
export interface LogContents {
  /** The numbers of the pages in the log, from 1. */
  readonly pages: ReadonlySet<number>;
  /** The change counters in the first and in the last version of page 1; null if the log has no page 1. */
  readonly changeCounters: { readonly first: number; readonly last: number } | null;
}

type Sums = readonly [number, number];

/** Returns the path of a store's log. Except on Windows, SQLite creates it next to the target of a link. */
export function logPathOf(path: string): string {
  const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
  return `${process.platform === 'win32' || !isThere ? path : realpathSync(path)}-wal`;
}

/** Returns whether there is a log that is not empty. */
export function hasLog(path: string): boolean {
  return (statSync(logPathOf(path), { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Reads the log of a store. A missing or invalid log is empty, as for SQLite. */
export function readLog(path: string): LogContents {
  const pages = new Set<number>();
  let changeCounters: LogContents['changeCounters'] = null;
  // A frame counts only if a commit follows it.
  const uncommitted: number[] = [];
  let counters = null as LogContents['changeCounters'];
  for (const { page, isCommit, changeCounter } of framesOf(path)) {
    uncommitted.push(page);
    if (changeCounter !== null) counters = { first: counters?.first ?? changeCounter, last: changeCounter };
    if (!isCommit) continue;
    for (const committed of uncommitted.splice(0)) pages.add(committed);
    changeCounters = counters;
  }
  return { pages, changeCounters };
}

/** Yields the frames of a log up to the first that is incomplete or from an earlier use of the file. */
function* framesOf(path: string): Generator<{ page: number; isCommit: boolean; changeCounter: number | null }> {
  if (!hasLog(path)) return;
  const file = openSync(logPathOf(path), 'r');
  try {
    const header = new DataView(new ArrayBuffer(HEADER_BYTES));
    if (!fill(file, header, 0)) return;
    const magic = header.getUint32(0);
    if (magic >>> 1 !== MAGIC >>> 1) return;
    const isLittleEndian = (magic & 1) === 0;
    let sums = checksum(header, 0, 24, [0, 0], isLittleEndian);
    if (!isSameAt(header, 24, sums)) return;
    const salts = [header.getUint32(16), header.getUint32(20)] as const;
    const frame = new DataView(new ArrayBuffer(FRAME_HEADER_BYTES + header.getUint32(8)));
    for (let at = HEADER_BYTES; fill(file, frame, at); at += frame.byteLength) {
      if (!isSameAt(frame, 8, salts)) return;
      sums = checksum(frame, 0, 8, sums, isLittleEndian);
      sums = checksum(frame, FRAME_HEADER_BYTES, frame.byteLength, sums, isLittleEndian);
      if (!isSameAt(frame, 16, sums)) return;
      const page = frame.getUint32(0);
      const changeCounter = page === 1 ? frame.getUint32(FRAME_HEADER_BYTES + CHANGE_COUNTER_OFFSET) : null;
      yield { page, isCommit: frame.getUint32(4) !== 0, changeCounter };
    }
  } finally {
    closeSync(file);
  }
}

function fill(file: number, view: DataView<ArrayBuffer>, at: number): boolean {
  return readSync(file, view, 0, view.byteLength, at) === view.byteLength;
}

function isSameAt(view: DataView, at: number, [first, second]: Sums): boolean {
  return view.getUint32(at) === first && view.getUint32(at + 4) === second;
}

function checksum(view: DataView, from: number, to: number, [first, second]: Sums, isLittleEndian: boolean): Sums {
  let a = first;
  let b = second;
  for (let at = from; at < to; at += 8) {
    a = (a + view.getUint32(at, isLittleEndian) + b) >>> 0;
    b = (b + view.getUint32(at + 4, isLittleEndian) + a) >>> 0;
  }
  return [a, b];
}

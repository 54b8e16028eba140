import type { StoreName } from '../../../../shared/protocol/codes.ts';
import { MAX_UINT64 } from '../../../../shared/protocol/uint64.ts';
import { HOUR_MS } from '../../counts.ts';
import { Sums } from '../../sums.ts';
import { FIELD_COLUMNS } from '../file/columns.ts';
import { type SignedRange, signedRanges, toUnsigned } from '../file/unsigned.ts';
import type { DeviceNumbers } from './devices.ts';
import type { FieldsRow, MergedReadings } from './merged-readings.ts';
import type { ReadConnection } from './read-connection.ts';
import { countsOf, type Source } from './readings.ts';
import { withoutBytes } from './rollup.ts';
import type { SeqBounds } from './stretches.ts';

/** The number of readings that are read together. */
const PAGE_ROWS = 500;
/**
 * The newest readings are left out: blocks that a device sends again after a failure arrive among them, not in the
 * order of seq.
 */
const NEWEST_ROWS = 500;
/** About 20 MB: four device-years. */
const MAX_HOURS = 30_000;

interface Hour {
  readonly sums: Sums;
  /** Its readings have seqs in this range, which also contains other readings. */
  seqs: SeqBounds;
}

/** The sums of a device's readings up to a seq. */
interface Kept {
  readonly numbers: DeviceNumbers;
  /** The first seq (unsigned) that is not in the sums. */
  next: bigint;
  /** The number of readings of each store before that seq. */
  readonly rows: Record<StoreName, number>;
  readonly hours: Map<number, Hour>;
  /**
   * Indexes of fields that were sealed: their bytes are not read. Without this list, a check of every field would take
   * 50 % longer.
   */
  readonly sealed: Set<number>;
}

/**
 * Sums by hour of arrival, for devices whose clock is not set. The stores do not have them: they are made here, in
 * memory. Readings are added in the order of seq, which is the order of arrival except for those sent again, and later
 * calls continue from the last seq. Before the sums are used, the stores' readings up to that seq are counted. Readings
 * are only ever added, so an equal count means equal readings; any other count starts again from the beginning. A year
 * of minutes takes a quarter of a second to add up, and a tenth of that to count.
 */
export class ArrivalHours {
  readonly #connection: ReadConnection;
  readonly #readings: MergedReadings;
  /** By device id, the most recently used last. */
  readonly #kept = new Map<string, Kept>();

  constructor(connection: ReadConnection, readings: MergedReadings) {
    this.#connection = connection;
    this.#readings = readings;
  }

  /** Adds the readings that arrived between two times (Unix milliseconds, inclusive) to `target(time)`. */
  addTo(id: string, numbers: DeviceNumbers, from: number, to: number, target: (time: number) => Sums): void {
    const kept = this.#verified(id, numbers);
    this.#advance(kept, Number.POSITIVE_INFINITY);
    const addOneByOne = (first: number, last: number, seqs: SeqBounds) => {
      const span = { axis: 'received', from: BigInt(first), to: BigInt(last), seqs } as const;
      this.#readings.forEach(numbers, span, (row) => target(row[0]).addValues(row, 1));
    };
    for (const [hour, { sums, seqs }] of kept.hours) {
      const first = hour * HOUR_MS;
      const last = first + HOUR_MS - 1;
      if (last < from || first > to) continue;
      if (first >= from && last <= to) target(first).add(sums);
      else addOneByOne(Math.max(from, first), Math.min(to, last), seqs);
    }
    addOneByOne(from, to, { from: kept.next, to: MAX_UINT64 });
    this.#bound(id);
  }

  /** Makes sums in advance, of about `rows` readings. Returns whether more are left to make. */
  makeAhead(id: string, numbers: DeviceNumbers, rows: number): boolean {
    let total = 0;
    for (const { hours } of this.#kept.values()) total += hours.size;
    if (total >= MAX_HOURS) return false;
    const kept = this.#kept.get(id);
    return this.#advance(kept !== undefined && isOf(kept, numbers) ? kept : this.#verified(id, numbers), rows);
  }

  /** Drops the sums of a device from which readings were deleted. */
  forgotten(id: string): void {
    this.#kept.delete(id);
  }

  #verified(id: string, numbers: DeviceNumbers): Kept {
    let kept = this.#kept.get(id);
    this.#kept.delete(id);
    if (kept === undefined || !isOf(kept, numbers) || !this.#isUpToDate(kept)) {
      kept = { numbers, next: 0n, rows: { private: 0, public: 0 }, hours: new Map(), sealed: new Set() };
    }
    this.#kept.set(id, kept);
    return kept;
  }

  #isUpToDate({ numbers, next, rows }: Kept): boolean {
    const ranges = next === 0n ? [] : signedRanges(0n, next - 1n);
    return this.#connection.names.every((store) => {
      return ranges.reduce((total, range) => total + this.#count(store, numbers, range), 0) === rows[store];
    });
  }

  #advance(kept: Kept, rows: number): boolean {
    const end = this.#end(kept.numbers);
    for (let left = rows; kept.next < end; ) {
      if (left <= 0) return true;
      left -= this.#addPage(kept, signedRanges(kept.next, end - 1n)[0]!);
    }
    return false;
  }

  /** Adds the first readings of a range of seqs; returns their number. */
  #addPage(kept: Kept, { isNegative, from, to: end }: SignedRange): number {
    const to = this.#connection.names.reduce((least, store) => {
      const last = this.#at(store, kept.numbers, { from, to: end }, 'ASC', PAGE_ROWS - 1);
      return last === null || last > least ? least : last;
    }, end);
    const range = { isNegative, from, to };
    const own = this.#count('private', kept.numbers, range);
    const others = this.#count('public', kept.numbers, range);
    if (own > 0) this.#addRows(kept, 'private', range);
    // If the private store has every seq of the range, it hides all readings of the public store.
    if (others > 0 && BigInt(own) <= to - from) this.#addRows(kept, 'public', range);
    kept.rows.private += own;
    kept.rows.public += others;
    kept.next = toUnsigned(to) + 1n;
    return own + others + 1;
  }

  #addRows(kept: Kept, store: StoreName, { from, to }: SignedRange): void {
    const { numbers, hours, sealed } = kept;
    const columns = FIELD_COLUMNS.map((name, index) => (sealed.has(index) ? withoutBytes(name) : name));
    const source: Source = { store, device: numbers[store]!, hiddenBy: store === 'public' ? numbers.private : null };
    const { where: counts, values: hidden } = countsOf(source);
    const sql = `SELECT received_at, ${columns.join(', ')} FROM @.readings r
      WHERE r.device = ? AND r.seq BETWEEN ? AND ?${counts}`;
    const seqs = { from: toUnsigned(from), to: toUnsigned(to) };
    let hour: Hour | undefined;
    let hourNumber = Number.NaN;
    for (const row of this.#connection.statement<FieldsRow>(store, sql).all(source.device, from, to, ...hidden)) {
      const number = Math.floor(row[0] / HOUR_MS);
      if (number !== hourNumber || hour === undefined) {
        hourNumber = number;
        hour = hours.get(number) ?? { sums: new Sums(), seqs };
        hour.seqs = { from: min(hour.seqs.from, seqs.from), to: max(hour.seqs.to, seqs.to) };
        hours.set(number, hour);
      }
      hour.sums.addValues(row, 1);
    }
    for (const [index, count] of hour?.sums.sealed.entries() ?? []) if (count > 0) sealed.add(index);
  }

  /** Returns the seq before which the sums end. */
  #end(numbers: DeviceNumbers): bigint {
    const whole = signedRanges(0n, MAX_UINT64).reverse();
    const ends = this.#connection.names.map((store) => {
      for (const range of whole) {
        const seq = this.#at(store, numbers, range, 'DESC', NEWEST_ROWS);
        if (seq !== null) return toUnsigned(seq);
      }
      return 0n;
    });
    return ends.reduce(max);
  }

  #at(
    store: StoreName,
    numbers: DeviceNumbers,
    { from, to }: Pick<SignedRange, 'from' | 'to'>,
    direction: 'ASC' | 'DESC',
    offset: number,
  ): bigint | null {
    const sql = `SELECT seq FROM @.readings WHERE device = ? AND seq BETWEEN ? AND ?
      ORDER BY seq ${direction} LIMIT 1 OFFSET ${offset}`;
    return this.#connection.statement<[bigint]>(store, sql, true).get(numbers[store], from, to)?.[0] ?? null;
  }

  #count(store: StoreName, numbers: DeviceNumbers, { from, to }: SignedRange): number {
    if (numbers[store] === null || !this.#connection.names.includes(store)) return 0;
    const sql = 'SELECT count(*) FROM @.readings WHERE device = ? AND seq BETWEEN ? AND ?';
    return this.#connection.statement<[number]>(store, sql).get(numbers[store], from, to)![0];
  }

  /** Drops the least recently used sums, but never those of device `id`. */
  #bound(id: string): void {
    let total = 0;
    for (const { hours } of this.#kept.values()) total += hours.size;
    for (const [other, { hours }] of this.#kept) {
      if (total <= MAX_HOURS || other === id) return;
      this.#kept.delete(other);
      total -= hours.size;
    }
  }
}

function isOf(kept: Kept, numbers: DeviceNumbers): boolean {
  return kept.numbers.private === numbers.private && kept.numbers.public === numbers.public;
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

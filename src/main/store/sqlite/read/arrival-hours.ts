import type { StoreName } from '../../../../shared/protocol/codes.ts';
import { MAX_UINT64 } from '../../../../shared/protocol/uint64.ts';
import { HOUR_MS } from '../../port.ts';
import { Sums } from '../../sums.ts';
import { FIELD_COLUMNS } from '../file/columns.ts';
import { type SignedRange, signedRanges, toUnsigned } from '../file/unsigned.ts';
import type { DeviceNumbers } from './devices.ts';
import type { FieldsRow, MergedReadings } from './merged-readings.ts';
import type { ReadConnection } from './read-connection.ts';
import { countsOf, type Source } from './readings.ts';
import { withoutBytes } from './rollup.ts';
import type { SeqBounds } from './stretches.ts';

/** Readings that are looked at together. */
const PAGE_ROWS = 500;
/** The newest are left out: what a device sends again after a failure comes in among them, out of the order of seq. */
const NEWEST_ROWS = 500;
/** Some 20 MB; four years of devices. */
const MAX_HOURS = 30_000;

interface Hour {
  readonly sums: Sums;
  /** Its readings lie among these seqs, with others. */
  seqs: SeqBounds;
}

/** The sums of a device's readings up to a seq. */
interface Kept {
  readonly numbers: DeviceNumbers;
  /** Readings before this seq (unsigned) are in the sums. */
  next: bigint;
  /** How many readings each store has before that. */
  readonly rows: Record<StoreName, number>;
  readonly hours: Map<number, Hour>;
  /** Fields (indexes) that were sealed: their bytes are not read. To ask that of every field takes half as long again. */
  readonly sealed: Set<number>;
}

/**
 * Sums by hour of arrival, for devices whose clock is not set. The stores keep none: they are made here, in memory, from
 * the readings in the order of seq, which is the order of arrival but for what was sent again, and go on from where they
 * ended. Before they are used, the stores' readings up to there are counted: readings are only ever added, so as many as
 * before are the same as before, and any other number begins again from the start. A year of minutes takes a quarter of a second to make
 * and a tenth of that to count.
 */
export class ArrivalHours {
  readonly #connection: ReadConnection;
  readonly #readings: MergedReadings;
  /** By device id, the one that was asked for last at the end. */
  readonly #kept = new Map<string, Kept>();

  constructor(connection: ReadConnection, readings: MergedReadings) {
    this.#connection = connection;
    this.#readings = readings;
  }

  /** Adds the readings that arrived within two times (Unix milliseconds, inclusive) to what `target` gives for a time. */
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

  /** Makes sums ahead of a question, of at most about so many readings. Returns whether there are more to make. */
  makeAhead(id: string, numbers: DeviceNumbers, rows: number): boolean {
    let total = 0;
    for (const { hours } of this.#kept.values()) total += hours.size;
    if (total >= MAX_HOURS) return false;
    const kept = this.#kept.get(id);
    return this.#advance(kept !== undefined && isOf(kept, numbers) ? kept : this.#verified(id, numbers), rows);
  }

  /** Takes in that something of a device was deleted. */
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

  /** Adds the first readings of a range of seqs; returns how many. */
  #addPage(kept: Kept, { isNegative, from, to: end }: SignedRange): number {
    const to = this.#connection.names.reduce((least, store) => {
      const last = this.#at(store, kept.numbers, { from, to: end }, 'ASC', PAGE_ROWS - 1);
      return last === null || last > least ? least : last;
    }, end);
    const range = { isNegative, from, to };
    const own = this.#count('private', kept.numbers, range);
    const others = this.#count('public', kept.numbers, range);
    if (own > 0) this.#addRows(kept, 'private', range);
    // Where the private store has every seq, the public one has no reading that counts.
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

  /** Before which seq the sums end. */
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

  /** Lets go of what was asked for longest ago, but not of the device that was asked for last. */
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

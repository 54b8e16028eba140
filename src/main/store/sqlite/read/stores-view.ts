import type { JournalEntry } from '../../../../shared/owner-data/journal.ts';
import type { StoreName } from '../../../../shared/protocol/codes.ts';
import type { FieldName } from '../../../../shared/protocol/fields.ts';
import type { MovedArrivals } from '../../arrival-move.ts';
import { HOUR_MS, type UnregisteredDevice } from '../../counts.ts';
import type { Position } from '../../reading.ts';
import type {
  Axis,
  HeldCounts,
  KnownDevice,
  MergedReading,
  PageOptions,
  ReadingFilter,
  Span,
  StepSums,
  StoresView,
} from '../../stores-view.ts';
import { movedOf, outcomesSince, unregisteredOf, withheldOf } from './counts.ts';
import { allKnown, type DeviceNumbers, numbersOf, oneKnown, privateOwners } from './devices.ts';
import { SqliteLog } from './log.ts';
import { choicesOf, entriesWithPhotos, journalOf } from './owner-records.ts';
import type { ReadConnection } from './read-connection.ts';
import { copyBytesOf, hoursHeldOf, rowBytesOf } from './row-bytes.ts';
import { countSpan, type StepSources, sumsByStep } from './steps.ts';
import { countInBoth } from './stored-twice.ts';

/** Both stores within one transaction of a read connection: see StoresView. */
export class SqliteStoresView implements StoresView {
  readonly names: readonly StoreName[];
  readonly #connection: ReadConnection;
  readonly #sources: StepSources;
  /** They never change within a transaction. */
  readonly #numbers = new Map<string, DeviceNumbers>();
  readonly #logs = new Map<StoreName, SqliteLog>();

  constructor(connection: ReadConnection, sources: StepSources) {
    this.names = connection.names;
    this.#connection = connection;
    this.#sources = sources;
  }

  async devices(): Promise<KnownDevice[]> {
    return allKnown(this.#connection);
  }

  async device(id: string): Promise<KnownDevice | null> {
    return oneKnown(this.#connection, id);
  }

  async privateOwners(): Promise<Set<string>> {
    return privateOwners(this.#connection);
  }

  async heldCounts(id: string): Promise<HeldCounts[]> {
    return this.#storesOf(id).map(({ store, number }) => ({ store, ...this.#sources.hours.heldIn(store, number) }));
  }

  async withheld(id: string) {
    return this.#storesOf(id).flatMap(({ store, number }) =>
      withheldOf(this.#connection, store, number).map((count) => ({ ...count, store })),
    );
  }

  async unregistered(store: StoreName): Promise<UnregisteredDevice[]> {
    return unregisteredOf(this.#connection, store);
  }

  async movedArrivals(id: string, limit: number): Promise<MovedArrivals[]> {
    const found = this.#storesOf(id).flatMap(({ store, number }) => movedOf(this.#connection, store, number, limit));
    const byTime = new Map<number, MovedArrivals>();
    for (const each of found) {
      // A reading that both stores have counts once. The overlap is not looked up here, so the larger number is used.
      if (each.readings > (byTime.get(each.at)?.readings ?? 0)) byTime.set(each.at, each);
    }
    return [...byTime.values()].sort((a, b) => b.at - a.at).slice(0, limit);
  }

  async choices(): Promise<Map<string, unknown>> {
    return choicesOf(this.#connection);
  }

  async journal(device: string | null, from: number, to: number, limit: number): Promise<JournalEntry[]> {
    return journalOf(this.#connection, device, from, to, limit);
  }

  async entriesWithPhotos(): Promise<JournalEntry[]> {
    return entriesWithPhotos(this.#connection);
  }

  async outcomesSince(store: StoreName, hour: number) {
    return outcomesSince(this.#connection, store, hour);
  }

  async bytes(store: StoreName): Promise<number> {
    return this.#connection.bytes(store);
  }

  async unusedBytes(store: StoreName): Promise<number> {
    return this.#connection.pages(store).unusedBytes;
  }

  async rowBytes(store: StoreName, held: readonly { readonly id: string; readonly readings: number }[]) {
    return rowBytesOf(this.#connection, store, this.#numbered(store, held));
  }

  async copyBytes(store: StoreName, held: readonly { readonly id: string; readonly readings: number }[]) {
    return copyBytesOf(this.#connection, store, this.#numbered(store, held));
  }

  async hoursHeld(store: StoreName, id: string, from: number, to: number) {
    const device = this.#numbersOf(id)[store];
    return device === null
      ? { hours: 0, readings: 0, firstHour: null }
      : hoursHeldOf(this.#connection, store, device, from, to);
  }

  async latest(id: string, axis: Axis, limit: number, to?: bigint): Promise<MergedReading[]> {
    return this.#sources.readings.latest(this.#numbersOf(id), axis, limit, to);
  }

  async newestWith(id: string, field: FieldName, fromHour: number, toHour: number): Promise<MergedReading | null> {
    const { hours, readings } = this.#sources;
    const numbers = this.#numbersOf(id);
    const lookIn = (to: number) => hours.latestWith(field, numbers, fromHour, to);
    for (let hour = lookIn(toHour); hour !== null; hour = lookIn(hour - 1)) {
      const from = BigInt(hour * HOUR_MS);
      const inHour = { axis: 'timestamp', from, to: from + BigInt(HOUR_MS - 1) } as const;
      const found = readings.page(numbers, inHour, null, HOUR_MS).findLast(({ fields }) => fields[field] !== null);
      if (found !== undefined) return found;
    }
    return null;
  }

  async page(
    id: string,
    span: Span,
    after: Position | null,
    limit: number,
    options?: PageOptions,
  ): Promise<MergedReading[]> {
    const signedBy = options?.withSigned === true ? id : null;
    return this.#sources.readings.page(this.#numbersOf(id), span, after, limit, { ...options, signedBy });
  }

  async log(store: StoreName): Promise<SqliteLog> {
    return this.#logOf(store);
  }

  async loggedReadings(store: StoreName, id: string, span: Span, after: Position | null, limit: number) {
    const device = this.#numbersOf(id)[store];
    return device === null ? [] : this.#logOf(store).readings(device, span, after, limit);
  }

  async count(id: string, span: Span, limit?: number, filter: ReadingFilter | null = null): Promise<number> {
    const numbers = this.#numbersOf(id);
    if (limit === undefined && filter === null) return countSpan(this.#sources, numbers, span);
    return this.#sources.readings.count(numbers, span, limit ?? Number.MAX_SAFE_INTEGER, filter);
  }

  async estimate(id: string, span: Span, limit: number): Promise<number> {
    return this.#sources.readings.countRows(this.#numbersOf(id), span, limit);
  }

  async countInBoth(id: string, since: number): Promise<number> {
    return countInBoth(this.#connection, this.#numbersOf(id), since);
  }

  async timestamps(id: string, from: bigint, to: bigint) {
    const numbers = this.#numbersOf(id);
    const found = this.#sources.readings.timestamps(numbers, from, to);
    const hours = [from / BigInt(HOUR_MS), to / BigInt(HOUR_MS)].map(Number) as [number, number];
    const kept = this.#sources.retained.first(numbers, ...hours);
    if (kept === null || found === null) return found;
    const first = BigInt(kept) * BigInt(HOUR_MS);
    return first >= from && first < found.first ? { ...found, first } : found;
  }

  async keptFrom(id: string): Promise<number | null> {
    const hour = this.#sources.retained.keptFrom(this.#numbersOf(id));
    return hour === null ? null : hour * HOUR_MS;
  }

  async countBefore(store: StoreName, id: string, before: number): Promise<number> {
    const number = this.#numbersOf(id)[store];
    return number === null ? 0 : this.#sources.retained.countBefore(store, number, before);
  }

  async arrivals(id: string, until = Number.MAX_SAFE_INTEGER) {
    return this.#sources.hours.arrivals(this.#numbersOf(id), until);
  }

  async sums(id: string, span: Span, stepMs: number): Promise<StepSums[]> {
    return sumsByStep(this.#sources, { id, numbers: this.#numbersOf(id) }, span, stepMs);
  }

  /** Makes sums by arrival in advance: see StoresReader. */
  prepareArrivals(id: string, readings: number): boolean {
    return this.#sources.arrivals.makeAhead(id, this.#numbersOf(id), readings);
  }

  #numbered(store: StoreName, held: readonly { readonly id: string; readonly readings: number }[]) {
    return held.flatMap((each) => {
      const device = this.#numbersOf(each.id)[store];
      return device === null ? [] : [{ ...each, device }];
    });
  }

  #logOf(store: StoreName): SqliteLog {
    const log = this.#logs.get(store) ?? new SqliteLog(this.#connection, store);
    this.#logs.set(store, log);
    return log;
  }

  #numbersOf(id: string): DeviceNumbers {
    let numbers = this.#numbers.get(id);
    if (numbers === undefined) {
      numbers = numbersOf(this.#connection, id);
      this.#numbers.set(id, numbers);
    }
    return numbers;
  }

  #storesOf(id: string): { readonly store: StoreName; readonly number: number }[] {
    const numbers = this.#numbersOf(id);
    return this.names.flatMap((store) => (numbers[store] === null ? [] : [{ store, number: numbers[store] }]));
  }
}

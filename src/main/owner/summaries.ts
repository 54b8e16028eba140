import type { DeviceSummary, Output, StoreDevice } from '../../shared/owner-api.ts';
import type { Disposition } from '../../shared/protocol/codes.ts';
import { dispositionFor, type PrivacyPolicy } from '../../shared/protocol/device.ts';
import { SENSOR_FIELDS } from '../../shared/protocol/fields.ts';
import { OWNER_NAME_FROM_KEY_LENGTH } from '../../shared/protocol/limits.ts';
import { automaticThreshold } from '../../shared/silence.ts';
import type { MergedReading } from '../store/merged-readings.ts';
import type { KnownDevice } from '../store/owner-devices.ts';
import type { Axis } from '../store/reading-ranges.ts';
import { HOUR_MS } from '../store/unsigned.ts';
import { isClockUnset, isDatedAhead, UPTIME_BELOW_MS, usualInterval } from './clock.ts';
import { newestOf, noSparkline, olderNewest, sparkline, sparklineStart } from './past-values.ts';
import type { QueryState } from './queries.ts';
import { perField } from './reading-values.ts';

/** The latest readings that tell how a device is. */
const LATEST = 50;
/** The slow part of a summary is made anew at most this often, and for at most this share of the time. */
const SLOW_PART_EVERY_MS = 5000;
const SLOW_PART_SHARE = 1 / 50;
const DAY_MS = 24 * HOUR_MS;

type Newest = DeviceSummary['newest'];
type Sparkline = DeviceSummary['sparkline'];

/** What is derived of a device's latest readings: kept until it has new ones. */
interface Latest {
  readonly clockNotSet: boolean;
  readonly usualIntervalMs: number | null;
  readonly newest: Newest;
  readonly lastReceivedAt: number | null;
}

/** What takes more reading than a live list of devices can afford each time. */
interface SlowPart {
  readonly madeAt: number;
  readonly costMs: number;
  readonly sparkline: Sparkline;
  /** Of fields that none of the latest readings has. */
  readonly olderNewest: Newest;
  readonly lastReceivedAt: number | null;
}

/**
 * Whether a device is the owner's: the private store takes what reaches the local endpoint alone. At the public one a
 * stranger can name any owner key, so of what only that knows the owner has to say so.
 */
export function isMine({ numbers, notes }: KnownDevice): boolean {
  return numbers.private !== null || notes.mine === true;
}

/** Whether a device that is not `mine` names one of the owner's keys, and the owner has not said whose it is. */
export function isClaimed(known: KnownDevice, owners: ReadonlySet<string>): boolean {
  return !isMine(known) && known.notes.mine === null && owners.has(known.rows[0]!.row.ownerPubkey);
}

/** Describes devices; remembers of each what its latest readings say until it has new ones. */
export class Summaries {
  readonly #state: QueryState;
  readonly #latest = new Map<string, Latest>();
  readonly #slow = new Map<string, SlowPart>();
  readonly #arrivals = new Map<string, number>();

  constructor(state: QueryState) {
    this.#state = state;
  }

  /** Takes in that a device has new readings, the latest of which arrived then. */
  arrived(id: string, receivedAt: number): void {
    this.#latest.delete(id);
    this.#arrivals.set(id, Math.max(receivedAt, this.#arrivals.get(id) ?? 0));
  }

  /** Takes in that something of a device was deleted. */
  forgotten(id: string): void {
    this.#latest.delete(id);
    this.#slow.delete(id);
    this.#arrivals.delete(id);
  }

  /** What a device's readings are ordered by and placed at. */
  axis(known: KnownDevice): Axis {
    return this.#latestOf(known).clockNotSet ? 'received' : 'timestamp';
  }

  /** A device as lists show it. `owners` are the owner keys of the private store's devices. */
  summary(known: KnownDevice, owners: ReadonlySet<string>, now: number): DeviceSummary {
    const { row } = known.rows[0]!;
    const mine = isMine(known);
    const { clockNotSet, usualIntervalMs, newest, lastReceivedAt } = this.#latestOf(known);
    const slow = this.#slowOf(known, mine, now);
    const arrivals = [lastReceivedAt, slow.lastReceivedAt, this.#arrivals.get(known.id)];
    const silentAfterMs = known.notes.silentAfterMs ?? automaticThreshold(usualIntervalMs);
    return {
      id: known.id,
      mac: row.mac,
      ownerPubkey: row.ownerPubkey,
      // A node that was told no name keeps the key's first characters in its place.
      ownerName: row.ownerName === row.ownerPubkey.slice(0, OWNER_NAME_FROM_KEY_LENGTH) ? null : row.ownerName,
      name: row.name,
      type: row.type as DeviceSummary['type'],
      location: row.location?.toString() ?? null,
      hardware: JSON.parse(row.hardware) as DeviceSummary['hardware'],
      stores: known.rows.map((entry) => this.#storeDevice(entry)),
      notes: known.notes,
      mine,
      claimed: isClaimed(known, owners),
      lastReceivedAt: arrivals.reduce<number | null>((last, at) => (at == null ? last : Math.max(at, last ?? 0)), null),
      usualIntervalMs,
      silentAfterMs,
      clockNotSet,
      newest: perField((_index, name) => newest[name] ?? slow.olderNewest[name]),
      sparkline: slow.sparkline,
    };
  }

  /**
   * The times that a device's readings span. By timestamp, stray ones are left out: uptimes of boots before it had the
   * time, and dates more than a day after its latest arrival.
   */
  span(known: KnownDevice): Output<'device'>['span'] {
    const arrivals = this.#state.hours.arrivals(known.numbers);
    if (arrivals === null) return null;
    if (this.axis(known) === 'received') return { from: arrivals.first, to: arrivals.last };
    const bounds = this.#state.readings.timestamps(known.numbers, UPTIME_BELOW_MS, BigInt(arrivals.last + DAY_MS));
    return bounds === null ? null : { from: Number(bounds.first), to: Number(bounds.last) };
  }

  #latestOf(known: KnownDevice): Latest {
    let latest = this.#latest.get(known.id);
    if (latest === undefined) {
      const { readings } = this.#state;
      const bySeq = readings.latest(known.numbers, 'received', LATEST);
      const clockNotSet = isClockUnset(bySeq);
      const ordered = clockNotSet ? bySeq : this.#latestByTime(known, bySeq);
      const times = [...bySeq, ...ordered].map(({ receivedAt }) => receivedAt);
      latest = {
        clockNotSet,
        usualIntervalMs: usualInterval(bySeq),
        newest: newestOf(ordered),
        lastReceivedAt: times.length === 0 ? null : Math.max(...times),
      };
      this.#latest.set(known.id, latest);
    }
    return latest;
  }

  /**
   * The latest readings by timestamp. One dated ahead of its arrival would stand as the newest until that date, so those
   * come last. They may also be all there is at the end of the index (a clock that went ahead for an hour): what follows
   * them is then found by seq.
   */
  #latestByTime(known: KnownDevice, bySeq: readonly MergedReading[]): MergedReading[] {
    const { readings } = this.#state;
    const now = BigInt(Date.now() + HOUR_MS);
    const byTime = readings.latest(known.numbers, 'timestamp', LATEST, now);
    const found = [...byTime, ...bySeq.filter(({ seq }) => !byTime.some((reading) => reading.seq === seq))];
    found.sort((a, b) => (a.timestamp === b.timestamp ? compare(b.seq, a.seq) : compare(b.timestamp, a.timestamp)));
    return [...found.filter((reading) => !isDatedAhead(reading)), ...found.filter(isDatedAhead)];
  }

  #slowOf(known: KnownDevice, mine: boolean, now: number): SlowPart {
    const kept = this.#slow.get(known.id);
    const startAt = sparklineStart(now);
    if (kept !== undefined && kept.sparkline.startAt === startAt) {
      const age = performance.now() - kept.madeAt;
      if (age < Math.max(SLOW_PART_EVERY_MS, kept.costMs / SLOW_PART_SHARE)) return kept;
    }
    const madeAt = performance.now();
    const part = {
      sparkline: mine ? sparkline(this.#state, known, startAt) : noSparkline(startAt),
      olderNewest: olderNewest(this.#state, known, this.#latestOf(known).newest),
      lastReceivedAt: this.#state.hours.arrivals(known.numbers)?.last ?? null,
    };
    const slow = { ...part, madeAt, costMs: performance.now() - madeAt };
    this.#slow.set(known.id, slow);
    return slow;
  }

  #storeDevice({ store, row }: KnownDevice['rows'][number]): StoreDevice {
    const policy = JSON.parse(row.privacyPolicy) as PrivacyPolicy;
    return {
      store,
      publishTo: row.publishTo as StoreDevice['publishTo'],
      privacyPolicy: policy,
      dispositions: perField(
        (index): Disposition => dispositionFor(policy, SENSOR_FIELDS[index]!.policyName, this.#state.nodePublicKey),
      ),
      createdAt: row.createdAt,
    };
  }
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

import type { DeviceSummary, Output, StoreDevice } from '../../shared/owner-api.ts';
import type { Disposition } from '../../shared/protocol/codes.ts';
import { dispositionFor, type PrivacyPolicy } from '../../shared/protocol/device.ts';
import { FIELD_NAMES, SENSOR_FIELDS } from '../../shared/protocol/fields.ts';
import { OWNER_NAME_FROM_KEY_LENGTH } from '../../shared/protocol/limits.ts';
import type { MergedReading } from '../store/merged-readings.ts';
import type { KnownDevice } from '../store/owner-devices.ts';
import type { Axis } from '../store/reading-ranges.ts';
import { Rollup } from '../store/rollup.ts';
import { HOUR_MS } from '../store/unsigned.ts';
import { isClockUnset, UPTIME_BELOW_MS, usualInterval } from './clock.ts';
import type { QueryState } from './queries.ts';
import { perField, toFieldValue } from './reading-values.ts';

/** The firmware posts once a minute: what is taken as usual of a device with too few readings to tell. */
const FIRMWARE_INTERVAL_MS = 60_000;
const SILENT_AFTER_INTERVALS = 3;
/** The latest readings that tell how a device is. */
const LATEST = 50;
/** A field that none of the latest readings has is looked for in the last month of hourly sums. */
const LOOK_BACK_HOURS = 31 * 24;
const SPARKLINE_HOURS = 24;
const SPARKLINE_READINGS_BY_SEQ = 2000;
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
    const mine = known.numbers.private !== null || (known.notes.mine ?? owners.has(row.ownerPubkey));
    const { clockNotSet, usualIntervalMs, newest, lastReceivedAt } = this.#latestOf(known);
    const slow = this.#slowOf(known, mine, now);
    const arrivals = [lastReceivedAt, slow.lastReceivedAt, this.#arrivals.get(known.id)];
    const silentAfterMs =
      known.notes.silentAfterMs ?? SILENT_AFTER_INTERVALS * (usualIntervalMs ?? FIRMWARE_INTERVAL_MS);
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
      const ordered = clockNotSet ? bySeq : readings.latest(known.numbers, 'timestamp', LATEST);
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

  #slowOf(known: KnownDevice, mine: boolean, now: number): SlowPart {
    const kept = this.#slow.get(known.id);
    const startAt = (Math.floor(now / HOUR_MS) - SPARKLINE_HOURS + 1) * HOUR_MS;
    if (kept !== undefined && kept.sparkline.startAt === startAt) {
      const age = performance.now() - kept.madeAt;
      if (age < Math.max(SLOW_PART_EVERY_MS, kept.costMs / SLOW_PART_SHARE)) return kept;
    }
    const madeAt = performance.now();
    const part = {
      sparkline: mine ? this.#sparkline(known, startAt) : { startAt, stepMs: HOUR_MS, values: {} },
      olderNewest: this.#olderNewest(known),
      lastReceivedAt: this.#state.hours.arrivals(known.numbers)?.last ?? null,
    };
    const slow = { ...part, madeAt, costMs: performance.now() - madeAt };
    this.#slow.set(known.id, slow);
    return slow;
  }

  #sparkline(known: KnownDevice, startAt: number): Sparkline {
    const steps = Array.from({ length: SPARKLINE_HOURS }, () => new Rollup());
    const first = startAt / HOUR_MS;
    if (this.axis(known) === 'timestamp') {
      this.#state.hours.addTo(known.numbers, first, first + SPARKLINE_HOURS - 1, (hour) => steps[hour - first]!);
    } else {
      for (const reading of this.#state.readings.latest(known.numbers, 'received', SPARKLINE_READINGS_BY_SEQ)) {
        steps[Math.floor((reading.receivedAt - startAt) / HOUR_MS)]?.addReading(reading.fields, 0);
      }
    }
    const values: Sparkline['values'] = {};
    for (const [index, name] of FIELD_NAMES.entries()) {
      if (steps.some(({ count }) => count[index]! > 0)) values[name] = steps.map((step) => step.mean(index));
    }
    return { startAt, stepMs: HOUR_MS, values };
  }

  #olderNewest(known: KnownDevice): Newest {
    const older = perField((): Newest[keyof Newest] => null);
    const { clockNotSet, newest } = this.#latestOf(known);
    const missing = FIELD_NAMES.map((name, index) => ({ name, index })).filter(({ name }) => newest[name] === null);
    const span = clockNotSet ? null : this.span(known);
    if (missing.length === 0 || span === null) return older;
    const last = Math.floor(span.to / HOUR_MS);
    const hours = new Map<number, number>();
    const sums = new Map<number, Rollup>();
    this.#state.hours.addTo(known.numbers, last - LOOK_BACK_HOURS, last, (hour) => {
      const sum = sums.get(hour) ?? new Rollup();
      sums.set(hour, sum);
      return sum;
    });
    for (const [hour, { count, sealed }] of sums) {
      for (const { index } of missing) {
        if (count[index]! + sealed[index]! > 0 && hour > (hours.get(index) ?? 0)) hours.set(index, hour);
      }
    }
    for (const { name, index } of missing) {
      const hour = hours.get(index);
      if (hour === undefined) continue;
      const from = BigInt(hour * HOUR_MS);
      const inHour = { axis: 'timestamp', from, to: from + BigInt(HOUR_MS - 1) } as const;
      const readings = this.#state.readings.page(known.numbers, inHour, null, HOUR_MS);
      older[name] = newestOf(readings.reverse())[name];
    }
    return older;
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

/** The first value of each field in readings that are given newest first. */
function newestOf(readings: readonly MergedReading[]): Newest {
  return perField((index) => {
    const reading = readings.find(({ fields }) => fields[index] !== null);
    if (reading === undefined) return null;
    const { seq, keyVersion, receivedAt } = reading;
    return { value: toFieldValue(reading.fields[index]!), seq: seq.toString(), keyVersion, receivedAt };
  });
}

import type { DeviceDetail, DeviceSummary, StoreDevice } from '../../../../shared/owner-api/devices.ts';
import { dispositionFor } from '../../../../shared/protocol/device.ts';
import { FIELD_NAMES, type FieldName, SENSOR_FIELDS } from '../../../../shared/protocol/fields.ts';
import { OWNER_NAME_FROM_KEY_LENGTH } from '../../../../shared/protocol/limits.ts';
import { automaticThreshold } from '../../../../shared/silence.ts';
import {
  isClockUnset,
  isDatedAhead,
  STRAY_AHEAD_MS,
  UPTIME_BELOW_MS,
  usualInterval,
} from '../../../common/device-clock.ts';
import { HOUR_MS } from '../../../store/counts.ts';
import type { Axis, KnownDevice, MergedReading, StoresView } from '../../../store/stores-view.ts';
import { isClaimed, isMine } from '../../../store/whose.ts';
import { perField } from '../reading-values.ts';
import { isSteady } from './freshness.ts';
import { newestOf, noSparkline, olderNewest, sparkline, sparklineStart, unchangedBefore } from './past-values.ts';

/** The number of latest readings that are enough to judge a device. */
const LATEST = 50;
/** The slow part of a summary is renewed at most this often, and uses at most this share of the time. */
const SLOW_PART_EVERY_MS = 5000;
const SLOW_PART_SHARE = 1 / 50;
const DAY_MS = 24 * HOUR_MS;

type Newest = DeviceSummary['newest'];
type Sparkline = DeviceSummary['sparkline'];

/** The summary of a device's latest readings, kept until it has new ones. */
interface Latest {
  readonly clockNotSet: boolean;
  readonly usualIntervalMs: number | null;
  readonly newest: Newest;
  /** The fields whose newest value is the same in all latest readings. */
  readonly steady: readonly FieldName[];
  /** Their times of arrival. */
  readonly received: readonly number[];
}

/** The part of the summary that needs too many readings to be renewed for each request of the list. */
interface SlowPart {
  readonly madeAt: number;
  readonly costMs: number;
  readonly sparkline: Sparkline;
  /** The hour in which it was made. */
  readonly hour: number;
  /** The last values of fields that none of the latest readings has. */
  readonly olderNewest: Newest;
  /** For each steady field, a time since which its value has been the same at least. */
  readonly unchanged: Awaited<ReturnType<typeof unchangedBefore>>;
  readonly lastReceivedAt: number | null;
  /** JSON text, to notice a change. */
  readonly corrections: string;
}

/** Summarizes devices. Caches the results from each device's latest readings until it has new ones. */
export class Summaries {
  readonly #nodePublicKey: string;
  readonly #latest = new Map<string, Latest>();
  readonly #slow = new Map<string, SlowPart>();
  readonly #arrivals = new Map<string, number>();
  /** The node's time at the latest query, in Unix milliseconds. */
  now = 0;

  /** `nodePublicKey` in lowercase hex: policies may have a rule for it. */
  constructor(nodePublicKey: string) {
    this.#nodePublicKey = nodePublicKey;
  }

  /** Call this when a device has new readings, with the arrival of the latest. */
  arrived(id: string, receivedAt: number): void {
    this.#latest.delete(id);
    this.#arrivals.set(id, Math.max(receivedAt, this.#arrivals.get(id) ?? 0));
  }

  /** Call this when data of a device was deleted. */
  forgotten(id: string): void {
    this.#latest.delete(id);
    this.#slow.delete(id);
    this.#arrivals.delete(id);
  }

  /** Returns the axis by which a device's readings are ordered: `received` if its clock is not set. */
  async axis(stores: StoresView, known: KnownDevice): Promise<Axis> {
    return (await this.#latestOf(stores, known)).clockNotSet ? 'received' : 'timestamp';
  }

  /** Returns a device as lists show it. `owners` are the owner keys of the private store's devices. */
  async summary(
    stores: StoresView,
    known: KnownDevice,
    owners: ReadonlySet<string>,
    { now, silenceRuleMs }: { readonly now: number; readonly silenceRuleMs: number | null },
  ): Promise<DeviceSummary> {
    const { device } = known.entries[0]!;
    const mine = isMine(known);
    const { clockNotSet, usualIntervalMs, newest, steady, received } = await this.#latestOf(stores, known);
    const slow = await this.#slowOf(stores, known, mine, now);
    const arrivals = [...received, slow.lastReceivedAt, this.#arrivals.get(known.id)].filter((at) => at != null);
    const silentAfterMs = known.notes.silentAfterMs ?? silenceRuleMs ?? automaticThreshold(usualIntervalMs);
    return {
      id: known.id,
      mac: device.mac,
      ownerPubkey: device.ownerPubkey,
      // If a registration has no owner's name, the store keeps the first characters of the key instead.
      ownerName: device.ownerName === device.ownerPubkey.slice(0, OWNER_NAME_FROM_KEY_LENGTH) ? null : device.ownerName,
      name: device.name,
      type: device.type,
      location: device.location?.toString() ?? null,
      hardware: device.hardware,
      stores: known.entries.map((entry) => this.#storeDevice(entry)),
      notes: known.notes,
      corrections: [...known.corrections],
      // The code that lists devices sets this.
      hasNamesake: false,
      mine,
      claimed: isClaimed(known, owners),
      lastReceivedAt: latestNotAhead(arrivals, now) ?? (arrivals.length > 0 ? registeredAt(known, now) : null),
      usualIntervalMs,
      silentAfterMs,
      clockNotSet,
      newest: perField((name) => {
        const value = newest[name] ?? slow.olderNewest[name];
        const unchanged = steady.includes(name) ? slow.unchanged.get(name) : undefined;
        return value === null || unchanged === undefined ? value : { ...value, ...unchanged };
      }),
      sparkline: slow.sparkline,
    };
  }

  /**
   * Returns the times that a device's readings span; null if it has none. By timestamp, stray readings are left out:
   * uptimes of boots before the device knew the time, and dates more than a day after its latest arrival.
   */
  async span(stores: StoresView, known: KnownDevice): Promise<DeviceDetail['span']> {
    const arrivals = (await stores.arrivals(known.id, this.now)) ?? (await stores.arrivals(known.id));
    if (arrivals === null) return null;
    if ((await this.axis(stores, known)) === 'received') return { from: arrivals.first, to: arrivals.last };
    const bounds = await stores.timestamps(known.id, UPTIME_BELOW_MS, BigInt(arrivals.last + DAY_MS));
    return bounds === null ? null : { from: Number(bounds.first), to: Number(bounds.last) };
  }

  async #latestOf(stores: StoresView, known: KnownDevice): Promise<Latest> {
    let latest = this.#latest.get(known.id);
    if (latest === undefined) {
      const bySeq = await stores.latest(known.id, 'received', LATEST);
      const clockNotSet = isClockUnset(bySeq);
      const ordered = clockNotSet ? bySeq : await latestByTime(stores, known.id, bySeq, this.now);
      latest = {
        clockNotSet,
        usualIntervalMs: usualInterval(bySeq),
        newest: newestOf(ordered, clockNotSet ? 'received' : 'timestamp'),
        steady: FIELD_NAMES.filter((name) => isSteady(ordered, name)),
        received: [...new Set([...bySeq, ...ordered].map(({ receivedAt }) => receivedAt))],
      };
      this.#latest.set(known.id, latest);
    }
    return latest;
  }

  async #slowOf(stores: StoresView, known: KnownDevice, mine: boolean, now: number): Promise<SlowPart> {
    const kept = this.#slow.get(known.id);
    const hour = sparklineStart(now);
    const corrections = JSON.stringify(known.corrections);
    if (kept !== undefined && kept.hour === hour && kept.corrections === corrections) {
      const age = performance.now() - kept.madeAt;
      if (age < Math.max(SLOW_PART_EVERY_MS, kept.costMs / SLOW_PART_SHARE)) return kept;
    }
    const madeAt = performance.now();
    const axis = await this.axis(stores, known);
    const { newest, steady } = await this.#latestOf(stores, known);
    const part = {
      corrections,
      sparkline: mine ? await sparkline(stores, known, axis, now) : noSparkline(hour),
      hour,
      unchanged: axis === 'timestamp' ? await unchangedBefore(stores, known.id, newest, steady) : new Map(),
      olderNewest: await this.#olderNewest(stores, known, axis),
      lastReceivedAt: (await stores.arrivals(known.id, now + STRAY_AHEAD_MS))?.last ?? null,
    };
    const slow = { ...part, madeAt, costMs: performance.now() - madeAt };
    this.#slow.set(known.id, slow);
    return slow;
  }

  /** Returns older values of the missing fields. There are none by arrival, since there are no sums to search. */
  async #olderNewest(stores: StoresView, known: KnownDevice, axis: Axis): Promise<Newest> {
    const { newest } = await this.#latestOf(stores, known);
    const isComplete = Object.values(newest).every((value) => value !== null);
    const span = axis === 'received' || isComplete ? null : await this.span(stores, known);
    return span === null ? perField(() => null) : olderNewest(stores, known.id, newest, span.to);
  }

  #storeDevice({ store, device }: KnownDevice['entries'][number]): StoreDevice {
    const { publishTo, privacyPolicy, createdAt } = device;
    const dispositions = Object.fromEntries(
      SENSOR_FIELDS.map(({ name, policyName }) => [
        name,
        dispositionFor(privacyPolicy, policyName, this.#nodePublicKey),
      ]),
    ) as StoreDevice['dispositions'];
    return { store, publishTo, privacyPolicy, dispositions, createdAt };
  }
}

/**
 * So many consecutive readings that are dated ahead are not strays: the clock of the device or of this node is wrong.
 */
const WRONG_ON_END = 3;

/**
 * Returns the latest readings by timestamp. A reading that is dated ahead of its arrival, or of now, would be the
 * newest until that date, so these come last. But if the latest few by seq are all dated ahead, they are the newest, in
 * that order. After a clock was ahead for an hour, they may fill the end of the index; the readings after them are then
 * found by seq.
 */
async function latestByTime(
  stores: StoresView,
  id: string,
  bySeq: readonly MergedReading[],
  now: number,
): Promise<MergedReading[]> {
  const byTime = await stores.latest(id, 'timestamp', LATEST, BigInt(now + HOUR_MS));
  const found = [...byTime, ...bySeq.filter(({ seq }) => !byTime.some((reading) => reading.seq === seq))];
  found.sort((a, b) => (a.timestamp === b.timestamp ? compare(b.seq, a.seq) : compare(b.timestamp, a.timestamp)));
  const isAhead = (reading: MergedReading) =>
    isDatedAhead(reading) || isDatedAhead({ timestamp: reading.timestamp, receivedAt: now });
  const sound = bySeq.findIndex((reading) => !isAhead(reading));
  const onEnd = bySeq.slice(0, sound === -1 ? bySeq.length : sound);
  const first = new Set(onEnd.length >= WRONG_ON_END ? onEnd.map(({ seq }) => seq) : []);
  const others = found.filter(({ seq }) => !first.has(seq));
  return [
    ...(first.size > 0 ? onEnd : []),
    ...others.filter((reading) => !isAhead(reading)),
    ...others.filter(isAhead),
  ];
}

function latestNotAhead(times: readonly number[], now: number): number | null {
  const past = times.filter((at) => at <= now + STRAY_AHEAD_MS);
  return past.length === 0 ? null : Math.max(...past);
}

/**
 * Returns when a device was surely heard, for a device whose times of arrival are all ahead: a clock was wrong, and the
 * device may be silent.
 */
function registeredAt({ entries }: KnownDevice, now: number): number | null {
  return latestNotAhead(
    entries.map(({ device }) => device.createdAt),
    now,
  );
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

import type { RangeRule } from '../../../shared/alerts/rule.ts';
import { isDerived } from '../../../shared/measures/derived.ts';
import type { FieldName } from '../../../shared/protocol/fields.ts';
import type { Clock } from '../../common/clock.ts';
import { STRAY_AHEAD_MS } from '../../common/device-clock.ts';
import type { StoredReading } from '../../common/node-events.ts';
import { storedReading } from '../../intake/stored-reading.ts';
import type { MergedReading, StoresView } from '../../store/stores-view.ts';
import type { DeviceWatch } from './device-watch.ts';
import { type Engine, type KeptDevice, type Seen, seenValues } from './engine.ts';
import type { KnownDevices } from './known-devices.ts';

/** The number of readings that are enough to judge a device. */
const LATEST = 50;
/**
 * The most readings of a device that are read again. A node that was killed has evaluated all but those of the last
 * minutes.
 */
const MAX_READINGS = 20_000;
const PAGE = 2000;
/** Readings are stored some time after they arrived, and not in the order of arrival. */
const SLACK_MS = 60_000;

/** The state of an earlier run. */
export interface Left {
  readonly devices: readonly KeptDevice[];
  /** Readings that arrived before this time were evaluated, except those of the last moments. */
  readonly savedAt: number;
}

export interface CatchUpOptions {
  readonly engine: Engine;
  readonly devices: KnownDevices;
  readonly clock: Clock;
}

/**
 * Evaluates what the engine missed: first the state of each device at the last save, then the readings that were stored
 * after it, in the order of arrival. Readings that were evaluated already change nothing. Returns whether there is
 * news.
 */
export async function catchUp(
  { engine, devices, clock }: CatchUpOptions,
  stores: StoresView,
  left: Left | null,
): Promise<boolean> {
  engine.admit();
  const kept = new Map((left?.devices ?? []).map((device) => [device.id, device]));
  const missed: StoredReading[] = [];
  const steady = clock.steady();
  /** Only the time in which this node could have received readings counts as silence. */
  const heardAt = (receivedAt: number) => steady - Math.max(0, (left?.savedAt ?? 0) - receivedAt);
  const arrivedAt = new Map<string, number | null>();
  for (const { id } of devices.all) {
    const latest = (await stores.latest(id, 'received', LATEST))
      .toReversed()
      .map((reading) => storedReading(id, reading));
    const known = kept.get(id);
    seed(engine.watchOf(id)!, latest, known, heardAt);
    // A device that registered since then is evaluated from its first reading on.
    const watch = engine.watchOf(id)!;
    if (left !== null) watch.newestAt = known?.newestAt ?? Number.NEGATIVE_INFINITY;
    // The time is from a clock that was ahead: all readings to come would count as late.
    if (watch.newestAt > clock.now() + STRAY_AHEAD_MS) watch.newestAt = Number.NEGATIVE_INFINITY;
    arrivedAt.set(id, watch.lastReceivedAt);
    if (left === null) continue;
    const since = left.savedAt - SLACK_MS;
    const from = (known?.newestAt ?? 0) - engine.longestWait(id);
    const readings = watch.isClockUnset ? latest : await measuredSince(stores, id, from);
    // The readings that are shown again arrived before the latest one, which must not look like a clock that was set
    // back.
    watch.lastReceivedAt = null;
    missed.push(...readings.filter(({ receivedAt }) => receivedAt >= since));
  }
  // Without a saved state all rules are new: `lookBack` evaluates the earlier readings.
  engine.follow({ looksBack: left === null });
  missed.sort((a, b) => a.receivedAt - b.receivedAt);
  const isNews = engine.take(missed, undefined, ({ receivedAt }) => heardAt(receivedAt));
  for (const [id, at] of arrivedAt) {
    const watch = engine.watchOf(id);
    if (watch !== null) watch.lastReceivedAt = at;
  }
  return isNews;
}

/** Restores the state of a device at the last save, without evaluating rules. */
function seed(
  watch: DeviceWatch,
  latest: readonly StoredReading[],
  known: KeptDevice | undefined,
  heardAt: (receivedAt: number) => number,
): void {
  for (const reading of latest) watch.take(reading, heardAt(reading.receivedAt));
  for (const [field, receivedAt] of Object.entries(known?.fields ?? {})) {
    watch.restoreField(field as FieldName, receivedAt, heardAt(receivedAt));
  }
}

/** Returns the readings that were measured since a time, at most about MAX_READINGS of the newest. */
async function measuredSince(stores: StoresView, id: string, from: number): Promise<StoredReading[]> {
  const span = { axis: 'timestamp', from: BigInt(Math.max(0, Math.floor(from))), to: 2n ** 64n - 1n } as const;
  const readings: StoredReading[] = [];
  for (let after: MergedReading | null = null; readings.length < MAX_READINGS; ) {
    const page: readonly MergedReading[] = await stores.page(id, span, after, PAGE, { order: 'descending' });
    readings.push(...page.map((reading) => storedReading(id, reading)));
    after = page.at(-1) ?? null;
    if (page.length < PAGE) break;
  }
  return readings;
}

/** How far back a new rule looks for the time since which a value has been out of range. */
const LOOK_BACK_MS = 7 * 86_400_000;
const LOOK_BACK_PAGE = 500;

/**
 * Evaluates the earlier readings with new rules, so that they know since when a value has been out of range. Returns
 * whether one fires. Each device is read back until every new rule has found a value in its range.
 */
export async function lookBack(
  { engine, clock }: Omit<CatchUpOptions, 'devices'>,
  stores: StoresView,
): Promise<boolean> {
  let isNews = false;
  for (const { device, seen, rules } of engine.waiting) {
    const { id } = device;
    let readings: StoredReading[] = [];
    try {
      readings = engine.watchOf(id)!.isClockUnset
        ? (await stores.latest(id, 'received', LOOK_BACK_PAGE)).map((reading) => storedReading(id, reading))
        : await readBack(stores, id, seen, rules, clock.now() - LOOK_BACK_MS);
    } finally {
      // This also runs if the stores can't be read: a rule that waits evaluates nothing.
      readings.sort((a, b) => a.receivedAt - b.receivedAt);
      isNews = engine.lookBack(id, readings) || isNews;
    }
  }
  return isNews;
}

/** Returns the newest readings, back to where every rule has found a value in its range, or to `from`. */
async function readBack(
  stores: StoresView,
  id: string,
  seen: Seen,
  rules: readonly RangeRule[],
  from: number,
): Promise<StoredReading[]> {
  const span = { axis: 'timestamp', from: BigInt(Math.max(0, Math.floor(from))), to: 2n ** 64n - 1n } as const;
  const isRight = (reading: StoredReading, { field, low, high }: RangeRule) => {
    const value = seenValues(reading, Number(reading.timestamp), seen, isDerived(field) ? [field] : [])[field];
    return value !== undefined && value >= (low ?? value) && value <= (high ?? value);
  };
  const readings: StoredReading[] = [];
  let seeking = rules;
  for (let after: MergedReading | null = null; readings.length < MAX_READINGS; ) {
    const page: readonly MergedReading[] = await stores.page(id, span, after, LOOK_BACK_PAGE, { order: 'descending' });
    const found = page.map((reading) => storedReading(id, reading));
    readings.push(...found);
    after = page.at(-1) ?? null;
    if (page.length < LOOK_BACK_PAGE) break;
    seeking = seeking.filter((rule) => !found.some((reading) => isRight(reading, rule)));
    if (seeking.length === 0) break;
  }
  return readings;
}

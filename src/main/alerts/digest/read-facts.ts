import { setImmediate as nextTurn } from 'node:timers/promises';
import type { z } from 'zod';
import { rangeAt } from '../../../shared/alerts/device-range.ts';
import { openAlerts, worstFirst } from '../../../shared/alerts/open-alerts.ts';
import type { RangeRule } from '../../../shared/alerts/rule.ts';
import { bandOf } from '../../../shared/alerts/shown-range.ts';
import { type Course, outlooks } from '../../../shared/forecast/outlook.ts';
import { LOOK_BACK } from '../../../shared/forecast/rate.ts';
import { correctedValue } from '../../../shared/measures/correction.ts';
import {
  ANY_FIELDS,
  type AnyField,
  type DerivedBy,
  derivedOfStep,
  isDerived,
  mayBeDerived,
  sourcesOf,
  unitChoiceOf,
} from '../../../shared/measures/derived.ts';
import { fieldScale, type GeneralUnits } from '../../../shared/measures/field-scale.ts';
import { lineOf, type RightRange, timeInRange } from '../../../shared/measures/time-in-range.ts';
import type { RuleState } from '../../../shared/owner-api/alerts.ts';
import { CHOICES, type DeviceGroup, type OwnerChoices } from '../../../shared/owner-data/choices.ts';
import { type Cycle, cycle as cycleSchema } from '../../../shared/owner-data/cycles.ts';
import { dayOf, daysBetween } from '../../../shared/owner-data/days.ts';
import { byDue, isOpen } from '../../../shared/owner-data/task-states.ts';
import { type Task, task as taskSchema } from '../../../shared/owner-data/tasks.ts';
import { FIELD_NAMES, type FieldName } from '../../../shared/protocol/fields.ts';
import { automaticThreshold } from '../../../shared/silence.ts';
import { isWatched, rangesFor } from '../../../shared/wellness/concerned.ts';
import { COUNTED, type Counted } from '../../../shared/wellness/sentence.ts';
import { stageRanges } from '../../../shared/wellness/stage-ranges.ts';
import { deviceStatus } from '../../../shared/wellness/status.ts';
import { wellnessOf } from '../../../shared/wellness/wellness.ts';
import type { Clock } from '../../common/clock.ts';
import { isClockUnset, usualInterval } from '../../common/device-clock.ts';
import { correctedSums } from '../../store/corrected-sums.ts';
import { HOUR_MS } from '../../store/counts.ts';
import type { FieldSums, KnownDevice, MergedReading, StepSums, StoresView } from '../../store/stores-view.ts';
import { isMine } from '../../store/whose.ts';
import type { Firings } from '../firings.ts';
import type { DeviceDays } from '../watch/device-days.ts';
import type { Engine } from '../watch/engine.ts';
import type { KnownDevices } from '../watch/known-devices.ts';
import type { DigestFacts, DigestPlace } from './facts.ts';
import type { Period } from './periods.ts';

/** The number of readings that are enough to judge the clock and the interval of a device. */
const LATEST = 50;
/** The most devices in a message, and the most lines of each kind for one device. */
const MOST_PLACES = 40;
const MOST_LINES = 5;
/** Steps shorter than an hour need all readings, so they are used for a daily summary only. */
const DAILY_STEP_MS = 10 * 60_000;

/** The sources of a summary. */
export interface DigestSources {
  readonly firings: Firings;
  readonly devices: KnownDevices;
  readonly engine: Engine;
  readonly clock: Clock;
  /** The times of day at the devices. */
  readonly days: DeviceDays;
  /** The owner's units for all devices. */
  readonly units: () => GeneralUnits;
  /**
   * Returns the silence after which the owner's rule fires for any device, in milliseconds; null if each device's usual
   * interval decides.
   */
  readonly silenceRuleMs: () => number | null;
}

/** The owner's data that a summary reads once. */
interface Scene {
  readonly stores: StoresView;
  readonly sources: DigestSources;
  readonly period: Period;
  readonly isWeekly: boolean;
  readonly now: number;
  readonly rules: readonly RuleState[];
  readonly groups: readonly DeviceGroup[];
  readonly cycles: readonly Cycle[];
  readonly climate: OwnerChoices['climate'];
  readonly tasks: readonly Task[];
  readonly today: string;
}

/** A device and its state, without the sums of its values. */
interface Judged {
  readonly device: KnownDevice;
  readonly wellness: Counted;
  readonly latest: readonly MergedReading[];
  readonly silentMs: number | null;
  readonly clockNotSet: boolean;
}

/**
 * Reads the facts of a summary: the values of its period and the present state of everything else. Sealed values stay
 * sealed.
 */
export async function readDigest(
  sources: DigestSources,
  stores: StoresView,
  { weekday, zone }: { readonly weekday: number | null; readonly zone: string },
  period: Period,
): Promise<DigestFacts> {
  const now = sources.clock.now();
  const choices = await stores.choices();
  const scene: Scene = {
    ...{ stores, sources, period, isWeekly: weekday !== null, now, today: dayOf(now, zone) },
    rules: sources.engine.ruleStates(),
    groups: CHOICES.groups.safeParse(choices.get('groups')).data ?? [],
    cycles: readable(choices.get('cycles'), cycleSchema),
    climate: CHOICES.climate.safeParse(choices.get('climate') ?? {}).data ?? {},
    tasks: readable(choices.get('tasks'), taskSchema),
  };
  const judged: Judged[] = [];
  for (const device of sources.devices.all.filter(isMine)) {
    const found = await judge(scene, device);
    if (found !== null) judged.push(found);
  }
  const named = new Map(judged.map(({ device }) => [device.id, sources.devices.nameOf(device)]));
  const told = inOrder(scene, judged, (id) => named.get(id)!).slice(0, MOST_PLACES);
  const places: DigestPlace[] = [];
  for (const each of told) {
    places.push({ ...(await placeOf(scene, each)), name: named.get(each.device.id)! });
    // Lets the node store readings in between.
    await nextTurn();
  }
  const open = scene.tasks.filter(
    (task) => isOpen(task, scene.today) && (task.device === null || named.has(task.device)),
  );
  return {
    ...{ isWeekly: scene.isWeekly, from: period.from, to: period.to, at: now, zone },
    counts: countsOf(judged),
    alerts: worstFirst(openAlerts(live(scene)).filter(({ device }) => device === null || !named.has(device))).slice(
      0,
      MOST_LINES,
    ),
    places: byGroup(places),
    more: judged.length - told.length,
    tasks: tasksOf(scene, null),
    tasksDue: open.length,
    tasksDone: scene.tasks.filter(({ done }) => done !== null && done.at >= period.from && done.at < period.to).length,
  };
}

function live({ sources }: Scene) {
  return sources.firings.all.map(({ alert }) => alert);
}

/** Returns the state of a device; null if it is switched off or not the owner's. */
async function judge(scene: Scene, device: KnownDevice): Promise<Judged | null> {
  const { stores, sources, now, rules, groups } = scene;
  const { clock, engine, silenceRuleMs } = sources;
  const latest = await stores.latest(device.id, 'received', LATEST);
  const clockNotSet = isClockUnset(latest);
  const arrived = latest.map(({ receivedAt }) => receivedAt).filter((at) => at <= now);
  const last = latest.length === 0 ? null : Math.max(0, ...arrived);
  // The time in which the node was off does not count as silence.
  const heardAt = now - (clock.steady() - (engine.watchOf(device.id)?.heardAt ?? Number.NEGATIVE_INFINITY));
  const known = {
    ...{ id: device.id, mine: true, notes: device.notes, clockNotSet },
    lastReceivedAt: last === null ? null : Math.min(now, Math.max(last, heardAt)),
    silentAfterMs: device.notes.silentAfterMs ?? silenceRuleMs() ?? automaticThreshold(usualInterval(latest)),
  };
  const wellness = wellnessOf(known, live(scene), isWatched(rules, known, groups), now);
  if (wellness === 'off' || wellness === 'foreign') return null;
  const silentMs = last !== null && deviceStatus(known, now) === 'silent' ? now - last : null;
  return { device, wellness, latest, silentMs, clockNotSet };
}

async function placeOf(scene: Scene, judged: Judged): Promise<Omit<DigestPlace, 'name'>> {
  const { groups, rules } = scene;
  const { device, latest, wellness, silentMs, clockNotSet } = judged;
  const { id, notes } = device;
  const on = rules.map(({ rule }) => rule).filter((rule) => rule.kind === 'range' && rule.isOn);
  const ranges = rangesFor(on, { id, mine: true }, groups).map((rule) => rangeAt(rule, notes.units));
  const open = worstFirst(openAlerts(live(scene)).filter((alert) => alert.device === id));
  return {
    ...{ id, wellness, silentMs, clockNotSet, units: notes.units },
    group: groups.find(({ devices }) => devices.includes(id))?.name ?? null,
    alerts: open.slice(0, MOST_LINES),
    ...(await sumsOf(scene, judged, ranges)),
    outlooks: clockNotSet ? [] : await outlooksOf(scene, device, latest, ranges),
    tasks: tasksOf(scene, id),
  };
}

/**
 * Returns the sums of the watched fields in the period. There are none for a device whose clock is not set: the times
 * of its readings are unknown.
 */
async function sumsOf(
  { stores, sources, period, isWeekly, cycles, groups, climate }: Scene,
  { device, latest, clockNotSet }: Judged,
  ranges: readonly RangeRule[],
): Promise<Pick<DigestPlace, 'sums' | 'sealed'>> {
  const { id, notes, corrections } = device;
  const fields = ANY_FIELDS.filter((field) => hasTank(device, field) || ranges.some((rule) => rule.field === field));
  const by = { units: notes.units, leafOffset: climate[id]?.leafOffset ?? null };
  if (clockNotSet || fields.length === 0) return { sums: [], sealed: [] };
  const stepMs = isWeekly ? HOUR_MS : DAILY_STEP_MS;
  const steps = await correctedSums(stores, id, spanOf(period.from, period.to - 1), stepMs, corrections);
  const spans = stageRanges(cycles, { id, notes }, groups, {
    ...{ dayIn: (zone) => sources.days.of(id, zone), now: sources.clock.now() },
  });
  const found: Pick<DigestPlace, 'sums' | 'sealed'> = { sums: [], sealed: [] };
  for (const field of fields) {
    const all = steps.map((step) => ({ time: step.time, ...stepOf(step, field, by) }));
    const plain = all.filter(({ count }) => count > 0);
    if (plain.length === 0) {
      if (all.some(({ sealed }) => sealed > 0)) found.sealed.push(field);
      continue;
    }
    const own = ranges.filter((rule) => rule.field === field);
    const ofStages = spans.filter((span) => span.field === field);
    const right: RightRange[] = [
      ...own
        .filter(({ cycle }) => cycle === undefined || ofStages.length === 0)
        .map(({ low, high }) => ({ low, high })),
      ...ofStages,
    ];
    const line = lineOf(
      {
        ...{ times: plain.map(({ time }) => time), stepMs },
        counts: plain.map(({ count }) => count),
        mean: plain.map(({ mean }) => mean!),
      },
      usualInterval(latest),
    );
    found.sums.push({
      field,
      inRange: right.length === 0 ? null : timeInRange(line, right, period),
      least: Math.min(...plain.map(({ min }) => min!)),
      greatest: Math.max(...plain.map(({ max }) => max!)),
    });
  }
  return found;
}

/** Returns the sums of a field in a step. Those of a derived field are of the means of the step, as in the charts. */
function stepOf({ fields }: StepSums, field: AnyField, by: DerivedBy): FieldSums {
  if (!isDerived(field)) return fields[field];
  const mean = derivedOfStep(field, (source) => fields[source], by);
  const sources = sourcesOf(field).map((source) => fields[source]);
  return {
    count: mean === null ? 0 : Math.min(...sources.map(({ count }) => count)),
    sealed: mayBeDerived(field, by) ? Math.max(...sources.map(({ sealed }) => sealed)) : 0,
    ...{ mean, min: mean, max: mean },
  };
}

/** Returns the forecasts from the trend of the last days. */
async function outlooksOf(
  { stores, sources, now }: Scene,
  device: KnownDevice,
  latest: readonly MergedReading[],
  ranges: readonly RangeRule[],
): Promise<DigestPlace['outlooks']> {
  const { id, notes, corrections } = device;
  const fields = FIELD_NAMES.filter((field) => hasTank(device, field) || ranges.some((rule) => rule.field === field));
  if (fields.length === 0) return [];
  // The stores have sums of whole hours.
  const steps = await correctedSums(stores, id, spanOf(now - LOOK_BACK, now), HOUR_MS, corrections);
  const courses = fields.flatMap((field): Course[] => {
    const newest = newestOf(latest, field);
    if (newest === null) return [];
    return [
      {
        scale: fieldScale(field, notes.units[field], sources.units()),
        points: pointsOf(steps, field),
        newest: correctedValue(corrections, field, newest.at, newest.value),
        band: bandOf(field, ranges),
      },
    ];
  });
  return outlooks(courses, now).slice(0, MOST_LINES);
}

function pointsOf(steps: readonly StepSums[], field: FieldName) {
  return steps.flatMap(({ time, fields }) => {
    const { mean } = fields[field];
    return mean === null ? [] : [{ at: time, value: mean }];
  });
}

/** Returns the newest value of a field; null if the newest is sealed or there is none. */
function newestOf(latest: readonly MergedReading[], field: FieldName): { at: number; value: number } | null {
  let newest: MergedReading | null = null;
  for (const reading of latest) {
    if (reading.fields[field] !== null && (newest === null || reading.timestamp > newest.timestamp)) newest = reading;
  }
  const value = newest?.fields[field];
  return typeof value === 'number' ? { at: Number(newest!.timestamp), value } : null;
}

function hasTank({ notes }: KnownDevice, field: AnyField): boolean {
  const choice = unitChoiceOf(notes.units, field);
  return choice !== undefined && 'tank' in choice && choice.tank !== undefined;
}

function spanOf(from: number, to: number) {
  return { axis: 'timestamp', from: BigInt(Math.max(0, from)), to: BigInt(to) } as const;
}

function tasksOf({ tasks, today }: Scene, device: string | null): DigestPlace['tasks'] {
  return tasks
    .filter((task) => task.device === device && isOpen(task, today))
    .toSorted(byDue)
    .slice(0, MOST_LINES)
    .map(({ title, act, due }) => ({
      task: act === undefined ? { title } : { title, act },
      lateDays: daysBetween(due!, today),
    }));
}

function countsOf(judged: readonly Judged[]): DigestFacts['counts'] {
  const entries = COUNTED.map((each) => [each, judged.filter(({ wellness }) => wellness === each).length] as const);
  return Object.fromEntries(entries) as DigestFacts['counts'];
}

/** Returns the devices that need their owner first, then the others by group and name. */
function inOrder({ groups }: Scene, judged: readonly Judged[], nameOf: (id: string) => string): Judged[] {
  const groupOf = new Map(groups.flatMap(({ devices }, index) => devices.map((id) => [id, index] as const)));
  const place = ({ device: { id } }: Judged) => groupOf.get(id) ?? groups.length;
  return judged.toSorted(
    (a, b) =>
      COUNTED.indexOf(a.wellness) - COUNTED.indexOf(b.wellness) ||
      place(a) - place(b) ||
      nameOf(a.device.id).localeCompare(nameOf(b.device.id)),
  );
}

/** Groups the places. Those without a group come first: after a group they would seem to belong to it. */
function byGroup(places: readonly DigestPlace[]): DigestPlace[] {
  const groups = Map.groupBy(places, ({ group }) => group);
  const inNone = groups.get(null) ?? [];
  groups.delete(null);
  return [...inNone, ...[...groups.values()].flat()];
}

function readable<T>(kept: unknown, schema: z.ZodType<T>): T[] {
  const list: readonly unknown[] = Array.isArray(kept) ? kept : [];
  return list.flatMap((each) => schema.safeParse(each).data ?? []);
}

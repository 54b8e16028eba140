import { PRESETS } from '../../shared/alerts/presets.ts';
import type { RangeRule, Rule } from '../../shared/alerts/rule.ts';
import type { Range } from '../../shared/alerts/shown-range.ts';
import type { AnyField } from '../../shared/measures/derived.ts';
import { haveNights, rangeBy, stageAt } from '../../shared/owner-data/cycle-states.ts';
import { type Cycle, cycle as cycleSchema, type Stage, type StageRange } from '../../shared/owner-data/cycles.ts';
import { dayOf } from '../../shared/owner-data/days.ts';
import { derivedId } from './derived-id.ts';
import type { Firings } from './firings.ts';
import type { RuleBook } from './rule-book.ts';
import type { FollowedCycle } from './state/document.ts';

const DEFAULT_MINUTES = 30;
const USUAL = new Map(
  Object.values(PRESETS)
    .flat()
    .map(({ field, margin, forMinutes }) => [field as AnyField, { margin, forMinutes }]),
);

/** A stage that began and has no entry in the log yet. */
export interface BegunStage {
  readonly cycle: Cycle;
  readonly stage: Stage;
}

/** The devices of places, and what counts as day there. */
interface CyclePlaces {
  readonly devicesAt: (place: Cycle['place']) => readonly string[];
  readonly isDay: (device: string, zone: string, at: number) => boolean;
}

/**
 * Updates the rules of places to the present stages of the crop cycles, and to day or night, as time passes and when
 * the owner changes the cycles. A rule that the owner deletes is not made again until another stage begins or the stage
 * gets another range.
 */
export class CycleRules {
  readonly #rules: RuleBook;
  readonly #firings: Firings;
  readonly #places: CyclePlaces;
  #cycles: readonly Cycle[] = [];
  #isKnown = false;
  #followed = '';
  /** The state of each cycle, by the id of the cycle; null if the state was last saved by a version without it. */
  #kept: Map<string, FollowedCycle> | null = null;

  constructor(rules: RuleBook, firings: Firings, places: CyclePlaces) {
    this.#places = places;
    this.#rules = rules;
    this.#firings = firings;
  }

  /** Restores the saved state of the cycles. */
  restore(kept: readonly FollowedCycle[] | null): void {
    this.#kept = kept === null ? null : new Map(kept.map((each) => [each.id, each]));
  }

  /** The state of the cycles to save; null if it is not known yet. */
  get kept(): FollowedCycle[] | null {
    return this.#kept === null ? null : [...this.#kept.values()];
  }

  /** Reads the cycles from the value in the store. */
  know(kept: unknown): void {
    const list: readonly unknown[] = Array.isArray(kept) ? kept : [];
    this.#cycles = list.flatMap((each) => cycleSchema.safeParse(each).data ?? []);
    this.#isKnown = true;
  }

  /** Whether some ranges differ by night. */
  get haveNights(): boolean {
    return haveNights(this.#cycles);
  }

  /** Records that the owner deleted a rule. */
  deleted(rule: Rule): void {
    if (rule.kind !== 'range' || rule.cycle === undefined) return;
    const of = this.#kept?.get(rule.cycle);
    if (of === undefined) return;
    const { field, low, high } = rule;
    this.#kept!.set(of.id, {
      ...of,
      deleted: [...of.deleted.filter((each) => each.field !== field), { field, low, high }],
    });
    this.#followed = '';
  }

  /**
   * Returns the stages that began and are not in the log yet, at a time in Unix milliseconds: the present one, and
   * those that passed since the last logged one, for example while the node was off.
   */
  begun(now: number): BegunStage[] {
    return this.#cycles.flatMap((cycle) => {
      const of = this.#kept?.get(cycle.id);
      if (of === undefined) return [];
      const present = stageAt(cycle, now);
      const isNew = (stage: Stage) =>
        keyOf(stage) !== of.logged && (stage === present || stage.from > dayIn(of.logged));
      return stagesBegun(cycle, now)
        .filter(isNew)
        .map((stage) => ({ cycle, stage }));
    });
  }

  /** Records that the log has an entry for the beginning of a stage. */
  logged({ cycle, stage }: BegunStage): void {
    const of = this.#kept?.get(cycle.id);
    if (of !== undefined) this.#kept!.set(cycle.id, { ...of, logged: keyOf(stage) });
  }

  /** Updates the rules to the stages at a time, in Unix milliseconds. Returns whether a rule changed. */
  follow(now: number): boolean {
    if (!this.#isKnown) return false;
    this.#keepStages(now);
    const wanted = this.#cycles.flatMap((cycle) => this.#rulesOf(cycle, now));
    const text = JSON.stringify(wanted);
    if (text === this.#followed) return false;
    this.#followed = text;
    const kept = this.#rules.ranges.filter(({ cycle }) => cycle !== undefined);
    const ids = new Set(wanted.map(({ id }) => id));
    let isChanged = false;
    for (const { id } of kept.filter((rule) => !ids.has(rule.id))) {
      this.#firings.endAll(({ rule }) => rule === id, now, 'rule_off');
      this.#rules.delete(id);
      isChanged = true;
    }
    for (const rule of wanted) {
      const before = kept.find(({ id }) => id === rule.id);
      // Keeps the owner's changes: other channels, or switched off.
      const next = before === undefined ? rule : { ...before, ...ofStage(rule) };
      if (before !== undefined && JSON.stringify(next) === JSON.stringify(before)) continue;
      if (!this.#rules.put(next)) continue;
      const isOther = before !== undefined && (before.low !== next.low || before.high !== next.high);
      if (isOther) this.#firings.endAll(({ rule: of }) => of === rule.id, now, 'rule_changed');
      isChanged = true;
    }
    return isChanged;
  }

  /**
   * Updates the present stage of each cycle. If no state was saved before, the stages that have begun count as logged,
   * so that they are not reported as new.
   */
  #keepStages(now: number): void {
    const isFirst = this.#kept === null;
    const before = this.#kept ?? new Map<string, FollowedCycle>();
    this.#kept = new Map(
      this.#cycles.map((cycle) => {
        const stage = stageAt(cycle, now);
        const key = stage === null ? '' : keyOf(stage);
        const last = stagesBegun(cycle, now).at(-1);
        const logged = isFirst && last !== undefined ? keyOf(last) : '';
        const of = before.get(cycle.id) ?? { id: cycle.id, stage: key, logged, deleted: [] };
        return [cycle.id, of.stage === key ? of : { ...of, stage: key, deleted: [] }];
      }),
    );
  }

  /** Returns the rules of a cycle's stage at a time, without those that the owner deleted. */
  #rulesOf(cycle: Cycle, now: number): RangeRule[] {
    const stage = stageAt(cycle, now);
    if (stage === null) return [];
    const { deleted } = this.#kept!.get(cycle.id)!;
    const isDeleted = ({ field, low, high, night }: StageRange) =>
      deleted.some((each) => each.field === field && (isSame(each, { low, high }) || isSame(each, night)));
    return stage.ranges
      .filter((range) => !isDeleted(range))
      .flatMap((range): RangeRule[] => {
        const isDay = (device: string) => this.#places.isDay(device, cycle.zone, now);
        const { place } = cycle;
        if (place.kind === 'device') return [ruleOf(cycle, stage, rangeBy(range, isDay(place.device)), place)];
        if (range.night === undefined) return [ruleOf(cycle, stage, range, place)];
        // Night begins at different times at the devices of a group, so each has a rule of its own.
        return this.#places
          .devicesAt(place)
          .map((device) => ruleOf(cycle, stage, rangeBy(range, isDay(device)), { kind: 'device', device }));
      });
  }
}

/** Returns the rule of a range of a stage, for the place of the cycle or for one device there. */
function ruleOf(cycle: Cycle, stage: Stage, { field, low, high }: StageRange, scope: Cycle['place']): RangeRule {
  const usual = USUAL.get(field) ?? { margin: 0, forMinutes: DEFAULT_MINUTES };
  const most = low === null || high === null ? usual.margin : (high - low) / 2;
  const part = scope.kind === cycle.place.kind ? '' : ` ${(scope as { readonly device: string }).device}`;
  return {
    ...{ id: derivedId(`cycle ${cycle.id} ${field}${part}`), kind: 'range', cycle: cycle.id },
    ...{ name: `${cycle.crop}: ${stage.name}`.slice(0, 100), scope, field, low, high },
    ...{ margin: Math.min(usual.margin, most), forMinutes: usual.forMinutes },
    ...{ severity: 'warning', channels: 'all', repeatMinutes: null, isOn: true },
  };
}

function isSame(a: Range, b: Range | undefined): boolean {
  return a.low === b?.low && a.high === b.high;
}

/** Returns a key that differs between stages, made of the first day and the name. */
function keyOf({ from, name }: Stage): string {
  return `${from} ${name}`;
}

/** Returns the first day of the stage of a key; '' if there is no stage. */
function dayIn(key: string): string {
  return key.slice(0, '2026-01-01'.length);
}

/** Returns the stages of a cycle that began until a time, in Unix milliseconds. */
function stagesBegun({ stages, zone }: Cycle, now: number): readonly Stage[] {
  const today = dayOf(now, zone);
  return stages.filter(({ from }) => from <= today);
}

/** Returns the properties of a rule that its stage sets. */
function ofStage({ name, scope, low, high, margin }: RangeRule) {
  return { name, scope, low, high, margin };
}

import { PRESETS } from '../../shared/alerts/presets.ts';
import type { RangeRule } from '../../shared/alerts/rule.ts';
import { stageAt } from '../../shared/owner-data/cycle-states.ts';
import { type Cycle, cycle as cycleSchema } from '../../shared/owner-data/cycles.ts';
import type { FieldName } from '../../shared/protocol/fields.ts';
import { derivedId } from './derived-id.ts';
import type { Firings } from './firings.ts';
import type { RuleBook } from './rule-book.ts';

const DEFAULT_MINUTES = 30;
const USUAL = new Map(
  Object.values(PRESETS)
    .flat()
    .map(({ field, margin, forMinutes }) => [field as FieldName, { margin, forMinutes }]),
);

/** Keeps the rules of places as the stages of the crop cycles there are: by the clock, and when the owner changes them. */
export class CycleRules {
  readonly #rules: RuleBook;
  readonly #firings: Firings;
  #cycles: readonly Cycle[] = [];
  #isKnown = false;
  #followed = '';

  constructor(rules: RuleBook, firings: Firings) {
    this.#rules = rules;
    this.#firings = firings;
  }

  /** Takes in the cycles as the store has them. */
  know(kept: unknown): void {
    const list: readonly unknown[] = Array.isArray(kept) ? kept : [];
    this.#cycles = list.flatMap((each) => cycleSchema.safeParse(each).data ?? []);
    this.#isKnown = true;
  }

  /** Brings the rules to the stages at a time, in Unix milliseconds. Returns whether a rule changed. */
  follow(now: number): boolean {
    if (!this.#isKnown) return false;
    const wanted = this.#cycles.flatMap((cycle) => rulesOf(cycle, now));
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
      // The owner may have chosen other channels, or switched it off.
      const next = before === undefined ? rule : { ...before, ...ofStage(rule) };
      if (before !== undefined && JSON.stringify(next) === JSON.stringify(before)) continue;
      if (!this.#rules.put(next)) continue;
      const isOther = before !== undefined && (before.low !== next.low || before.high !== next.high);
      if (isOther) this.#firings.endAll(({ rule: of }) => of === rule.id, now, 'rule_changed');
      isChanged = true;
    }
    return isChanged;
  }
}

/** The part of a rule that its stage decides. */
function ofStage({ name, scope, low, high, margin }: RangeRule) {
  return { name, scope, low, high, margin };
}

/** The rules of a cycle's stage at a time. */
function rulesOf(cycle: Cycle, now: number): RangeRule[] {
  const stage = stageAt(cycle, now);
  if (stage === null) return [];
  return stage.ranges.map(({ field, low, high }): RangeRule => {
    const usual = USUAL.get(field) ?? { margin: 0, forMinutes: DEFAULT_MINUTES };
    const most = low === null || high === null ? usual.margin : (high - low) / 2;
    return {
      ...{ id: derivedId(`cycle ${cycle.id} ${field}`), kind: 'range', cycle: cycle.id },
      ...{ name: `${cycle.crop}: ${stage.name}`.slice(0, 100), scope: cycle.place, field, low, high },
      ...{ margin: Math.min(usual.margin, most), forMinutes: usual.forMinutes },
      ...{ severity: 'warning', channels: 'all', repeatMinutes: null, isOn: true },
    };
  });
}

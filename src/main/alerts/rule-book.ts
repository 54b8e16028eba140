import { randomUUID } from 'node:crypto';
import {
  type BuiltInRule,
  builtInRules,
  MAX_RULES,
  type RangeRule,
  type Rule,
  type RuleInput,
} from '../../shared/alerts/rule.ts';
import { OwnerError } from '../common/owner-error.ts';

/** The owner's rules, and the built-in rules with the owner's changes. */
export class RuleBook {
  readonly #rules = new Map<string, Rule>(builtInRules().map((rule) => [rule.id, rule]));
  #ranges: readonly RangeRule[] = [];
  #builtIns: readonly BuiltInRule[] = builtInRules();

  /** Restores saved rules. A built-in rule that was not saved keeps its defaults. */
  restore(kept: readonly Rule[]): void {
    for (const rule of kept) this.#rules.set(rule.id, rule);
    this.#sort();
  }

  /** The owner's rules in the order of their creation, then the built-in ones. */
  get all(): Rule[] {
    return [...this.ranges, ...this.builtIns];
  }

  get ranges(): readonly RangeRule[] {
    return this.#ranges;
  }

  get builtIns(): readonly BuiltInRule[] {
    return this.#builtIns;
  }

  find(id: string): Rule | null {
    return this.#rules.get(id) ?? null;
  }

  /**
   * Replaces a rule, or creates one if the input has no id. Throws OwnerError if the rule is unknown or there are too
   * many.
   */
  write(input: RuleInput): { readonly before: Rule | null; readonly rule: Rule } {
    const before = input.id === null ? null : this.find(input.id);
    if (input.id !== null && before === null) throw new OwnerError('not_found', 'there is no such rule');
    if (before === null && this.#rules.size >= MAX_RULES) throw new OwnerError('conflict', 'there are too many rules');
    const rule = { ...input, id: input.id ?? randomUUID() } as Rule;
    this.#rules.set(rule.id, rule);
    this.#sort();
    return { before, rule };
  }

  /** Writes a rule with the id that it has. Returns false if there are too many rules. */
  put(rule: RangeRule): boolean {
    if (!this.#rules.has(rule.id) && this.#rules.size >= MAX_RULES) return false;
    this.#rules.set(rule.id, rule);
    this.#sort();
    return true;
  }

  /** Throws OwnerError if the rule is unknown. */
  delete(id: string): Rule {
    const rule = this.find(id);
    if (rule === null) throw new OwnerError('not_found', 'there is no such rule');
    this.#rules.delete(id);
    this.#sort();
    return rule;
  }

  #sort(): void {
    this.#ranges = [...this.#rules.values()].filter((rule) => rule.kind === 'range');
    this.#builtIns = [...this.#rules.values()].filter((rule) => rule.kind !== 'range');
  }
}

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

/** The rules: the owner's, and the built-in ones as the owner changed them. */
export class RuleBook {
  readonly #rules = new Map<string, Rule>(builtInRules().map((rule) => [rule.id, rule]));
  #ranges: readonly RangeRule[] = [];
  #builtIns: readonly BuiltInRule[] = builtInRules();

  /** Takes in rules that were kept. A built-in one that was not is as it was made. */
  restore(kept: readonly Rule[]): void {
    for (const rule of kept) this.#rules.set(rule.id, rule);
    this.#sort();
  }

  /** The owner's in the order in which they were made, then the built-in ones. */
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

  /** Writes a rule again, or a new one where it has no id. Throws OwnerError. */
  write(input: RuleInput): { readonly before: Rule | null; readonly rule: Rule } {
    const before = input.id === null ? null : this.find(input.id);
    if (input.id !== null && before === null) throw new OwnerError('not_found', 'there is no such rule');
    if (before === null && this.#rules.size >= MAX_RULES) throw new OwnerError('conflict', 'there are too many rules');
    const rule = { ...input, id: input.id ?? randomUUID() } as Rule;
    this.#rules.set(rule.id, rule);
    this.#sort();
    return { before, rule };
  }

  /** Writes a rule under an id of its own. Returns false where there are too many. */
  put(rule: RangeRule): boolean {
    if (!this.#rules.has(rule.id) && this.#rules.size >= MAX_RULES) return false;
    this.#rules.set(rule.id, rule);
    this.#sort();
    return true;
  }

  /** Deletes a rule of the owner's. Throws OwnerError. */
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

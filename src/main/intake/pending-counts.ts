import type { FieldName } from '../../shared/protocol/fields.ts';
import { type Counts, HOUR_MS, type OutcomeCount, type WithheldCause, type WithheldCount } from '../store/counts.ts';

/** Counts that the store does not have yet. */
export class PendingCounts {
  readonly #withheld = new Map<string, WithheldCount>();
  readonly #outcomes = new Map<string, OutcomeCount>();

  get isEmpty(): boolean {
    return this.#withheld.size === 0 && this.#outcomes.size === 0;
  }

  get counts(): Omit<Counts, 'unregistered'> {
    return { withheld: [...this.#withheld.values()], outcomes: [...this.#outcomes.values()] };
  }

  /** Counts a value, or a whole block if `field` is null, that was accepted and not kept. */
  addWithheld(deviceId: string, cause: WithheldCause, field: FieldName | null, at: number): void {
    this.#addWithheld({ deviceId, cause, field, count: 1, firstAt: at, lastAt: at });
  }

  /** Counts blocks in the hour of `at`. `outcome` is `stored` or the cause of a refusal. */
  addOutcome(outcome: string, count: number, at: number): void {
    this.#addOutcome({ hour: Math.floor(at / HOUR_MS), outcome, count });
  }

  /** Adds counts of a write that failed. */
  addAll({ withheld, outcomes }: Omit<Counts, 'unregistered'>): void {
    for (const each of withheld) this.#addWithheld(each);
    for (const each of outcomes) this.#addOutcome(each);
  }

  #addWithheld(added: WithheldCount): void {
    const key = `${added.deviceId} ${added.cause} ${added.field}`;
    const known = this.#withheld.get(key) ?? { ...added, count: 0 };
    this.#withheld.set(key, {
      ...known,
      count: known.count + added.count,
      firstAt: Math.min(known.firstAt, added.firstAt),
      lastAt: Math.max(known.lastAt, added.lastAt),
    });
  }

  #addOutcome({ hour, outcome, count }: OutcomeCount): void {
    const key = `${hour} ${outcome}`;
    this.#outcomes.set(key, { hour, outcome, count: (this.#outcomes.get(key)?.count ?? 0) + count });
  }
}

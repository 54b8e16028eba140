import type { StoreName } from '../../../shared/protocol/codes.ts';

/** Counts of one kind: taken over now, there before, or skipped. */
export interface Tally {
  taken: number;
  present: number;
  skipped: number;
}

/**
 * The outcome for the source's identity: taken over; the node's own already; another one, so that the node keeps its
 * own; or the source has none.
 */
export type IdentityOutcome = 'taken' | 'same' | 'kept' | 'none';

/** The rows that were not taken over, wholly or in part, and why. */
export interface NotTaken {
  readonly store: StoreName;
  /** Whether a whole device or reading was skipped, or something of one that was taken was left out. */
  readonly what: 'device' | 'reading' | 'part of a device' | 'part of a reading';
  readonly reason: string;
  count: number;
  /** The first few, by device, or by device and seq. */
  readonly examples: string[];
}

/** The result of an import. */
export interface ImportSummary {
  readonly identity: IdentityOutcome;
  readonly stores: Readonly<Partial<Record<StoreName, { readonly devices: Tally; readonly readings: Tally }>>>;
  readonly notTaken: readonly NotTaken[];
}

const MAX_EXAMPLES = 3;

/** Gathers what is not taken over, by its reason. */
export class NotTakenList {
  readonly #entries = new Map<string, NotTaken>();

  add(store: StoreName, what: NotTaken['what'], reason: string, example: string): void {
    const key = `${store} ${what} ${reason}`;
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = { store, what, reason, count: 0, examples: [] };
      this.#entries.set(key, entry);
    }
    entry.count += 1;
    if (entry.examples.length < MAX_EXAMPLES) entry.examples.push(example);
  }

  get entries(): readonly NotTaken[] {
    return [...this.#entries.values()];
  }
}

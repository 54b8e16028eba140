import type { StoreName } from '../../../shared/protocol/codes.ts';

/** The counts of one kind: imported now, already present, or skipped. */
export interface Tally {
  taken: number;
  present: number;
  skipped: number;
}

/**
 * The outcome for the source's identity. `taken`: imported. `same`: it is the node's own. `kept`: it differs, and the
 * node kept its own. `none`: the source has none.
 */
export type IdentityOutcome = 'taken' | 'same' | 'kept' | 'none';

/** Rows that were not imported, wholly or in part, and the reason. */
export interface NotTaken {
  readonly store: StoreName;
  /** A skipped device or reading, or an omitted part of an imported one. */
  readonly what: 'device' | 'reading' | 'part of a device' | 'part of a reading';
  readonly reason: string;
  count: number;
  /** The first few: a device, or a device and seq. */
  readonly examples: string[];
}

export interface ImportSummary {
  readonly identity: IdentityOutcome;
  readonly stores: Readonly<Partial<Record<StoreName, { readonly devices: Tally; readonly readings: Tally }>>>;
  readonly notTaken: readonly NotTaken[];
}

const MAX_EXAMPLES = 3;

/** Collects the rows that are not imported, by reason. */
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

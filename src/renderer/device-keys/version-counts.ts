import type { OpeningFault } from '../../shared/crypto/keyring/opening.ts';
import type { FieldName } from '../../shared/protocol/fields.ts';
import type { OpenedFields } from '../format/values.ts';
import type { SealedReading } from '../keys/types.ts';
import { sealedFields } from '../opening/opened-store.ts';

/** The number of readings with sealed fields of a key version, and how many of them open. */
export interface VersionCount {
  readonly keyVersion: number;
  /** Readings whose sealed fields all open. */
  readonly opened: number;
  /** Readings with a sealed field that does not open. */
  readonly failed: number;
  /** Readings that were not tried yet. */
  readonly untried: number;
  /** The reasons, counted by field. A reading may have several. */
  readonly reasons: Readonly<Partial<Record<OpeningFault, number>>>;
}

/** Counts readings by key version, page by page. */
export class VersionCounter {
  readonly #counts = new Map<
    number,
    { opened: number; failed: number; untried: number; reasons: Partial<Record<OpeningFault, number>> }
  >();

  /** Counts a reading. A reading without sealed fields is skipped. */
  add(reading: SealedReading, opened: OpenedFields | undefined): void {
    const sealed = sealedFields(reading.fields);
    if (sealed.length === 0) return;
    const { keyVersion } = reading;
    const count = this.#counts.get(keyVersion) ?? { opened: 0, failed: 0, untried: 0, reasons: {} };
    this.#counts.set(keyVersion, count);
    const faults = sealed.flatMap((field) => faultOf(opened, field));
    for (const fault of faults) count.reasons[fault] = (count.reasons[fault] ?? 0) + 1;
    if (faults.length > 0) count.failed++;
    else if (sealed.some((field) => opened?.[field] === undefined)) count.untried++;
    else count.opened++;
  }

  /** Returns the counts, the newest version first. */
  counts(): VersionCount[] {
    return [...this.#counts]
      .map(([keyVersion, { reasons, ...count }]) => ({ keyVersion, ...count, reasons: { ...reasons } }))
      .sort((a, b) => b.keyVersion - a.keyVersion);
  }
}

function faultOf(opened: OpenedFields | undefined, field: FieldName): OpeningFault[] {
  const item = opened?.[field];
  return item === undefined || item.ok ? [] : [item.reason];
}

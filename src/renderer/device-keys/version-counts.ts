import type { OpeningFault } from '../../shared/crypto/keyring/opening.ts';
import type { FieldName } from '../../shared/protocol/fields.ts';
import type { OpenedFields } from '../format/values.ts';
import type { SealedReading } from '../keys/types.ts';
import { sealedFields } from '../opening/opened-store.ts';

/** How many readings with sealed fields a key version has, and how many of them open. */
export interface VersionCount {
  readonly keyVersion: number;
  /** Readings of which every sealed field opens. */
  readonly opened: number;
  /** Readings of which some sealed field does not open. */
  readonly failed: number;
  /** Readings that were not tried, or not yet. */
  readonly untried: number;
  /** The reasons, counted by field; a reading may have several. */
  readonly reasons: Readonly<Partial<Record<OpeningFault, number>>>;
}

/** Counts readings by key version, page after page. */
export class VersionCounter {
  readonly #counts = new Map<
    number,
    { opened: number; failed: number; untried: number; reasons: Partial<Record<OpeningFault, number>> }
  >();

  /** Counts a reading; one without sealed fields is skipped. */
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

  /** The newest version first. */
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

import type { JournalEntry } from './journal.ts';
import type { LogKindName, LogUnit } from './log-kinds.ts';

/** The sum of the amounts of one kind, product and unit. */
export interface LogTotal {
  readonly kind: LogKindName;
  readonly product: string | undefined;
  readonly value: number;
  readonly unit: LogUnit;
}

/** Sums up the amounts of entries by kind, product and unit, in the order of their first entries. */
export function logTotals(entries: readonly Pick<JournalEntry, 'act'>[]): LogTotal[] {
  const totals = new Map<string, LogTotal>();
  for (const { act } of entries) {
    if (act?.amount === undefined) continue;
    const { kind, product } = act;
    const { value, unit } = act.amount;
    const key = JSON.stringify([kind, product, unit]);
    totals.set(key, { kind, product, unit, value: (totals.get(key)?.value ?? 0) + value });
  }
  // Removes the errors of binary fractions: the sum has no more digits than the amounts.
  return [...totals.values()].map((total) => ({ ...total, value: Number(total.value.toPrecision(12)) }));
}

import type { StoreName } from '../../../shared/protocol/codes.ts';
import type { OutcomeCount, WithheldCount } from '../../store/counts.ts';
import type { QueryScope } from './queries.ts';

// Present counts: those in the stores and those not written yet.

/** Returns the blocks of a store by outcome, since an hour. */
export async function outcomesSince(
  { stores, context }: QueryScope,
  store: StoreName,
  since: number,
): Promise<Omit<OutcomeCount, 'hour'>[]> {
  const counts = new Map<string, number>();
  const pending = (context.pendingCounts.get(store)?.outcomes ?? []).filter(({ hour }) => hour >= since);
  for (const { outcome, count } of [...(await stores.outcomesSince(store, since)), ...pending]) {
    counts.set(outcome, (counts.get(outcome) ?? 0) + count);
  }
  return Array.from(counts, ([outcome, count]) => ({ outcome, count }));
}

type Withheld = Omit<WithheldCount, 'deviceId'> & { readonly store: StoreName };

/** Returns the fields of a device that each store withheld. */
export async function withheldOf({ stores, context }: QueryScope, id: string): Promise<Withheld[]> {
  const found = [...(await stores.withheld(id))];
  for (const store of stores.names) {
    for (const { deviceId, ...added } of context.pendingCounts.get(store)?.withheld ?? []) {
      if (deviceId !== id) continue;
      const index = found.findIndex(
        (known) => known.store === store && known.cause === added.cause && known.field === added.field,
      );
      const known = found[index];
      if (known === undefined) found.push({ store, ...added });
      else found[index] = { ...known, count: known.count + added.count, lastAt: added.lastAt };
    }
  }
  return found.sort((a, b) => stores.names.indexOf(a.store) - stores.names.indexOf(b.store) || orderOf(a, b));
}

/** Compares in the order of the stores: by cause, then by field. */
function orderOf(a: Withheld, b: Withheld): number {
  return a.cause.localeCompare(b.cause, 'en') || (a.field ?? '').localeCompare(b.field ?? '', 'en');
}

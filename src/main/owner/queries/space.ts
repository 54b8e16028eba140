import type { Output } from '../../../shared/owner-api/contract.ts';
import type { Retention } from '../../../shared/owner-api/retention.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import { exportSpan } from '../../care/export/export-span.ts';
import { retentionOf, toDelete } from '../../care/retention/retention-rules.ts';
import { HOUR_MS } from '../../store/counts.ts';
import type { KnownDevice, StoresView } from '../../store/stores-view.ts';
import type { Checked } from '../handlers.ts';
import { outcomesSince } from './counts.ts';
import { growthOf } from './growth.ts';
import type { QueryScope } from './queries.ts';

/** Growth is estimated from the last seven days. */
const HOURS = 24 * 7;

/** Returns the disk space of the stores, by device. */
export async function space(scope: QueryScope): Promise<Output<'space'>> {
  const { stores, context } = scope;
  const known = await stores.devices();
  const readings = await countsByStore(stores, known);
  const deleted = toDelete(await retentionOf(stores), known, context.now);
  const firstHour = Math.floor(context.now / HOUR_MS) - HOURS;
  return {
    stores: await Promise.all(
      stores.names.map(async (store) => {
        const outcomes = await outcomesSince(scope, store, firstHour);
        const stored = outcomes.find(({ outcome }) => outcome === 'stored')?.count ?? 0;
        const [bytes, unusedBytes] = [await stores.bytes(store), await stores.unusedBytes(store)];
        const held = readings[store] ?? [];
        const growth = await growthOf(stores, {
          ...{ store, held, stored, windowMs: HOURS * HOUR_MS, now: context.now },
          toDelete: deleted.filter((each) => each.store === store),
        });
        return { store, bytes, unusedBytes, ...growth, devices: held };
      }),
    ),
  };
}

/** Returns the retention rules. A rule that this version can't read deletes nothing. */
export async function keptRetention({ stores }: QueryScope): Promise<Retention> {
  return retentionOf(stores);
}

/** Returns the readings that rules would delete now. */
export async function previewRetention(
  { stores, context }: QueryScope,
  rules: Retention,
): Promise<Output<'previewRetention'>> {
  const known = await stores.devices();
  const held = await countsByStore(stores, known);
  const found = await Promise.all(
    toDelete(rules, known, context.now).map(async ({ store, id, before }) => {
      return { store, id, before, readings: await stores.countBefore(store, id, before) };
    }),
  );
  return {
    stores: await Promise.all(
      stores.names.map(async (store) => {
        const devices = found.flatMap(({ store: of, ...each }) => (of === store && each.readings > 0 ? [each] : []));
        const readings = devices.reduce((sum, each) => sum + each.readings, 0);
        const all = (held[store] ?? []).reduce((sum, each) => sum + each.readings, 0);
        const [bytes, unusedBytes] = [await stores.bytes(store), await stores.unusedBytes(store)];
        return { store, readings, bytes: Math.round((readings / Math.max(all, 1)) * (bytes - unusedBytes)), devices };
      }),
    ),
  };
}

/** Returns the size of an export of a range. */
export async function exportSize(
  { stores }: QueryScope,
  { from, to }: Checked<'exportSize'>,
): Promise<Output<'exportSize'>> {
  // Imported late: the writers of all formats would be a sixth of the code that the query thread loads at each start.
  const { sizeOfExport } = await import('../../care/export/export-size.ts');
  const held = await countsByStore(stores, await stores.devices());
  return sizeOfExport(stores, exportSpan(from, to), held);
}

async function countsByStore(
  stores: StoresView,
  known: readonly KnownDevice[],
): Promise<Partial<Record<StoreName, { id: string; readings: number }[]>>> {
  const counts: Partial<Record<StoreName, { id: string; readings: number }[]>> = {};
  for (const { id } of known) {
    for (const { store, count } of await stores.heldCounts(id)) {
      counts[store] ??= [];
      counts[store].push({ id, readings: count });
    }
  }
  return counts;
}

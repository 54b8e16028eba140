import { keptSince, NO_RETENTION, type Retention, retention, spanKept } from '../../../shared/owner-api/retention.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import type { KnownDevice, StoresView } from '../../store/stores-view.ts';
import { isMine } from '../../store/whose.ts';

/** Returns the owner's retention rules. */
export async function retentionOf(stores: StoresView): Promise<Retention> {
  const parsed = retention.safeParse((await stores.choices()).get('retention'));
  return parsed.success ? parsed.data : NO_RETENTION;
}

/** The readings of a device that are to be deleted. */
export interface ToDelete {
  readonly store: StoreName;
  readonly id: string;
  /** Unix milliseconds. */
  readonly before: number;
}

/**
 * Returns the time before which the rules delete readings, for each device in each store; omits devices whose readings
 * are all kept.
 */
export function toDelete(rules: Retention, known: readonly KnownDevice[], now: number): ToDelete[] {
  return known.flatMap((device) =>
    device.entries.flatMap(({ store, device: { id } }) => {
      const span = spanKept(rules, store, { id, isMine: isMine(device) });
      return span === null ? [] : [{ store, id, before: keptSince(now, span) }];
    }),
  );
}

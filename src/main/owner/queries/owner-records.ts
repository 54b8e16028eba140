import type { Input, Output } from '../../../shared/owner-api/contract.ts';
import { MAX_ENTRIES } from '../../../shared/owner-api/journal.ts';
import { CHOICES, type OwnerChoices } from '../../../shared/owner-data/choices.ts';
import { NO_CHOICES } from '../../../shared/owner-data/no-choices.ts';
import type { QueryScope } from './queries.ts';

/** What the owner chose for all devices. A part that this version can't read is as if it had not been chosen. */
export async function ownerChoices({ stores }: QueryScope): Promise<OwnerChoices> {
  const kept = await stores.choices();
  const parts = Object.entries(CHOICES).flatMap(([name, schema]) => {
    const parsed = schema.safeParse(kept.get(name));
    return parsed.success ? [[name, parsed.data] as const] : [];
  });
  return { ...NO_CHOICES, ...Object.fromEntries(parts) };
}

/** The owner's notes at their times, oldest first. */
export async function journal(
  { stores }: QueryScope,
  { device, from, to }: Input<'journal'>,
): Promise<Output<'journal'>> {
  const newest = await stores.journal(device, from ?? 0, to ?? Number.MAX_SAFE_INTEGER, MAX_ENTRIES + 1);
  const isCut = newest.length > MAX_ENTRIES;
  return { entries: newest.slice(0, MAX_ENTRIES).toReversed(), isCut };
}

import type { z } from 'zod';
import type { Input, Output } from '../../../../shared/owner-api/contract.ts';
import { MAX_ENTRIES } from '../../../../shared/owner-api/journal.ts';
import { MAX_LISTED_PHOTOS } from '../../../../shared/owner-api/photos.ts';
import { CHOICES, type OwnerChoices } from '../../../../shared/owner-data/choices.ts';
import { concerns } from '../../../../shared/owner-data/cycle-sums.ts';
import { cycle } from '../../../../shared/owner-data/cycles.ts';
import { NO_CHOICES } from '../../../../shared/owner-data/no-choices.ts';
import { task } from '../../../../shared/owner-data/tasks.ts';
import type { StoresReader } from '../../../store/stores-view.ts';
import type { Checked } from '../../handlers.ts';
import { viewersAnswer } from '../../sight.ts';
import { history } from '../history.ts';
import { device, overview } from '../overview.ts';
import type { QueryContext, QueryMemory, QueryName, QueryScope } from '../queries.ts';
import { latestReadings, readingsPage } from '../reading-pages.ts';
import { exportSize, keptRetention, previewRetention, space } from '../space.ts';

const QUERIES: {
  readonly [M in QueryName]: (scope: QueryScope, input: Checked<M>) => Promise<Output<M>>;
} = {
  ...{
    overview,
    device,
    latestReadings,
    readingsPage,
    proofPage,
    history,
    ownerChoices,
    journal,
    photos,
    tasks,
    cycles,
  },
  ...{ space, retention: keptRetention, previewRetention, exportSize },
};

/** A method, its input that has passed the contract's schema, and the node's context. */
export interface Query<M extends QueryName> {
  readonly method: M;
  readonly input: Checked<M>;
  readonly context: QueryContext;
}

/** Runs a query on the present stores. Rejects with OwnerError for expected failures. */
export async function runQuery<M extends QueryName>(
  reader: StoresReader,
  memory: QueryMemory,
  { method, input, context }: Query<M>,
): Promise<Output<M>> {
  memory.summaries.now = context.now;
  const answer = await reader.snapshot((stores) => QUERIES[method]({ stores, memory, context }, input));
  return context.sight === null ? answer : viewersAnswer(method, answer, context.sight);
}

/** Returns the owner's choices for all devices. A part that this version can't read counts as not chosen. */
async function ownerChoices({ stores }: QueryScope): Promise<OwnerChoices> {
  const kept = await stores.choices();
  const parts = Object.entries(CHOICES).flatMap(([name, schema]) => {
    const parsed = schema.safeParse(kept.get(name));
    return parsed.success ? [[name, parsed.data] as const] : [];
  });
  return { ...NO_CHOICES, ...Object.fromEntries(parts) };
}

/** Loads what makes proofs when the first one is asked for: it is a fifth of what the thread would load at its start. */
async function proofPage(scope: QueryScope, input: Input<'proofPage'>): Promise<Output<'proofPage'>> {
  return (await import('../proof-pages.ts')).proofPage(scope, input);
}

/** Returns the journal's entries in order of time, oldest first. */
async function journal(scope: QueryScope, { device, from, to }: Input<'journal'>): Promise<Output<'journal'>> {
  const newest = await scope.stores.journal(device, from ?? 0, to ?? Number.MAX_SAFE_INTEGER, MAX_ENTRIES + 1);
  const isCut = newest.length > MAX_ENTRIES;
  const entries = newest.slice(0, MAX_ENTRIES).toReversed();
  if (device === null || !entries.some((entry) => entry.device === null && entry.act?.cycle !== undefined))
    return { entries, isCut };
  const { groups } = await ownerChoices(scope);
  const { cycles: all } = await cycles(scope);
  return { entries: entries.filter((entry) => concerns(device, entry, all, groups)), isCut };
}

/** Returns the photos of places and of all devices, oldest first. */
async function photos({ stores }: QueryScope, { devices, from, to }: Checked<'photos'>): Promise<Output<'photos'>> {
  const places = devices === null ? null : new Set(devices);
  const all = (await stores.entriesWithPhotos())
    .filter(({ device, at }) => {
      const isOfPlace = places === null || device === null || places.has(device);
      return isOfPlace && at >= (from ?? 0) && at <= (to ?? Number.MAX_SAFE_INTEGER);
    })
    .flatMap(({ id, device, at, text, act }) =>
      (act?.photos ?? []).map((photo) => ({ ...photo, entry: id, device, at, kind: act!.kind, text })),
    );
  return { photos: all.slice(-MAX_LISTED_PHOTOS), isCut: all.length > MAX_LISTED_PHOTOS };
}

/** Returns the owner's tasks, without those that this version can't read. */
async function tasks({ stores }: QueryScope): Promise<Output<'tasks'>> {
  return { tasks: readable((await stores.choices()).get('tasks'), task) };
}

/** Returns the crop cycles, without those that this version can't read. */
async function cycles({ stores }: QueryScope): Promise<Output<'cycles'>> {
  return { cycles: readable((await stores.choices()).get('cycles'), cycle) };
}

function readable<T>(kept: unknown, schema: z.ZodType<T>): T[] {
  const list: readonly unknown[] = Array.isArray(kept) ? kept : [];
  return list.map((each) => schema.safeParse(each)).flatMap((parsed) => (parsed.success ? [parsed.data] : []));
}

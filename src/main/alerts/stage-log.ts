import type { Logger } from 'pino';
import { CHOICES } from '../../shared/owner-data/choices.ts';
import { devicesOf, stageSpans } from '../../shared/owner-data/cycle-states.ts';
import type { StoreLocations } from '../store/engine.ts';
import { readStores } from '../store/engines.ts';
import type { NewEntry } from '../store/port.ts';
import type { StoresView } from '../store/stores-view.ts';
import type { BegunStage, CycleRules } from './cycle-rules.ts';

/** More entries than a device ever has at one time. */
const MOST_AT_ONCE = 1000;

interface StageLog {
  readonly stores: { readonly locations: StoreLocations };
  /** Writes an entry. If missing, stages are not logged. */
  readonly writeEntry?: (entry: NewEntry) => Promise<void>;
  readonly log: Logger;
}

/**
 * Writes to the owner's log which stages began. Returns whether any stage began. An entry that can't be written is
 * tried again at the next call.
 */
export async function logStages(
  cycles: CycleRules,
  { stores, writeEntry, log }: StageLog,
  now: number,
): Promise<boolean> {
  if (writeEntry === undefined) return false;
  const begun = cycles.begun(now);
  try {
    for (const each of begun) {
      let missing: NewEntry[] = [];
      await readStores(stores.locations, async (view) => {
        missing = await missingEntries(view, await entriesOf(view, each, now));
      });
      for (const entry of missing) await writeEntry(entry);
      cycles.logged(each);
    }
  } catch (error) {
    log.warn({ err: error }, 'the log can’t be told that a stage began');
  }
  return begun.length > 0;
}

/**
 * Returns the entries for the beginning of a stage: one for each device of the cycle's place. If the place is a group,
 * the entries name it.
 */
async function entriesOf(stores: StoresView, { cycle, stage }: BegunStage, now: number): Promise<NewEntry[]> {
  const groups = CHOICES.groups.safeParse((await stores.choices()).get('groups')).data ?? [];
  const { place } = cycle;
  const group = place.kind === 'group' ? groups.find(({ id }) => id === place.group) : undefined;
  const at = stageSpans(cycle).find((span) => span.stage === stage)!.from;
  const crop = cycle.variety === '' ? cycle.crop : `${cycle.crop} ${cycle.variety}`;
  const text = `${crop}: ${stage.name}${group === undefined ? '' : ` · ${group.name}`}`;
  return devicesOf(cycle, groups).map((device) => ({
    ...{ id: null, device, at, updatedAt: now, text },
    act: { kind: 'stageChanged', cycle: cycle.id },
  }));
}

/**
 * Leaves out the entries that are in the log already, for example after a crash between writing them and recording
 * that.
 */
async function missingEntries(stores: StoresView, entries: readonly NewEntry[]): Promise<NewEntry[]> {
  const missing: NewEntry[] = [];
  for (const entry of entries) {
    const { device, at, text, act } = entry;
    const there = await stores.journal(device, at, at, MOST_AT_ONCE);
    const isSame = (each: (typeof there)[number]) =>
      each.device === device && each.act?.kind === act?.kind && each.act?.cycle === act?.cycle && each.text === text;
    if (!there.some(isSame)) missing.push(entry);
  }
  return missing;
}

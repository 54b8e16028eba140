import type { Logger } from 'pino';
import { stageSpans } from '../../shared/owner-data/cycle-states.ts';
import type { StoreLocations } from '../store/engine.ts';
import { readStores } from '../store/engines.ts';
import type { NewEntry, StoresView } from '../store/port.ts';
import type { BegunStage, CycleRules } from './cycle-rules.ts';

/** More entries than one time ever has. */
const MOST_AT_ONCE = 1000;

interface StageLog {
  readonly stores: { readonly locations: StoreLocations };
  /** Writes an entry. Missing: the log says nothing of stages. */
  readonly writeEntry?: (entry: NewEntry) => Promise<void>;
  readonly log: Logger;
}

/**
 * Writes into the owner's log which stages began. Returns whether one did; an entry that can't be written is tried again the
 * next time.
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
      const entry = entryOf(each, now);
      let isThere = false;
      await readStores(stores.locations, async (view) => {
        isThere = await hasEntry(view, entry);
      });
      if (!isThere) await writeEntry(entry);
      cycles.logged(each);
    }
  } catch (error) {
    log.warn({ err: error }, 'the log can’t be told that a stage began');
  }
  return begun.length > 0;
}

/** The entry of a stage: at its beginning, at the place of its cycle; a group's is one of all places. */
function entryOf({ cycle, stage }: BegunStage, now: number): NewEntry {
  const at = stageSpans(cycle).find((span) => span.stage === stage)!.from;
  const crop = cycle.variety === '' ? cycle.crop : `${cycle.crop} ${cycle.variety}`;
  return {
    ...{ id: null, device: cycle.place.kind === 'device' ? cycle.place.device : null, at, updatedAt: now },
    ...{ text: `${crop}: ${stage.name}`, act: { kind: 'stageChanged', cycle: cycle.id } },
  };
}

/** Whether the log has such an entry, as after a crash between writing it and keeping that. */
async function hasEntry(stores: StoresView, { device, at, text, act }: NewEntry): Promise<boolean> {
  const entries = await stores.journal(device, at, at, MOST_AT_ONCE);
  return entries.some((each) => each.act?.kind === act?.kind && each.act?.cycle === act?.cycle && each.text === text);
}

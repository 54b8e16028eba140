import type { Day } from '../owner-data/days.ts';
import type { JournalEntry } from '../owner-data/journal.ts';
import { type LogUnit, logKind } from '../owner-data/log-kinds.ts';
import type { Task } from '../owner-data/tasks.ts';
import { photoFile } from '../photos/photo-limits.ts';

const MEASURES: Readonly<Record<LogUnit, 'volume' | 'weight' | 'count'>> = {
  l: 'volume',
  ml: 'volume',
  g: 'weight',
  kg: 'weight',
  pieces: 'count',
};

type FarmosType = 'activity' | 'input' | 'maintenance' | 'harvest' | 'observation';

/** An entry in the log model of farmOS (farmos.org/model/type/log), with names and texts instead of its ids. */
export interface FarmosLog {
  readonly type: FarmosType;
  readonly name: string;
  /** RFC 3339; for a task the day on which it is due. */
  readonly timestamp: string;
  readonly status: 'done' | 'pending';
  readonly notes: { readonly value: string; readonly format: 'plain_text' } | null;
  readonly asset: readonly { readonly type: 'sensor'; readonly name: string; readonly public_key: string }[];
  readonly quantity: readonly {
    readonly type: 'standard' | 'material';
    readonly measure: 'volume' | 'weight' | 'count' | 'value' | null;
    /** The name of the value of a calibration. */
    readonly label?: string;
    readonly value: { readonly decimal: string } | null;
    readonly units: LogUnit | null;
    readonly material_type: readonly string[];
  }[];
  readonly owner: readonly string[];
  /** The files of the entry's photos. */
  readonly image: readonly string[];
}

/** A task in the same model, with the parts that the model lacks. */
export interface FarmosTask extends FarmosLog {
  readonly id: string;
  readonly every_days: number | null;
  readonly snoozed_until: Day | null;
  /** When it was last done, RFC 3339; null if never. */
  readonly last_done: string | null;
}

/** Returns journal entries in the log model of farmOS, in their order. `nameOf` returns the name of a device. */
export function farmosLogs(entries: readonly JournalEntry[], nameOf: (device: string) => string): FarmosLog[] {
  return entries.map(({ at, by, ...entry }) => ({
    ...contentOf(entry, nameOf),
    timestamp: new Date(at).toISOString(),
    status: 'done',
    owner: by === undefined ? [] : [by],
  }));
}

/**
 * Returns tasks in the log model of farmOS: a pending log on the day on which the task is due, or a done log if it was
 * a task for one time only and is done.
 */
export function farmosTasks(tasks: readonly Task[], nameOf: (device: string) => string): FarmosTask[] {
  return tasks.map(({ id, title, due, done, everyDays, snoozedUntil, ...task }) => {
    const lastDone = done === null ? null : new Date(done.at).toISOString();
    return {
      ...{ id, ...contentOf({ ...task, text: title }, nameOf) },
      timestamp: due ?? lastDone ?? '',
      status: due === null ? 'done' : 'pending',
      ...{ owner: [], every_days: everyDays, snoozed_until: snoozedUntil, last_done: lastDone },
    };
  });
}

/** Returns the part of the model that entries and tasks share. */
function contentOf(
  { device, text, act }: Pick<JournalEntry, 'device' | 'text' | 'act'>,
  nameOf: (device: string) => string,
): Omit<FarmosLog, 'timestamp' | 'status' | 'owner'> {
  return {
    type: act === undefined ? 'observation' : logKind(act.kind).farmos,
    name: (act === undefined
      ? text
      : [act.kind, act.product ?? act.field].filter((word) => word !== undefined).join(': ')
    ).slice(0, 255),
    notes: text === '' ? null : { value: text, format: 'plain_text' },
    asset: device === null ? [] : [{ type: 'sensor', name: nameOf(device), public_key: device }],
    quantity: quantityOf(act),
    image: (act?.photos ?? []).map(photoFile),
  };
}

function quantityOf(act: JournalEntry['act']): FarmosLog['quantity'] {
  if (act?.points !== undefined) {
    return act.points.flatMap(({ reference, shown }) =>
      Object.entries({ reference, shown }).map(([label, value]) => ({
        ...{ type: 'standard' as const, measure: 'value' as const, label },
        ...{ value: { decimal: String(value) }, units: null, material_type: [] },
      })),
    );
  }
  if (act === undefined || (act.amount === undefined && act.product === undefined)) return [];
  return [
    {
      type: act.product === undefined ? 'standard' : 'material',
      measure: act.amount === undefined ? null : MEASURES[act.amount.unit],
      value: act.amount === undefined ? null : { decimal: String(act.amount.value) },
      units: act.amount?.unit ?? null,
      material_type: act.product === undefined ? [] : [act.product],
    },
  ];
}

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

/** An entry by the log model of farmOS (farmos.org/model/type/log), with what it refers to in place of ids there. */
export interface FarmosLog {
  readonly type: FarmosType;
  readonly name: string;
  /** RFC 3339; of a task the day on which it is due. */
  readonly timestamp: string;
  readonly status: 'done' | 'pending';
  readonly notes: { readonly value: string; readonly format: 'plain_text' } | null;
  readonly asset: readonly { readonly type: 'sensor'; readonly name: string; readonly public_key: string }[];
  readonly quantity: readonly {
    readonly type: 'standard' | 'material';
    readonly measure: 'volume' | 'weight' | 'count' | 'value' | null;
    /** Which value of a calibration it is. */
    readonly label?: string;
    readonly value: { readonly decimal: string } | null;
    readonly units: LogUnit | null;
    readonly material_type: readonly string[];
  }[];
  readonly owner: readonly string[];
  /** The files of its photos. */
  readonly image: readonly string[];
}

/** A task by the same model, with what that lacks. */
export interface FarmosTask extends FarmosLog {
  readonly id: string;
  readonly every_days: number | null;
  readonly snoozed_until: Day | null;
  /** When it was done last, RFC 3339; null: never. */
  readonly last_done: string | null;
}

/** Entries of the journal by the log model of farmOS, in their order; `nameOf` is the name of a device. */
export function farmosLogs(entries: readonly JournalEntry[], nameOf: (device: string) => string): FarmosLog[] {
  return entries.map(({ at, by, ...entry }) => ({
    ...contentOf(entry, nameOf),
    timestamp: new Date(at).toISOString(),
    status: 'done',
    owner: by === undefined ? [] : [by],
  }));
}

/** Tasks by the log model of farmOS: a pending log on the day on which each is due, or a done one where it was for once. */
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

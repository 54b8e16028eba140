import type { JournalEntry } from '../owner-data/journal.ts';
import { type LogUnit, logKind } from '../owner-data/log-kinds.ts';
import { photoFile } from '../photos/photo-limits.ts';

const MEASURES: Readonly<Record<LogUnit, 'volume' | 'weight' | 'count'>> = {
  l: 'volume',
  ml: 'volume',
  g: 'weight',
  kg: 'weight',
  pieces: 'count',
};

/** An entry by the log model of farmOS (farmos.org/model/type/log), with what it refers to in place of ids there. */
export interface FarmosLog {
  readonly type: 'activity' | 'input' | 'maintenance' | 'harvest' | 'observation';
  readonly name: string;
  /** RFC 3339. */
  readonly timestamp: string;
  readonly status: 'done';
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

/** Entries of the journal by the log model of farmOS, in their order; `nameOf` is the name of a device. */
export function farmosLogs(entries: readonly JournalEntry[], nameOf: (device: string) => string): FarmosLog[] {
  return entries.map(({ device, at, text, act, by }) => ({
    type: act === undefined ? 'observation' : logKind(act.kind).farmos,
    name: (act === undefined
      ? text
      : [act.kind, act.product ?? act.field].filter((word) => word !== undefined).join(': ')
    ).slice(0, 255),
    timestamp: new Date(at).toISOString(),
    status: 'done',
    notes: text === '' ? null : { value: text, format: 'plain_text' },
    asset: device === null ? [] : [{ type: 'sensor', name: nameOf(device), public_key: device }],
    quantity:
      act?.points !== undefined
        ? act.points.flatMap(({ reference, shown }) =>
            Object.entries({ reference, shown }).map(([label, value]) => ({
              ...{ type: 'standard' as const, measure: 'value' as const, label },
              ...{ value: { decimal: String(value) }, units: null, material_type: [] },
            })),
          )
        : act === undefined || (act.amount === undefined && act.product === undefined)
          ? []
          : [
              {
                type: act.product === undefined ? 'standard' : 'material',
                measure: act.amount === undefined ? null : MEASURES[act.amount.unit],
                value: act.amount === undefined ? null : { decimal: String(act.amount.value) },
                units: act.amount?.unit ?? null,
                material_type: act.product === undefined ? [] : [act.product],
              },
            ],
    owner: by === undefined ? [] : [by],
    image: (act?.photos ?? []).map(photoFile),
  }));
}

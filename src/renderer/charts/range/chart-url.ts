import { ANY_FIELDS, type AnyField } from '../../../shared/measures/derived.ts';

/** A named range is kept by its name, so that a link to "today" means the day when it is opened. */
export type NamedRange<Name extends string> =
  | { readonly kind: 'preset'; readonly preset: Name }
  | { readonly kind: 'custom'; readonly from: number; readonly to: number };

/** The state of the charts in the address of a page; undefined for a part that is not in the address. */
export interface ChartAddress<Name extends string, Overlay extends string> {
  readonly range?: NamedRange<Name> | undefined;
  /** The displayed fields, in the protocol's order. */
  readonly fields?: readonly AnyField[] | undefined;
  readonly overlay?: Overlay | undefined;
}

/** The names that an address may contain. */
export interface AddressNames<Name extends string, Overlay extends string> {
  readonly presets: readonly Name[];
  readonly overlays: readonly Overlay[];
}

/** Reads the charts' state from an address. Ignores unknown parts, as an address may be typed by hand. */
export function readChartAddress<Name extends string, Overlay extends string>(
  search: URLSearchParams,
  { presets, overlays }: AddressNames<Name, Overlay>,
): ChartAddress<Name, Overlay> {
  const preset = presets.find((name) => name === search.get('range'));
  const from = timeOf(search.get('from'));
  const to = timeOf(search.get('to'));
  const named = search.get('fields')?.split(',');
  const fields = ANY_FIELDS.filter((field) => named?.includes(field));
  const custom =
    from !== undefined && to !== undefined && from < to ? { kind: 'custom' as const, from, to } : undefined;
  return {
    range: preset === undefined ? custom : { kind: 'preset', preset },
    fields: fields.length === 0 ? undefined : fields,
    overlay: overlays.find((name) => name === search.get('overlay')),
  };
}

/**
 * Writes the charts' state into an address and keeps its other parts. Times are UTC, so that a shared link means the
 * same everywhere.
 */
export function writeChartAddress(search: URLSearchParams, address: ChartAddress<string, string>): URLSearchParams {
  const { range, fields, overlay } = address;
  const parts = {
    range: range?.kind === 'preset' ? range.preset : undefined,
    from: range?.kind === 'custom' ? new Date(range.from).toISOString() : undefined,
    to: range?.kind === 'custom' ? new Date(range.to).toISOString() : undefined,
    fields: fields?.join(','),
    overlay,
  };
  const written = new URLSearchParams(search);
  for (const [name, value] of Object.entries(parts)) {
    if (value === undefined) written.delete(name);
    else written.set(name, value);
  }
  return written;
}

function timeOf(text: string | null): number | undefined {
  const ms = text === null || !/^[+\d]\d*-\d\d-\d\dT/.test(text) ? Number.NaN : Date.parse(text);
  return Number.isFinite(ms) && ms >= 0 ? ms : undefined;
}

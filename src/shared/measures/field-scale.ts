import { displayText } from '../display-text.ts';
import { shortestFloat32 } from '../float32.ts';
import type { FieldName } from '../protocol/fields.ts';
import { type AnyField, derivedRow } from './derived.ts';
import { convert, QUANTITIES, type Quantity, REFERENCE_UNITS, UNITS, type UnitId, withoutNoise } from './units.ts';

/** A water level as a part of the way from empty to full; it needs the owner's two distances. */
export const PERCENT_FULL = 'percentFull';
/** The units that a value may be shown in. */
export type ShownUnit = UnitId | typeof PERCENT_FULL;

/** Distances from the sensor to the water at both ends of a tank, in millimetres; they differ. */
export interface TankDistances {
  readonly empty: number;
  readonly full: number;
}

/**
 * The owner's choice for one field of one device: what the device sends and what is shown. Where the device sends
 * something that nothing here converts, `label` stands after its numbers, which stay as they are.
 */
export type FieldUnitChoice =
  | { readonly label: string }
  | {
      /** The unit that the device sends; without it the reference firmware's unit. */
      readonly sent?: UnitId | undefined;
      /** The unit that is shown; without it the owner's general choice, else the sent one. */
      readonly shown?: ShownUnit | undefined;
      readonly tank?: TankDistances | undefined;
    };

/**
 * The name of a field: a level is one only between the owner's distances. Without them it is the distance to the water.
 */
export type FieldLabel = AnyField | 'waterDistance';
/** The same of several devices, of which some may have a level and some a distance. */
export type SharedLabel = FieldLabel | 'waterAny';

/** The owner's choice for whatever device says nothing else. */
export type GeneralUnits = { readonly [quantity in Quantity]?: UnitId | undefined };

/** How the numbers of one field of one device become what is shown, and back. */
export interface FieldScale {
  readonly field: AnyField;
  /** The unit of its shown numbers. */
  readonly label: FieldLabel;
  /** null for a free label. */
  readonly unit: ShownUnit | null;
  /** After a number; empty for pH. A per cent full is a "%": the words beside it belong to the page. */
  readonly symbol: string;
  /** The same of the numbers as the device sends them. */
  readonly sentSymbol: string;
  /** In the header of a file: the unit and its scale. */
  readonly header: string;
  /** The same of the numbers as the device sends them. */
  readonly sentHeader: string;
  /** Decimals that a shown value of this unit needs; null where numbers are shown as the device sent them. */
  readonly digits: number | null;
  /** Decimals that numbers are padded to, so that those below each other align; 0 behind a free label. */
  readonly decimals: number;
  /** A greater number sent is a smaller one shown: a distance to the water against how full the tank is. */
  readonly isReversed: boolean;
  toShown(sent: number): number;
  /** The value that the device would have to send for this one to be shown: thresholds are kept in that form. */
  toSent(shown: number): number;
}

/** The scale of a field, by what the owner chose for the device (`unitChoiceOf`) and in general. */
export function fieldScale(
  field: AnyField,
  choice: FieldUnitChoice | undefined,
  general: GeneralUnits = {},
): FieldScale {
  const derived = derivedRow(field);
  if (derived !== null) return derivedScale(field, derived, choice, general);
  return measuredScale(field as FieldName, choice, general);
}

function measuredScale(field: FieldName, choice: FieldUnitChoice | undefined, general: GeneralUnits): FieldScale {
  if (choice !== undefined && 'label' in choice) return asSent(field, field, null, displayText(choice.label));
  const sent = choice?.sent ?? REFERENCE_UNITS[field];
  const tank = choice?.tank;
  // A sensor at the bottom measures the height of the water.
  const label = QUANTITIES[field] === 'distance' && !(tank && tank.full > tank.empty) ? 'waterDistance' : field;
  const shown = choice?.shown ?? (tank === undefined ? (general[QUANTITIES[field]] ?? sent) : PERCENT_FULL);
  if (shown === PERCENT_FULL)
    return tank === undefined ? asSent(label, field, sent) : percentFull(label, field, sent, tank);
  if (shown === sent) return asSent(label, field, sent);
  return {
    field,
    label,
    unit: shown,
    symbol: UNITS[shown].symbol,
    sentSymbol: UNITS[sent].symbol,
    header: headerOf(label, shown),
    sentHeader: headerOf(label, sent),
    digits: UNITS[shown].digits,
    decimals: UNITS[shown].digits,
    isReversed: false,
    toShown: (value) => convert(shortestFloat32(value), sent, shown),
    toSent: (value) => convert(value, shown, sent),
  };
}

/** A derived value is shown in the unit of the field that it is like, and has no digits of its own to keep. */
function derivedScale(
  field: AnyField,
  { unit, decimals }: NonNullable<ReturnType<typeof derivedRow>>,
  choice: FieldUnitChoice | undefined,
  general: GeneralUnits,
): FieldScale {
  const { shown, sent } = choice === undefined || 'label' in choice ? {} : choice;
  const wanted = shown ?? general[UNITS[unit].quantity] ?? sent ?? unit;
  const to = wanted === PERCENT_FULL || UNITS[wanted].quantity !== UNITS[unit].quantity ? unit : wanted;
  return {
    ...{ field, label: field, unit: to, symbol: UNITS[to].symbol, sentSymbol: UNITS[unit].symbol },
    ...{ header: `${UNITS[to].header}, derived`, sentHeader: `${UNITS[unit].header}, derived` },
    ...{ digits: decimals, decimals, isReversed: false },
    toShown: (value) => convert(value, unit, to),
    toSent: (value) => convert(value, to, unit),
  };
}

/** Numbers as the device sends them. */
function asSent(label: FieldLabel, field: FieldName, unit: UnitId | null, own = ''): FieldScale {
  const symbol = unit === null ? own : UNITS[unit].symbol;
  const header = unit === null ? own : headerOf(label, unit);
  const keep = (value: number) => value;
  const sent = { sentSymbol: symbol, sentHeader: header, decimals: unit === null ? 0 : UNITS[unit].digits };
  return { field, label, unit, symbol, header, ...sent, digits: null, isReversed: false, toShown: keep, toSent: keep };
}

/** In a file the wire's name stands before the unit: what is a distance says so. */
function headerOf(label: FieldLabel, unit: UnitId): string {
  return label === 'waterDistance' ? `${UNITS[unit].header}, distance to water` : UNITS[unit].header;
}

/** The heading of a column of several devices. */
export function sharedLabel(field: AnyField, scales: readonly FieldScale[]): SharedLabel {
  const labels = new Set(scales.map(({ label }) => label));
  return labels.size > 1 ? 'waterAny' : ([...labels][0] ?? field);
}

/** Not limited to 0 to 100, so that rules and charts go on beyond the owner's distances; texts say so in words. */
function percentFull(
  sentLabel: FieldLabel,
  field: FieldName,
  sent: UnitId,
  { empty, full }: TankDistances,
): FieldScale {
  return {
    field,
    label: field,
    unit: PERCENT_FULL,
    symbol: '%',
    sentSymbol: UNITS[sent].symbol,
    header: '% full',
    sentHeader: headerOf(sentLabel, sent),
    digits: 1,
    decimals: 1,
    isReversed: full < empty,
    toShown: (value) =>
      withoutNoise(((convert(shortestFloat32(value), sent, 'millimetre') - empty) * 100) / (full - empty)),
    toSent: (value) => convert(withoutNoise(empty + (value * (full - empty)) / 100), 'millimetre', sent),
  };
}

/** Least and greatest as they are shown: a reversed scale swaps them. */
export function shownBounds(scale: FieldScale, min: number, max: number): { min: number; max: number } {
  const [a, b] = [scale.toShown(min), scale.toShown(max)];
  return scale.isReversed ? { min: b, max: a } : { min: a, max: b };
}

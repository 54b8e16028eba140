import { displayText } from '../display-text.ts';
import { shortestFloat32 } from '../float32.ts';
import type { FieldName } from '../protocol/fields.ts';
import { type AnyField, derivedRow } from './derived.ts';
import { convert, QUANTITIES, type Quantity, REFERENCE_UNITS, UNITS, type UnitId, withoutNoise } from './units.ts';

/** A water level as a fraction of the way from empty to full. It needs the owner's two distances. */
export const PERCENT_FULL = 'percentFull';
/** The units of shown values. */
export type ShownUnit = UnitId | typeof PERCENT_FULL;

/** Distances from the sensor to the water at both ends of a tank, in millimetres. They differ. */
export interface TankDistances {
  readonly empty: number;
  readonly full: number;
}

/**
 * The owner's choice for one field of one device: the sent and the shown unit. If the device sends a unit that can't be
 * converted, its numbers stay as they are, and `label` follows them.
 */
export type FieldUnitChoice =
  | { readonly label: string }
  | {
      /** The unit that the device sends; if missing, the reference firmware's unit. */
      readonly sent?: UnitId | undefined;
      /** The shown unit; if missing, the owner's general choice, else the sent unit. */
      readonly shown?: ShownUnit | undefined;
      readonly tank?: TankDistances | undefined;
    };

/** The name of a field. A water level needs the owner's distances; without them it is the distance to the water. */
export type FieldLabel = AnyField | 'waterDistance';
/** The name of a field of several devices, of which some may have a level and some a distance. */
export type SharedLabel = FieldLabel | 'waterAny';

/** The owner's choice for devices without their own choice. */
export type GeneralUnits = { readonly [quantity in Quantity]?: UnitId | undefined };

/** The conversion between the sent and the shown numbers of one field of one device. */
export interface FieldScale {
  readonly field: AnyField;
  /** The unit of its shown numbers. */
  readonly label: FieldLabel;
  /** null for a free label. */
  readonly unit: ShownUnit | null;
  /** The symbol after a number; empty for pH. For per cent full it is "%"; the page has the words. */
  readonly symbol: string;
  /** The symbol after the numbers that the device sends. */
  readonly sentSymbol: string;
  /** The unit and its scale in the header of a file. */
  readonly header: string;
  /** The header for the numbers that the device sends. */
  readonly sentHeader: string;
  /** The decimals that a shown value of this unit needs; null if numbers are shown as the device sent them. */
  readonly digits: number | null;
  /** The decimals that numbers are padded to, so that they align in a column; 0 with a free label. */
  readonly decimals: number;
  /** Whether a larger sent number is a smaller shown one: the distance to the water, shown as how full the tank is. */
  readonly isReversed: boolean;
  toShown(sent: number): number;
  /** Returns the sent value of a shown one. Thresholds are stored in that form. */
  toSent(shown: number): number;
}

/** Returns the scale of a field, by the owner's choices for the device (`unitChoiceOf`) and in general. */
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

/**
 * Returns the scale of a derived value: it is shown in the unit of the field in `like`, and no sent digits need to be
 * kept.
 */
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

/** Returns the scale that shows numbers as the device sends them. */
function asSent(label: FieldLabel, field: FieldName, unit: UnitId | null, own = ''): FieldScale {
  const symbol = unit === null ? own : UNITS[unit].symbol;
  const header = unit === null ? own : headerOf(label, unit);
  const keep = (value: number) => value;
  const sent = { sentSymbol: symbol, sentHeader: header, decimals: unit === null ? 0 : UNITS[unit].digits };
  return { field, label, unit, symbol, header, ...sent, digits: null, isReversed: false, toShown: keep, toSent: keep };
}

/**
 * Returns the text for a file's header, in which it follows the protocol's name: a distance must say that it is one.
 */
function headerOf(label: FieldLabel, unit: UnitId): string {
  return label === 'waterDistance' ? `${UNITS[unit].header}, distance to water` : UNITS[unit].header;
}

/** Returns the heading of a column of several devices. */
export function sharedLabel(field: AnyField, scales: readonly FieldScale[]): SharedLabel {
  const labels = new Set(scales.map(({ label }) => label));
  return labels.size > 1 ? 'waterAny' : ([...labels][0] ?? field);
}

/**
 * Returns the scale of a level. It is not limited to 0 to 100, so that rules and charts continue beyond the owner's
 * distances. Texts say so in words.
 */
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

/** Returns the least and greatest shown value: a reversed scale swaps them. */
export function shownBounds(scale: FieldScale, min: number, max: number): { min: number; max: number } {
  const [a, b] = [scale.toShown(min), scale.toShown(max)];
  return scale.isReversed ? { min: b, max: a } : { min: a, max: b };
}

// Without the schemas and their library, which the first page does not need.

/** The units of amounts. */
export const LOG_UNITS = ['l', 'ml', 'g', 'kg', 'pieces'] as const;
export type LogUnit = (typeof LOG_UNITS)[number];

/** The parts of an entry of a kind, in addition to its time, place and text. */
export interface LogKind {
  /** Its type in the log model of farmOS. */
  readonly farmos: 'activity' | 'input' | 'maintenance' | 'harvest' | 'observation';
  /** Whether it names the product used. */
  readonly hasProduct?: true;
  /** The units of its amount, the usual one first; missing if it has no amount. */
  readonly units?: readonly [LogUnit, ...LogUnit[]];
  /** Whether the amount may be left out. */
  readonly isAmountOptional?: true;
  readonly needsText?: true;
  /** Whether it has the calibrated sensor, its references and the values that it showed. */
  readonly isCalibration?: true;
  /** Whether only the node writes it. */
  readonly isAutomatic?: true;
}

/** The things that an owner does or sees at a place, in the order of menus. */
export const LOG_KINDS = {
  toppedUp: { farmos: 'input', units: ['l'] },
  dosed: { farmos: 'input', hasProduct: true, units: ['ml', 'g'] },
  phCorrected: { farmos: 'input', hasProduct: true, units: ['ml', 'g'] },
  solutionChanged: { farmos: 'activity', units: ['l'], isAmountOptional: true },
  cleaned: { farmos: 'maintenance' },
  pruned: { farmos: 'activity' },
  sprayed: { farmos: 'input', hasProduct: true, units: ['ml', 'l'], isAmountOptional: true, needsText: true },
  harvested: { farmos: 'harvest', units: ['kg', 'pieces'] },
  calibrated: { farmos: 'maintenance', isCalibration: true },
  observed: { farmos: 'observation', needsText: true },
  /** A stage of a crop cycle starts, and its ranges apply at the cycle's place. */
  stageChanged: { farmos: 'activity', isAutomatic: true },
} as const satisfies Readonly<Record<string, LogKind>>;
export type LogKindName = keyof typeof LOG_KINDS;
export const LOG_KIND_NAMES = Object.keys(LOG_KINDS) as readonly LogKindName[];

/** The kinds that an owner writes. */
export const OWN_KIND_NAMES = LOG_KIND_NAMES.filter((name) => !('isAutomatic' in LOG_KINDS[name]));

/** Returns a kind with all its optional parts. */
export const logKind = (name: LogKindName): LogKind => LOG_KINDS[name];

/** Returns whether a kind needs no details: one tap writes it. */
export function isPlain(name: LogKindName): boolean {
  const { hasProduct, units, isAmountOptional, needsText, isCalibration } = logKind(name);
  return !hasProduct && !needsText && !isCalibration && (units === undefined || isAmountOptional === true);
}

/** The largest amount in any unit, and the longest name of a product, in characters. */
export const MAX_AMOUNT = 1_000_000;
export const MAX_PRODUCT_LENGTH = 100;

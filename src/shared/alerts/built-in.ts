/** How bad an alert is. A critical one is sent at any hour. */
export const SEVERITIES = ['warning', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The quantity of a built-in rule's threshold, and its limits. */
interface Threshold {
  readonly unit: 'minutes' | 'hours' | 'days' | 'blocks' | 'gigabytes' | 'percent';
  readonly min: number;
  readonly max: number;
  readonly default: number | null;
  /** Whether the node may choose it. */
  readonly mayBeAutomatic: boolean;
}

interface BuiltIn {
  /** null if it has no threshold. */
  readonly threshold: Threshold | null;
  readonly severity: Severity;
  /** Whether it is off until the owner turns it on. */
  readonly isOffAtFirst?: true;
  /** The subject of its alerts. */
  readonly about: 'device' | 'field' | 'store' | 'node';
}

/**
 * The rules that every node has. The id of each is its kind.
 */
export const BUILT_IN = {
  /** A device sends no reading. Automatic: the device's own threshold, else three times its usual interval. */
  silent: {
    threshold: { unit: 'minutes', min: 1, max: 527_040, default: null, mayBeAutomatic: true },
    severity: 'warning',
    about: 'device',
  },
  /** A device no longer sends a value of a field. The threshold is long because some fields are entered by hand. */
  fieldSilent: {
    threshold: { unit: 'hours', min: 1, max: 8784, default: 168, mayBeAutomatic: false },
    severity: 'warning',
    about: 'field',
  },
  clockNotSet: { threshold: null, severity: 'warning', about: 'device' },
  /** A device of the owner sends without being registered. */
  knocking: { threshold: null, severity: 'warning', about: 'device' },
  /** An earlier store is missing. The alert lasts until the owner dismisses the notice of it. */
  storeMissing: { threshold: null, severity: 'critical', about: 'store' },
  /** A log does not continue the signed log: its store was changed, or replaced by an older copy. */
  logBroken: { threshold: null, severity: 'critical', about: 'store' },
  storeRefuses: { threshold: null, severity: 'critical', about: 'store' },
  /** Free space on the disk. Automatic: a tenth of the disk or two gigabytes, the smaller of them. */
  diskLow: {
    threshold: { unit: 'gigabytes', min: 0.1, max: 100_000, default: null, mayBeAutomatic: true },
    severity: 'critical',
    about: 'node',
  },
  /** Blocks of one store refused within an hour. */
  rejected: {
    threshold: { unit: 'blocks', min: 1, max: 1_000_000, default: 100, mayBeAutomatic: false },
    severity: 'warning',
    about: 'store',
  },
  /** The battery level that a device reports on its own page, when the node asks it. */
  batteryLow: {
    threshold: { unit: 'percent', min: 1, max: 99, default: 20, mayBeAutomatic: false },
    severity: 'warning',
    about: 'device',
  },
  /** A device reports on its own page that a sensor has failed. */
  sensorFailed: { threshold: null, severity: 'warning', about: 'device' },
  /** This machine no longer has the gate's address, or another program uses its port. */
  gateLost: { threshold: null, severity: 'critical', about: 'node' },
  /** A backup folder is chosen, and there is no new backup. */
  backupOverdue: {
    threshold: { unit: 'hours', min: 25, max: 8784, default: 48, mayBeAutomatic: false },
    severity: 'warning',
    about: 'node',
  },
  /** A forecast says that a tank will be empty. */
  emptySoon: {
    threshold: { unit: 'days', min: 0.25, max: 30, default: 2, mayBeAutomatic: false },
    severity: 'warning',
    about: 'field',
  },
  /** A forecast says that a value will leave its range. */
  leavesSoon: {
    threshold: { unit: 'days', min: 0.25, max: 7, default: 1, mayBeAutomatic: false },
    severity: 'warning',
    isOffAtFirst: true,
    about: 'field',
  },
} as const satisfies Record<string, BuiltIn>;

export type BuiltInKind = keyof typeof BUILT_IN;

export const BUILT_IN_KINDS = Object.keys(BUILT_IN) as [BuiltInKind, ...BuiltInKind[]];

/** Returns whether a rule is on until the owner changes it. */
export function isOnAtFirst(kind: BuiltInKind): boolean {
  const { isOffAtFirst }: BuiltIn = BUILT_IN[kind];
  return isOffAtFirst !== true;
}

/** Returns whether a built-in rule may have this threshold. */
export function isThresholdOf(kind: BuiltInKind, value: number | null): boolean {
  const { threshold }: BuiltIn = BUILT_IN[kind];
  if (threshold === null) return value === null;
  if (value === null) return threshold.mayBeAutomatic;
  return value >= threshold.min && value <= threshold.max;
}

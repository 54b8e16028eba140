/** How bad an alert is: a critical one is told at any hour. */
export const SEVERITIES = ['warning', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The quantity of a built-in rule's threshold, and its bounds. */
interface Threshold {
  readonly unit: 'minutes' | 'hours' | 'days' | 'blocks' | 'gigabytes' | 'percent';
  readonly min: number;
  readonly max: number;
  readonly default: number | null;
  /** Whether it may be left to the node. */
  readonly mayBeAutomatic: boolean;
}

interface BuiltIn {
  /** null if it has no threshold. */
  readonly threshold: Threshold | null;
  readonly severity: Severity;
  /** Whether it is off until the owner turns it on. */
  readonly isOffAtFirst?: true;
  /** The subject of one of its alerts. */
  readonly about: 'device' | 'field' | 'store' | 'node';
}

/**
 * The rules that every node has. The id of each is its kind.
 */
export const BUILT_IN = {
  /** No reading of a device. Automatic: the device's own threshold, else three times its usual interval. */
  silent: {
    threshold: { unit: 'minutes', min: 1, max: 527_040, default: null, mayBeAutomatic: true },
    severity: 'warning',
    about: 'device',
  },
  /** No value of a field that a device sent before. Long, as some are entered by hand. */
  fieldSilent: {
    threshold: { unit: 'hours', min: 1, max: 8784, default: 168, mayBeAutomatic: false },
    severity: 'warning',
    about: 'field',
  },
  clockNotSet: { threshold: null, severity: 'warning', about: 'device' },
  /** A device of the owner's that sends without being registered. */
  knocking: { threshold: null, severity: 'warning', about: 'device' },
  /** A store that was there is gone, until the owner dismisses the notice of it. */
  storeMissing: { threshold: null, severity: 'critical', about: 'store' },
  /** A log does not continue what was signed of it: its store was changed, or put back. */
  logBroken: { threshold: null, severity: 'critical', about: 'store' },
  storeRefuses: { threshold: null, severity: 'critical', about: 'store' },
  /** Free space of the disk. Automatic: a tenth of it or two gigabytes, whichever is less. */
  diskLow: {
    threshold: { unit: 'gigabytes', min: 0.1, max: 100_000, default: null, mayBeAutomatic: true },
    severity: 'critical',
    about: 'node',
  },
  /** Refused blocks of one store within an hour. */
  rejected: {
    threshold: { unit: 'blocks', min: 1, max: 1_000_000, default: 100, mayBeAutomatic: false },
    severity: 'warning',
    about: 'store',
  },
  /** The battery that a device reports on its own page, when it is asked. */
  batteryLow: {
    threshold: { unit: 'percent', min: 1, max: 99, default: 20, mayBeAutomatic: false },
    severity: 'warning',
    about: 'device',
  },
  /** A sensor that a device says has failed, likewise. */
  sensorFailed: { threshold: null, severity: 'warning', about: 'device' },
  /** The gate's address is gone from this machine, or its port is taken. */
  gateLost: { threshold: null, severity: 'critical', about: 'node' },
  /** No new backup, where a folder for them is chosen. */
  backupOverdue: {
    threshold: { unit: 'hours', min: 25, max: 8784, default: 48, mayBeAutomatic: false },
    severity: 'warning',
    about: 'node',
  },
  /** A tank that is forecast to be empty. */
  emptySoon: {
    threshold: { unit: 'days', min: 0.25, max: 30, default: 2, mayBeAutomatic: false },
    severity: 'warning',
    about: 'field',
  },
  /** A value that is forecast to leave its range. */
  leavesSoon: {
    threshold: { unit: 'days', min: 0.25, max: 7, default: 1, mayBeAutomatic: false },
    severity: 'warning',
    isOffAtFirst: true,
    about: 'field',
  },
} as const satisfies Record<string, BuiltIn>;

export type BuiltInKind = keyof typeof BUILT_IN;

export const BUILT_IN_KINDS = Object.keys(BUILT_IN) as [BuiltInKind, ...BuiltInKind[]];

/** Whether a rule is on until the owner says otherwise. */
export function isOnAtFirst(kind: BuiltInKind): boolean {
  const { isOffAtFirst }: BuiltIn = BUILT_IN[kind];
  return isOffAtFirst !== true;
}

/** Whether a threshold is one that a built-in rule may have. */
export function isThresholdOf(kind: BuiltInKind, value: number | null): boolean {
  const { threshold }: BuiltIn = BUILT_IN[kind];
  if (threshold === null) return value === null;
  if (value === null) return threshold.mayBeAutomatic;
  return value >= threshold.min && value <= threshold.max;
}

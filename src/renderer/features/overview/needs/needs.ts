import type { Alert } from '../../../../shared/alerts/alert.ts';
import { openAlerts, settledAlerts, worstFirst } from '../../../../shared/alerts/open-alerts.ts';
import type { DeviceSummary } from '../../../../shared/owner-api/devices.ts';
import type { Overview } from '../../../../shared/owner-api/overview.ts';
import type { Storage } from '../../../../shared/owner-api/storage.ts';
import { byDue, isOpen } from '../../../../shared/owner-data/task-states.ts';
import type { Task } from '../../../../shared/owner-data/tasks.ts';
import { FIELD_NAMES, type FieldName } from '../../../../shared/protocol/fields.ts';
import { deviceStatus } from '../../../../shared/wellness/status.ts';
import { deviceDrift } from '../../../devices/drift.ts';

/** The maximum number of devices or alerts listed one by one. More are summarised in one line. */
const TOLD_APART = 3;

/** A problem that the owner should handle. Each has one action. */
export type Need =
  | { readonly kind: 'store'; readonly store: 'private' | 'public'; readonly since: number }
  /** An alert that no other line shows. */
  | { readonly kind: 'alert'; readonly alert: Alert }
  | { readonly kind: 'manyAlerts'; readonly count: number }
  | { readonly kind: 'silent'; readonly device: DeviceSummary }
  | { readonly kind: 'manySilent'; readonly count: number }
  | { readonly kind: 'room'; readonly freeBytes: number }
  /** The ids of the owner's devices that are not registered. */
  | { readonly kind: 'knocking'; readonly ids: readonly string[] }
  | { readonly kind: 'clock'; readonly device: DeviceSummary }
  | { readonly kind: 'manyClocks'; readonly count: number }
  | { readonly kind: 'task'; readonly task: Task }
  | { readonly kind: 'manyTasks'; readonly count: number }
  /** The calibrations show a sensor drifting further and further. */
  | { readonly kind: 'drift'; readonly device: DeviceSummary; readonly field: FieldName }
  | { readonly kind: 'keys' };

/** The facts about the node and its devices. */
export interface Known {
  readonly overview: Pick<Overview, 'devices'>;
  readonly storage: Storage | undefined;
  /** The ids of the owner's unregistered devices that knock and that the owner has not dismissed. */
  readonly knocking: readonly string[];
  /** Whether there are keys without an exported copy. */
  readonly hasOnlyKeys: boolean;
  /** The live alerts. */
  readonly alerts: readonly Alert[];
  /** The owner's tasks, and the calendar day in the page's time zone. */
  readonly tasks: readonly Task[];
  readonly today: string;
  /** The time by the node's clock, in Unix milliseconds. */
  readonly now: number;
}

/** Returns the problems that need the owner now, the worst first. */
export function needsNow({ overview, storage, knocking, hasOnlyKeys, alerts, tasks, today, now }: Known): Need[] {
  const mine = overview.devices.filter((device) => device.mine);
  // A problem with an acknowledged or snoozed alert is left out completely.
  const settled = settledAlerts(alerts);
  const isSettled = (kind: Alert['kind'], of: Partial<Pick<Alert, 'device' | 'store'>> = {}) =>
    settled.some((alert) => {
      const isOfDevice = of.device === undefined || alert.device === of.device;
      return alert.kind === kind && isOfDevice && (of.store === undefined || alert.store === of.store);
    });
  const silent = mine.filter(
    (device) => deviceStatus(device, now) === 'silent' && !isSettled('silent', { device: device.id }),
  );
  const clocks = mine.filter(
    (device) => device.clockNotSet && device.notes.status === 0 && !isSettled('clockNotSet', { device: device.id }),
  );
  const ids = knocking.filter((device) => !isSettled('knocking', { device }));
  const stores = (storage?.stores ?? []).flatMap(({ store, refusing }) =>
    refusing === null || isSettled('storeRefuses', { store }) ? [] : [{ store, since: refusing.since }],
  );
  const room = storage?.room?.isLow === true && !isSettled('diskLow') ? storage.room : null;
  /** Returns whether the subject of an alert has its own line in this list. */
  const isTold = ({ kind, device, store }: Alert): boolean => {
    if (kind === 'silent') return silent.some(({ id }) => id === device);
    if (kind === 'clockNotSet') return clocks.some(({ id }) => id === device);
    if (kind === 'knocking') return ids.some((id) => id === device);
    if (kind === 'storeRefuses') return stores.some((each) => each.store === store);
    return kind === 'diskLow' && room !== null;
  };
  const firing = worstFirst(openAlerts(alerts).filter((alert) => !isTold(alert)));
  const shown = firing.length > TOLD_APART ? firing.slice(0, TOLD_APART) : firing;
  const alertsOf = (severity: Alert['severity']) =>
    shown.filter((alert) => alert.severity === severity).map((alert): Need => ({ kind: 'alert', alert }));
  return [
    ...stores.map((store): Need => ({ kind: 'store', ...store })),
    ...alertsOf('critical'),
    ...told(silent, 'silent', 'manySilent'),
    ...(room === null ? [] : [{ kind: 'room', freeBytes: room.freeBytes } as const]),
    ...alertsOf('warning'),
    ...(firing.length > shown.length ? [{ kind: 'manyAlerts', count: firing.length - shown.length } as const] : []),
    ...(ids.length > 0 ? [{ kind: 'knocking', ids } as const] : []),
    ...told(clocks, 'clock', 'manyClocks'),
    ...toldTasks(tasks.filter((task) => isOpen(task, today))),
    ...mine.flatMap((device) =>
      FIELD_NAMES.filter((field) => deviceDrift(device, field)?.verdict === 'grows').map(
        (field): Need => ({ kind: 'drift', device, field }),
      ),
    ),
    ...(hasOnlyKeys ? [{ kind: 'keys' } as const] : []),
  ];
}

function told(
  devices: readonly DeviceSummary[],
  one: 'silent' | 'clock',
  many: 'manySilent' | 'manyClocks',
): readonly Need[] {
  if (devices.length > TOLD_APART) return [{ kind: many, count: devices.length }];
  return devices.map((device) => ({ kind: one, device }));
}

function toldTasks(open: readonly Task[]): readonly Need[] {
  if (open.length > TOLD_APART) return [{ kind: 'manyTasks', count: open.length }];
  return open.toSorted(byDue).map((task) => ({ kind: 'task', task }));
}

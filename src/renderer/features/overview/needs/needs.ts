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

/** More devices of a kind than this are told as one. */
const TOLD_APART = 3;

/** Something that the owner should see to; each has one action. */
export type Need =
  | { readonly kind: 'store'; readonly store: 'private' | 'public'; readonly since: number }
  /** An alert that nothing else here shows. */
  | { readonly kind: 'alert'; readonly alert: Alert }
  | { readonly kind: 'manyAlerts'; readonly count: number }
  | { readonly kind: 'silent'; readonly device: DeviceSummary }
  | { readonly kind: 'manySilent'; readonly count: number }
  | { readonly kind: 'room'; readonly freeBytes: number }
  /** Devices of the owner's that are not registered, by their ids. */
  | { readonly kind: 'knocking'; readonly ids: readonly string[] }
  | { readonly kind: 'clock'; readonly device: DeviceSummary }
  | { readonly kind: 'manyClocks'; readonly count: number }
  | { readonly kind: 'task'; readonly task: Task }
  | { readonly kind: 'manyTasks'; readonly count: number }
  /** By its calibrations the sensor of a field is off further and further. */
  | { readonly kind: 'drift'; readonly device: DeviceSummary; readonly field: FieldName }
  | { readonly kind: 'keys' };

/** The facts about the node and its devices. */
export interface Known {
  readonly overview: Pick<Overview, 'devices'>;
  readonly storage: Storage | undefined;
  /** The ids of the owner's devices that knock and that the owner has not dismissed. */
  readonly knocking: readonly string[];
  /** Whether there are keys of which no copy was exported. */
  readonly hasOnlyKeys: boolean;
  /** The live ones. */
  readonly alerts: readonly Alert[];
  /** The owner's tasks, and the calendar day where the page is. */
  readonly tasks: readonly Task[];
  readonly today: string;
  /** Unix milliseconds of the node's clock. */
  readonly now: number;
}

/** The problems that need the owner now, the worst first. */
export function needsNow({ overview, storage, knocking, hasOnlyKeys, alerts, tasks, today, now }: Known): Need[] {
  const mine = overview.devices.filter((device) => device.mine);
  // What the owner has acknowledged or snoozed is in no list, whatever else would tell it.
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
  /** Whether this list has a line of its own for what an alert is about. */
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

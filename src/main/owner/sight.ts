import type { z } from 'zod';
import type { Alert } from '../../shared/alerts/alert.ts';
import type { METHODS, MethodName, Output } from '../../shared/owner-api/contract.ts';
import type { DeviceSummary } from '../../shared/owner-api/devices.ts';
import type { EventName, EventPayload } from '../../shared/owner-api/events.ts';
import type { OwnerReading } from '../../shared/owner-api/readings.ts';
import type { FieldValue } from '../../shared/owner-api/values.ts';
import { NO_CHOICES } from '../../shared/owner-data/no-choices.ts';
import { perFieldName } from '../../shared/protocol/fields.ts';
import { OwnerError } from '../common/owner-error.ts';

/** The rights of a viewer: plain values of these devices only (null for all devices). */
export interface Sight {
  readonly devices: ReadonlySet<string> | null;
}

export type ViewerMethod = {
  [M in MethodName]: (typeof METHODS)[M]['role'] extends 'viewer' ? M : never;
}[MethodName];

type Checked<M extends MethodName> = z.output<(typeof METHODS)[M]['input']>;

/** The part of an answer that a viewer sees. Every method that viewers may call must have one to compile. */
interface View<M extends ViewerMethod> {
  /** Returns the device that the call is about; null if it is about none in particular. */
  readonly device: (input: Checked<M>) => string | null;
  readonly of: (answer: Output<M>, sees: (device: string) => boolean, isBounded: boolean) => Output<M>;
}

const NONE = () => null;

const VIEWS: { readonly [M in ViewerMethod]: View<M> } = {
  caller: { device: NONE, of: (answer) => answer },
  leave: { device: NONE, of: (answer) => answer },
  nodeInfo: {
    device: NONE,
    of: (node) => ({ ...node, publicUrl: null, localUrl: '', addresses: [], exposedAt: [], dataDir: '' }),
  },
  storage: {
    device: NONE,
    of: ({ stores }) => ({
      stores: stores.map(({ store, refusing }) => ({ store, refusing: refusing && { ...refusing, message: '' } })),
      room: null,
    }),
  },
  overview: {
    device: NONE,
    of: (overview, sees, isBounded) => ({
      ...overview,
      devices: overview.devices.filter(({ id }) => sees(id)).map(plainly),
      hidden: [],
      demoDevices: overview.demoDevices.filter(sees),
      unregistered: [],
      unlisted: isBounded ? { claimed: 0, others: 0 } : overview.unlisted,
      totals: { readingsToday: isBounded ? 0 : overview.totals.readingsToday, rejectedToday: [], stores: [] },
    }),
  },
  device: { device: ({ id }) => id, of: (device) => ({ ...device, ...plainly(device), withheld: [] }) },
  latestReadings: { device: ({ id }) => id, of: ({ readings }) => ({ readings: readings.map(plainReading) }) },
  readingsPage: {
    device: ({ id }) => id,
    of: ({ readings, ...page }) => ({ ...page, readings: readings.map(plainReading) }),
  },
  history: { device: ({ id }) => id, of: (history) => history },
  ownerChoices: {
    device: NONE,
    of: ({ units, groups, comparisons, climate }, sees) => ({
      units,
      groups: groups
        .map((group) => ({ ...group, devices: group.devices.filter(sees) }))
        .filter(({ devices }, index) => devices.length > 0 || groups[index]!.devices.length === 0),
      comparisons: comparisons.filter(({ lines }) => lines.every(({ device }) => sees(device))),
      keyCopies: NO_CHOICES.keyCopies,
      bridge: NO_CHOICES.bridge,
      setup: NO_CHOICES.setup,
      climate: Object.fromEntries(Object.entries(climate).filter(([id]) => sees(id))),
    }),
  },
  journal: {
    device: ({ device }) => device,
    of: ({ entries, isCut }, sees) => ({
      entries: entries.filter(({ device }) => device === null || sees(device)),
      isCut,
    }),
  },
  tasks: {
    device: NONE,
    of: ({ tasks }, sees) => ({ tasks: tasks.filter(({ device }) => device === null || sees(device)) }),
  },
  cycles: {
    device: NONE,
    // A group may have devices that a bounded viewer does not see.
    of: ({ cycles }, sees, isBounded) => ({
      cycles: cycles.filter(({ place }) => (place.kind === 'device' ? sees(place.device) : !isBounded)),
    }),
  },
  writeJournalEntry: { device: ({ device }) => device, of: (entry) => entry },
  // The handler checks that the caller sees the task's place, when it reads the task.
  completeTask: { device: NONE, of: (answer) => answer },
  addPhoto: { device: NONE, of: (answer) => answer },
  // The handler checks that the caller sees the photo's entry, when it reads the entry.
  photo: { device: NONE, of: (answer) => answer },
  photos: {
    device: NONE,
    of: ({ photos, isCut }, sees) => ({
      photos: photos.filter(({ device }) => device === null || sees(device)),
      isCut,
    }),
  },
  alerts: {
    device: NONE,
    of: ({ now, alerts }, sees) => ({ now, alerts: alerts.filter((alert) => isShown(alert, sees)) }),
  },
  alertHistory: {
    device: ({ device }) => device,
    of: ({ alerts, hasMore }, sees) => ({ alerts: alerts.filter((alert) => isShown(alert, sees)), hasMore }),
  },
  alertRules: {
    device: NONE,
    of: ({ rules }, sees, isBounded) => ({
      rules: rules
        .filter(({ rule }) => rule.kind !== 'range' || rule.scope.kind !== 'device' || sees(rule.scope.device))
        .map(({ rule, devices, sealedOn }) => ({
          rule: { ...rule, channels: 'all' },
          devices: isBounded ? 0 : devices,
          sealedOn: sealedOn.filter(sees),
        })),
    }),
  },
};

/**
 * Throws OwnerError if the caller asks about a device that it may not see. The error is the same as for an unknown
 * device.
 */
export function refuseUnseen<M extends MethodName>(method: M, input: Checked<M>, { devices }: Sight): void {
  if (devices === null || !isForViewers(method)) return;
  const asked = viewOf(method).device(input as never);
  if (asked !== null && !devices.has(asked)) throw new OwnerError('not_found', 'this device is in no store');
}

/** Returns an answer as a viewer sees it. Throws OwnerError for a method that is not for viewers. */
export function viewersAnswer<M extends MethodName>(method: M, answer: Output<M>, { devices }: Sight): Output<M> {
  if (!isForViewers(method)) throw new OwnerError('forbidden', 'only for the owner');
  const sees = (device: string) => devices === null || devices.has(device);
  return viewOf(method).of(answer as never, sees, devices !== null) as Output<M>;
}

/** Returns the part of an event that a viewer gets; null for nothing. */
export function viewersEvent<E extends EventName>(
  event: E,
  payload: EventPayload<E>,
  { devices }: Sight,
): EventPayload<E> | null {
  if (!HEARD.has(event)) return null;
  if (event !== 'readings' || devices === null) return payload;
  const seen = (payload as EventPayload<'readings'>).devices.filter((id) => devices.has(id));
  return seen.length === 0 ? null : ({ devices: seen } as EventPayload<E>);
}

/**
 * The events that viewers get. Notices are for the owner only, since the view that shows one reports that to the node.
 */
const HEARD: ReadonlySet<EventName> = new Set(['readings', 'devices', 'choices', 'journal', 'alerts', 'storage']);

function isForViewers(method: MethodName): method is ViewerMethod {
  return Object.hasOwn(VIEWS, method);
}

/** The input and the answer belong to the same method, which the type of a table can't express. */
function viewOf(method: ViewerMethod): View<ViewerMethod> {
  return VIEWS[method] as unknown as View<ViewerMethod>;
}

/** Returns a device without its keys, its location and the owner's notes: only data that its readings also reveal. */
function plainly<T extends DeviceSummary>(device: T): T {
  return {
    ...device,
    mac: '',
    ownerPubkey: '',
    ownerName: null,
    location: null,
    stores: device.stores.map((store) => ({ ...store, privacyPolicy: {} })),
    notes: { ...device.notes, text: '' },
    newest: perFieldName((field) => {
      const newest = device.newest[field];
      return newest && { ...newest, value: plainValue(newest.value) };
    }),
  };
}

function plainReading(reading: OwnerReading): OwnerReading {
  return { ...reading, fields: perFieldName((field) => plainValue(reading.fields[field])) };
}

/** A viewer may know that a value is sealed. The sealed bytes are useless without keys and are not sent. */
function plainValue(value: FieldValue): FieldValue {
  return value === null || typeof value === 'number' ? value : { cipher: '', nonce: '' };
}

/** Returns whether a viewer sees an alert. Alerts about the node as a whole are for viewers of all devices. */
function isShown({ device }: Alert, sees: (device: string) => boolean): boolean {
  return sees(device ?? '');
}

import { z } from 'zod';
import { SEVERITIES } from '../alerts/rule.ts';
import { deviceId, timeMs } from '../owner-data/values.ts';
import { nothing } from './values.ts';

/** The events of another node that this node forwards: those that lists and device pages need. */
export const RELAYED_EVENTS = ['readings', 'devices', 'choices', 'journal', 'alerts'] as const;
export type RelayedEvent = (typeof RELAYED_EVENTS)[number];

/** All events. The node merges them, so that at most a few are sent per second. */
export const EVENTS = {
  /** Readings of these devices were stored. */
  readings: z.strictObject({ devices: z.array(deviceId) }),
  /** Devices were registered or forgotten, or their notes changed. */
  devices: nothing,
  /** The owner's choices for all devices changed. */
  choices: nothing,
  /** The journal changed. */
  journal: nothing,
  /** The list of unregistered devices, or a count of rejected blocks, changed. */
  attempts: nothing,
  /** A store refuses to write and therefore to confirm readings: its disk is full, read-only or damaged. */
  storageFault: nothing,
  /** A store began to refuse writes, or accepts them again. */
  storage: nothing,
  /** Alerts, rules or channels changed. */
  alerts: nothing,
  /** A notification for the view to show once. The view answers with `noticeShown`. */
  notice: z.strictObject({
    /** The id of the message. Several views may get the same one. */
    id: z.uuid(),
    /** The id of the alert; null if the message is not about one. */
    alert: z.uuid().nullable(),
    severity: z.enum(SEVERITIES),
    title: z.string(),
    text: z.string(),
    at: timeMs,
  }),
  /** A backup, a check or a restore made progress or ended. */
  backups: nothing,
  /** An export made progress or ended. */
  exports: nothing,
  /** The gate's address, joining, or the list of devices that tried to join changed. */
  gate: nothing,
  /** The door's address, the pairings or the open code changed. */
  door: nothing,
  /** The state of the MQTT connection or of the metrics listener changed. */
  connections: nothing,
  /** The settings, the node's clock, the endpoints' addresses or the progress of a move of the data folder changed. */
  settings: nothing,
  /** The list of other nodes, or the state of a connection to one, changed. */
  nodes: nothing,
  /** Another node sent an event. `payload` is the payload of that event. */
  nodeSaid: z.strictObject({ node: deviceId, event: z.enum(RELAYED_EVENTS), payload: z.unknown() }),
} as const satisfies Record<string, z.ZodType>;

export type EventName = keyof typeof EVENTS;
export type EventPayload<E extends EventName> = z.output<(typeof EVENTS)[E]>;

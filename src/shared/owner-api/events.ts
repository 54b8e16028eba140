import { z } from 'zod';
import { SEVERITIES } from '../alerts/rule.ts';
import { deviceId, timeMs } from '../owner-data/values.ts';
import { nothing } from './values.ts';

/** The events of another node that this one tells on: those of which a list or a device's page has to know. */
export const RELAYED_EVENTS = ['readings', 'devices', 'choices', 'journal', 'alerts'] as const;
export type RelayedEvent = (typeof RELAYED_EVENTS)[number];

/** Every event. Events are gathered: at most a few a second, whatever arrives. */
export const EVENTS = {
  /** Readings of these devices were stored. */
  readings: z.strictObject({ devices: z.array(deviceId) }),
  /** Devices were registered, forgotten or noted on. */
  devices: nothing,
  /** The owner's choices for all devices changed. */
  choices: nothing,
  /** The journal changed. */
  journal: nothing,
  /** The list of unregistered devices, or a count of rejected blocks, changed. */
  attempts: nothing,
  /** A store refuses to write, and so to confirm: its disk is full, read-only or damaged. */
  storageFault: nothing,
  /** A store refuses to write, or takes writes again. */
  storage: nothing,
  /** Alerts, rules or channels changed. */
  alerts: nothing,
  /** Something to be shown as a notification, each once; `noticeShown` says whether it was. */
  notice: z.strictObject({
    /** The id of the message: the same where it is shown in several places. */
    id: z.uuid(),
    /** null if it is about no alert. */
    alert: z.uuid().nullable(),
    severity: z.enum(SEVERITIES),
    title: z.string(),
    text: z.string(),
    at: timeMs,
  }),
  /** A backup, a check or a restore is under way or has ended. */
  backups: nothing,
  /** An export is under way or has ended. */
  exports: nothing,
  /** Where the gate listens, whether devices may join, or who tried to, changed. */
  gate: nothing,
  /** Where the door listens, who is paired, or whether a code is open, changed. */
  door: nothing,
  /** How it is with the MQTT broker or the listener for metrics changed. */
  connections: nothing,
  /** Settings, the node's clock, where the endpoints listen, or how far a move of the data folder is, changed. */
  settings: nothing,
  /** Which other nodes are shown, or how it is with the way to one, changed. */
  nodes: nothing,
  /** Another node told something; `payload` is what its event has. */
  nodeSaid: z.strictObject({ node: deviceId, event: z.enum(RELAYED_EVENTS), payload: z.unknown() }),
} as const satisfies Record<string, z.ZodType>;

export type EventName = keyof typeof EVENTS;
export type EventPayload<E extends EventName> = z.output<(typeof EVENTS)[E]>;

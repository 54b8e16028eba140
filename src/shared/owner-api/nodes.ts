import { z } from 'zod';
import { ownerChoices, setup } from '../owner-data/choices.ts';
import { NO_CHOICES } from '../owner-data/no-choices.ts';
import { deviceId, timeMs } from '../owner-data/values.ts';
import { ALERT_METHODS } from './alerts.ts';
import { CHOICE_METHODS } from './choices.ts';
import { CYCLE_METHODS } from './cycles.ts';
import { DEVICE_METHODS } from './devices.ts';
import { JOURNAL_METHODS } from './journal.ts';
import { MAX_NODE_NAME } from './limits.ts';
import { type Methods, ROLES } from './method.ts';
import { NODE_METHODS } from './node.ts';
import { OVERVIEW_METHODS } from './overview.ts';
import { PHOTO_METHODS } from './photos.ts';
import { READING_METHODS } from './readings.ts';
import { TASK_METHODS } from './tasks.ts';
import { nothing } from './values.ts';
import { WITNESS_METHODS } from './witnesses.ts';

/**
 * The methods that this node forwards to another node: those of lists and of a device's page. No method among them handles
 * keys, channels, secrets, settings or pairings, so a call can't carry this owner's secrets to another node.
 */
export const RELAYED = {
  ...NODE_METHODS,
  ...OVERVIEW_METHODS,
  ...DEVICE_METHODS,
  ...READING_METHODS,
  ...JOURNAL_METHODS,
  addPhoto: PHOTO_METHODS.addPhoto,
  photo: PHOTO_METHODS.photo,
  photos: PHOTO_METHODS.photos,
  ...TASK_METHODS,
  ...CYCLE_METHODS,
  // A node of an earlier version does not say what was set up there.
  ownerChoices: {
    ...CHOICE_METHODS.ownerChoices,
    output: ownerChoices.extend({ setup: setup.default(NO_CHOICES.setup) }),
  },
  alerts: ALERT_METHODS.alerts,
  alertHistory: ALERT_METHODS.alertHistory,
  alertRules: ALERT_METHODS.alertRules,
  writeAlertRule: ALERT_METHODS.writeAlertRule,
  deleteAlertRule: ALERT_METHODS.deleteAlertRule,
  acknowledgeAlert: ALERT_METHODS.acknowledgeAlert,
  snoozeAlert: ALERT_METHODS.snoozeAlert,
  alertOptions: ALERT_METHODS.alertOptions,
  cosignCheckpoint: WITNESS_METHODS.cosignCheckpoint,
} as const satisfies Methods;
export type RelayedMethod = keyof typeof RELAYED;

/** The state of the connection to another node. */
export const nodeStanding = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('connecting') }),
  z.strictObject({ state: z.literal('connected') }),
  /** The node is unreachable and is retried. `since` is the time of its last answer; null if it never answered. */
  z.strictObject({ state: z.literal('away'), since: timeMs.nullable() }),
  z.strictObject({
    state: z.literal('refused'),
    /**
     * `certificate`: the server presents another certificate than the pinned one. `time`: its certificate is not valid at this
     * machine's time. In both cases no token was sent. `token`: the node refuses the token. `other_node`: the node has another
     * key. `not_understood`: the certificate is right, but this version does not understand the answers.
     */
    reason: z.enum(['certificate', 'time', 'token', 'other_node', 'not_understood']),
    since: timeMs.nullable(),
  }),
]);
export type NodeStanding = z.infer<typeof nodeStanding>;

/** Another node of the owner, as this node lists it. */
export const otherNode = z.strictObject({
  /** Its public key. */
  id: deviceId,
  name: z.string(),
  /** The address of its door, such as "https://192.168.1.20:3443". */
  url: z.string(),
  /** SHA-256 of the pinned certificate, lowercase hex. */
  fingerprint: z.string(),
  role: z.enum(ROLES),
  standing: nodeStanding,
  /** The version of Wellhouse that it reported last; null if it has not answered since this node started. */
  version: z.string().nullable(),
  /** Whether some of its answers do not fit this version. Those calls fail with `other_version`. */
  isMisfit: z.boolean(),
});
export type OtherNode = z.infer<typeof otherNode>;

/** Why a pairing link can't be used. */
export const ADD_PROBLEMS = [
  /** Not a pairing link. */
  'link',
  'unreachable',
  /** The server is not a node's door, or its version is not compatible. */
  'not_a_door',
  'certificate',
  'time',
  /** The code is wrong, used or expired. */
  'code',
  /** Too many tries: retry later. */
  'slow_down',
  'itself',
  /** The node is listed already. Adding it again replaces its stored data. */
  'known',
  'full',
] as const;
export type AddProblem = (typeof ADD_PROBLEMS)[number];

const link = z.string().max(2000);
const nodeName = z.string().trim().min(1).max(MAX_NODE_NAME);

export const NODES_METHODS = {
  nodes: { role: 'owner', input: nothing, output: z.strictObject({ nodes: z.array(otherNode) }) },
  /**
   * Connects to the address of a pairing link without sending its code. Returns which node answers and whether its
   * certificate is the one in the link.
   */
  lookAtNode: {
    role: 'owner',
    input: z.strictObject({ link }),
    output: z.union([
      z.strictObject({ problem: z.enum(ADD_PROBLEMS) }),
      z.strictObject({ problem: z.null(), id: deviceId, url: z.string(), fingerprint: z.string() }),
    ]),
  },
  /** Pairs with the node of a link and lists it. `replace` also allows a node that is listed already. */
  addNode: {
    role: 'owner',
    input: z.strictObject({ link, name: nodeName.nullable(), replace: z.boolean() }),
    output: z.union([
      z.strictObject({ problem: z.enum(ADD_PROBLEMS) }),
      z.strictObject({ problem: z.null(), node: otherNode }),
    ]),
  },
  renameNode: { role: 'owner', input: z.strictObject({ id: deviceId, name: nodeName }), output: nothing },
  /** Removes a node from the list, with its token and its last known answers. */
  removeNode: { role: 'owner', input: z.strictObject({ id: deviceId }), output: nothing },
  /**
   * Forwards a call to another node. The answer has passed the method's schema; members that this version does not know are
   * removed. If the node is unreachable, the answer is the last known one and `seenAt` its time; otherwise `seenAt` is null.
   * Errors: `disconnected` if the node is unreachable and no answer is known, `other_version` if the answer does not fit.
   */
  callNode: {
    role: 'owner',
    input: z.strictObject({
      node: deviceId,
      method: z.enum(Object.keys(RELAYED) as [RelayedMethod, ...RelayedMethod[]]),
      input: z.unknown(),
    }),
    output: z.discriminatedUnion('ok', [
      z.strictObject({ ok: z.literal(true), value: z.unknown(), seenAt: timeMs.nullable() }),
      z.strictObject({ ok: z.literal(false), error: z.string(), details: z.string().optional() }),
    ]),
  },
} as const satisfies Methods;

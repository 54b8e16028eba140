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
 * The methods that this node passes on to another one: what a list and a device's page ask for. Keys, channels and their
 * secrets, settings and pairings of another node are none of them, so that nothing of this owner's can be sent there.
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

/** How it is with the way to another node. */
export const nodeStanding = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('connecting') }),
  z.strictObject({ state: z.literal('connected') }),
  /** Not reached; it is tried again and again. `since`: when it was heard last; null: never. */
  z.strictObject({ state: z.literal('away'), since: timeMs.nullable() }),
  z.strictObject({
    state: z.literal('refused'),
    /**
     * `certificate`: what answers there has another one than was pinned; `time`: its certificate is not valid by this
     * machine's clock; both were told no token. `token`: the node no longer takes it. `other_node`: another node's key.
     * `not_understood`: the certificate is right, and what is said is nothing that this version knows.
     */
    reason: z.enum(['certificate', 'time', 'token', 'other_node', 'not_understood']),
    since: timeMs.nullable(),
  }),
]);
export type NodeStanding = z.infer<typeof nodeStanding>;

/** Another node that is shown here. */
export const otherNode = z.strictObject({
  /** Its public key. */
  id: deviceId,
  name: z.string(),
  /** Where its door is, such as "https://192.168.1.20:3443". */
  url: z.string(),
  /** SHA-256 of the pinned certificate, lowercase hex. */
  fingerprint: z.string(),
  role: z.enum(ROLES),
  standing: nodeStanding,
  /** The version of Wellhouse that it said last; null: not heard since this node's start. */
  version: z.string().nullable(),
  /** Some of what it answers does not fit this version: those calls end with `other_version`. */
  isMisfit: z.boolean(),
});
export type OtherNode = z.infer<typeof otherNode>;

/** Why a pairing link leads to no node. */
export const ADD_PROBLEMS = [
  /** Not a pairing link. */
  'link',
  'unreachable',
  /** Something answers that is no node's door, or of a version that this one does not understand. */
  'not_a_door',
  'certificate',
  'time',
  /** The code is wrong, used or expired. */
  'code',
  /** Too many tries; a little later it works again. */
  'slow_down',
  'itself',
  /** It is in the list. Adding it again replaces what is kept of it. */
  'known',
  'full',
] as const;
export type AddProblem = (typeof ADD_PROBLEMS)[number];

const link = z.string().max(2000);
const nodeName = z.string().trim().min(1).max(MAX_NODE_NAME);

export const NODES_METHODS = {
  nodes: { role: 'owner', input: nothing, output: z.strictObject({ nodes: z.array(otherNode) }) },
  /**
   * Looks where a pairing link leads, before its code is sent there: whether the certificate is the one that the link names, and
   * which node it is.
   */
  lookAtNode: {
    role: 'owner',
    input: z.strictObject({ link }),
    output: z.union([
      z.strictObject({ problem: z.enum(ADD_PROBLEMS) }),
      z.strictObject({ problem: z.null(), id: deviceId, url: z.string(), fingerprint: z.string() }),
    ]),
  },
  /** Pairs with the node that a link leads to, and shows it from now on. `replace`: also where it is in the list. */
  addNode: {
    role: 'owner',
    input: z.strictObject({ link, name: nodeName.nullable(), replace: z.boolean() }),
    output: z.union([
      z.strictObject({ problem: z.enum(ADD_PROBLEMS) }),
      z.strictObject({ problem: z.null(), node: otherNode }),
    ]),
  },
  renameNode: { role: 'owner', input: z.strictObject({ id: deviceId, name: nodeName }), output: nothing },
  /** Shows it no more, and forgets its token and what was last seen of it. */
  removeNode: { role: 'owner', input: z.strictObject({ id: deviceId }), output: nothing },
  /**
   * Has another node answer a call; its answer has passed the method's schema, without members that this version does not
   * know. `seenAt`: it is what it said then, as it is not reached; null: it is new. `disconnected`: it is not reached, and
   * this was never asked. `other_version`: its answer does not fit this version.
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

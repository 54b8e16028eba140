import { z } from 'zod';
import { alert } from '../alerts/alert.ts';
import { alertOptions, areSecretsOf, channel, channelSecret } from '../alerts/channel.ts';
import { CHANNEL_FAULTS } from '../alerts/faults.ts';
import { MAX_RULES, rule, ruleId, ruleInput } from '../alerts/rule.ts';
import { deviceId, timeMs } from '../owner-data/values.ts';
import type { Methods } from './method.ts';
import { count, nothing } from './values.ts';

/** A rule, and where it can't be told. */
export const ruleState = z.strictObject({
  rule,
  /** How many devices it is for. */
  devices: count,
  /**
   * The devices whose values of the rule's field arrive sealed: the node can't read them, so it raises no alert for
   * them.
   */
  sealedOn: z.array(deviceId),
});
export type RuleState = z.infer<typeof ruleState>;

/** Why a message could not be sent. */
const failure = z.strictObject({
  at: timeMs,
  fault: z.enum(CHANNEL_FAULTS),
  /** For whoever looks closer, such as "HTTP 503"; without any secret. */
  detail: z.string(),
  /** Trying again is of no use until something is changed. */
  isPermanent: z.boolean(),
  /** The message was not tried again. */
  isGivenUp: z.boolean(),
});

/** A channel and how it is with it. */
export const channelState = z.strictObject({
  channel,
  /** The secrets that are set. */
  secrets: z.array(channelSecret),
  /** Messages can be read on their way beyond this network. */
  isPlainBeyondLan: z.boolean(),
  lastSuccessAt: timeMs.nullable(),
  lastFailure: failure.nullable(),
  /** Messages that wait to be sent: for the next try, or for the end of the quiet hours. */
  waiting: count,
  /** Messages beyond the bound of the hour, which will be told together. */
  held: count,
});
export type ChannelState = z.infer<typeof channelState>;

export const ALERT_METHODS = {
  /** The live ones: pending, firing, acknowledged or snoozed; the latest first. */
  alerts: { role: 'viewer', input: nothing, output: z.strictObject({ now: timeMs, alerts: z.array(alert) }) },
  /** The ones that fired and ended, the latest end first: of a device or of all, of a rule, of some, or of any. */
  alertHistory: {
    role: 'viewer',
    input: z.strictObject({
      device: deviceId.nullable(),
      rule: z.union([ruleId, z.array(ruleId).max(MAX_RULES)]).nullable(),
      /** The last alert of the page before. */
      before: z.uuid().nullable(),
      limit: z.int().min(1).max(500),
    }),
    output: z.strictObject({ alerts: z.array(alert), hasMore: z.boolean() }),
  },
  /** The owner's rules, then the built-in ones. */
  alertRules: { role: 'viewer', input: nothing, output: z.strictObject({ rules: z.array(ruleState) }) },
  /** Writes a rule again, or a new one where `id` is null. What fires by it ends where its condition is another. */
  writeAlertRule: { role: 'owner', input: z.strictObject({ rule: ruleInput }), output: rule },
  /** Deletes a rule of the owner's; what fires by it ends. */
  deleteAlertRule: { role: 'owner', input: z.strictObject({ id: z.uuid() }), output: nothing },
  /** Tells no more of a firing alert until it ends. */
  acknowledgeAlert: { role: 'owner', input: z.strictObject({ id: z.uuid() }), output: alert },
  /** Tells no more of a firing alert until then. */
  snoozeAlert: { role: 'owner', input: z.strictObject({ id: z.uuid(), until: timeMs }), output: alert },
  alertOptions: { role: 'owner', input: nothing, output: alertOptions },
  setAlertOptions: { role: 'owner', input: alertOptions, output: alertOptions },
  alertChannels: { role: 'owner', input: nothing, output: z.strictObject({ channels: z.array(channelState) }) },
  /**
   * Writes a channel again, or a new one where `id` is null. A secret that is left out stays, unless the channel now leads
   * to another server; null removes it.
   */
  writeAlertChannel: {
    role: 'owner',
    input: z
      .strictObject({
        channel: channel.extend({ id: z.uuid().nullable() }),
        secrets: z.partialRecord(channelSecret, z.string().max(1000).nullable()),
      })
      .refine(({ channel: { target }, secrets }) => areSecretsOf(target.kind, secrets), {
        error: 'no secrets of this kind of channel',
      }),
    output: channelState,
  },
  deleteAlertChannel: { role: 'owner', input: z.strictObject({ id: z.uuid() }), output: nothing },
  /** Answers the event `notice`: whether this view shows it as a notification. */
  noticeShown: { role: 'owner', input: z.strictObject({ id: z.uuid(), isShown: z.boolean() }), output: nothing },
  /** Sends a message through a channel now, once; answers with what went wrong, null where nothing did. */
  testAlertChannel: {
    role: 'owner',
    input: z.strictObject({ id: z.uuid() }),
    output: z.strictObject({ failure: failure.nullable() }),
  },
} as const satisfies Methods;

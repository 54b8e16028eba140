import { z } from 'zod';
import { alert } from '../alerts/alert.ts';
import { alertOptions, areSecretsOf, channel, channelSecret, digestSetting } from '../alerts/channel.ts';
import { CHANNEL_FAULTS } from '../alerts/faults.ts';
import { MAX_RULES, rule, ruleId, ruleInput } from '../alerts/rule.ts';
import { deviceId, timeMs } from '../owner-data/values.ts';
import type { Methods } from './method.ts';
import { count, nothing } from './values.ts';

// Methods have schemas of `zod`; these are of `zod/mini`.
const options = z.strictObject(alertOptions.shape);
const digest = z.strictObject(digestSetting.shape);

/** A rule, and the devices for which the node can't evaluate it. */
export const ruleState = z.strictObject({
  rule,
  /** The number of devices that the rule applies to. */
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
  /** A technical detail, such as "HTTP 503". It contains no secret. */
  detail: z.string(),
  /** Whether a retry is useless until the channel is changed. */
  isPermanent: z.boolean(),
  /** Whether the message was given up. */
  isGivenUp: z.boolean(),
});

/** A channel and its state. */
export const channelState = z.strictObject({
  channel,
  /** The secrets that are set. */
  secrets: z.array(channelSecret),
  /** Whether messages leave this network unencrypted. */
  isPlainBeyondLan: z.boolean(),
  lastSuccessAt: timeMs.nullable(),
  lastFailure: failure.nullable(),
  /** The number of messages that wait for the next try, or for the end of the quiet hours. */
  waiting: count,
  /** The number of messages beyond the hourly limit. They will be sent as one summary. */
  held: count,
});
export type ChannelState = z.infer<typeof channelState>;

export const ALERT_METHODS = {
  /** Returns the live alerts (pending, firing, acknowledged or snoozed), the latest first. */
  alerts: { role: 'viewer', input: nothing, output: z.strictObject({ now: timeMs, alerts: z.array(alert) }) },
  /** Returns ended alerts, the latest end first, of one device or all, and of one rule, several or all. */
  alertHistory: {
    role: 'viewer',
    input: z.strictObject({
      device: deviceId.nullable(),
      rule: z.union([ruleId, z.array(ruleId).max(MAX_RULES)]).nullable(),
      /** The last alert of the previous page. */
      before: z.uuid().nullable(),
      limit: z.int().min(1).max(500),
    }),
    output: z.strictObject({ alerts: z.array(alert), hasMore: z.boolean() }),
  },
  /** Returns the owner's rules, then the built-in ones. */
  alertRules: { role: 'viewer', input: nothing, output: z.strictObject({ rules: z.array(ruleState) }) },
  /** Replaces a rule, or adds one if `id` is null. If the condition changed, its live alerts end. */
  writeAlertRule: { role: 'owner', input: z.strictObject({ rule: ruleInput }), output: rule },
  /** Deletes one of the owner's rules. Its live alerts end. */
  deleteAlertRule: { role: 'owner', input: z.strictObject({ id: z.uuid() }), output: nothing },
  /** Acknowledges a firing alert: it sends no more messages until it ends. */
  acknowledgeAlert: { role: 'owner', input: z.strictObject({ id: z.uuid() }), output: alert },
  /** Snoozes a firing alert: it sends no messages until that time. */
  snoozeAlert: { role: 'owner', input: z.strictObject({ id: z.uuid(), until: timeMs }), output: alert },
  alertOptions: { role: 'owner', input: nothing, output: options },
  /** Replaces all options. A missing `digest` is refused: a page of an earlier version must not turn the summary off. */
  setAlertOptions: {
    role: 'owner',
    input: options.extend({ digest: digest.nullable() }),
    output: options,
  },
  alertChannels: { role: 'owner', input: nothing, output: z.strictObject({ channels: z.array(channelState) }) },
  /**
   * Replaces a channel, or adds one if `id` is null. A missing secret stays unchanged unless the channel's server or login
   * changed; null removes it.
   */
  writeAlertChannel: {
    role: 'owner',
    input: z
      .strictObject({
        channel: z.strictObject({ ...channel.shape, id: z.uuid().nullable() }),
        secrets: z.partialRecord(channelSecret, z.string().max(1000).nullable()),
      })
      .refine(({ channel: { target }, secrets }) => areSecretsOf(target.kind, secrets), {
        error: 'no secrets of this kind of channel',
      }),
    output: channelState,
  },
  deleteAlertChannel: { role: 'owner', input: z.strictObject({ id: z.uuid() }), output: nothing },
  /** Reports whether this view has shown the notification of an event `notice`. */
  noticeShown: { role: 'owner', input: z.strictObject({ id: z.uuid(), isShown: z.boolean() }), output: nothing },
  /** Sends one test message through a channel now. Returns the failure, or null on success. */
  testAlertChannel: {
    role: 'owner',
    input: z.strictObject({ id: z.uuid() }),
    output: z.strictObject({ failure: failure.nullable() }),
  },
  /** The summary message of the last day or week up to now, in words. Nothing is sent. */
  alertDigest: {
    role: 'owner',
    input: digest,
    output: z.strictObject({ title: z.string(), text: z.string(), html: z.string() }),
  },
  /** Sends that message now, once; answers with what went wrong at each channel that is on, null where nothing did. */
  sendAlertDigest: {
    role: 'owner',
    input: digest,
    output: z.strictObject({ results: z.array(z.strictObject({ channel: z.uuid(), failure: failure.nullable() })) }),
  },
} as const satisfies Methods;

import { z } from 'zod';
import { type Alert, alert } from '../../../shared/alerts/alert.ts';
import { SEVERITIES } from '../../../shared/alerts/rule.ts';
import { fieldUnitChoice } from '../../../shared/owner-data/notes.ts';
import { deviceId, timeMs } from '../../../shared/owner-data/values.ts';
import type { Language } from '../../../shared/texts/languages.ts';
import { type DigestFacts, digestFacts } from '../digest/facts.ts';

/**
 * The kinds of messages: an alert began, continues or ended; a test of a channel; a summary of messages beyond the
 * hourly limit (`summary`); and the daily or weekly summary (`digest`).
 */
export const NOTICE_KINDS = ['fired', 'repeated', 'ended', 'test', 'summary', 'digest'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

const held = z.strictObject({ count: z.int().min(1), about: z.array(z.string()) });

/** The facts of a message, without words. Each channel puts them into words when it sends them. */
export const noticeFacts = z.strictObject({
  /** The id of the message, the same for every try. */
  id: z.uuid(),
  kind: z.enum(NOTICE_KINDS),
  /** The time of the reported event, in Unix milliseconds of this node's clock. */
  at: timeMs,
  severity: z.enum(SEVERITIES),
  /** The alert at that time; null if the message is not about an alert. */
  alert: alert.nullable(),
  /** The device's name at that time and the owner's unit for its field; null if the message is not about a device. */
  device: z.strictObject({ id: deviceId, name: z.string(), unit: fieldUnitChoice.nullable() }).nullable(),
  /** The messages that a summary replaces: their number and the names of their subjects, the worst first. */
  held: held.nullable(),
  /** The facts of a daily or weekly summary. */
  digest: digestFacts.optional(),
});
export type NoticeFacts = z.infer<typeof noticeFacts>;

/** A message in words, for one channel. If the owner chose so for the channel, it has no measured numbers. */
export interface Notice {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly at: number;
  readonly severity: NoticeFacts['severity'];
  /** Has the side of the range as the owner sees it. The values as the owner sees them are in `numbers`. */
  readonly alert: Alert | null;
  readonly device: { readonly id: string; readonly name: string } | null;
  readonly held: NoticeFacts['held'];
  /** The counts of a daily or weekly summary; the rest is in its text. */
  readonly digest: ShownDigest | null;
  /** The numbers of the text, in `unit`. null if there are none, or if the channel gets no values. */
  readonly numbers: Numbers | null;
  readonly title: string;
  readonly text: string;
  /** The text as an HTML page for mail; null if there is only the text. */
  readonly html: string | null;
  readonly language: Language;
  /** Opens the alert in the owner's view; null if the owner did not set the view's address. */
  readonly link: string | null;
}

/** The part of a summary that the webhook sends in addition to the text. */
export interface ShownDigest extends Pick<DigestFacts, 'isWeekly' | 'from' | 'to'> {
  /** Whether nothing waits for the owner. */
  readonly isWell: boolean;
  /** The number of devices in each state; null if the channel gets no values. */
  readonly counts: DigestFacts['counts'] | null;
}

/** The numbers of an alert in the unit that the owner sees. */
export interface Numbers {
  readonly value: number | null;
  readonly limit: number | null;
  readonly extreme: number | null;
  /** The symbol of the unit; empty for pH. */
  readonly unit: string;
}

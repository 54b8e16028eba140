import { z } from 'zod';
import { type Alert, alert } from '../../../shared/alerts/alert.ts';
import { SEVERITIES } from '../../../shared/alerts/rule.ts';
import { fieldUnitChoice } from '../../../shared/owner-data/notes.ts';
import { deviceId, timeMs } from '../../../shared/owner-data/values.ts';
import type { Language } from '../../../shared/texts/languages.ts';
import { type DigestFacts, digestFacts } from '../digest/facts.ts';

/** The kind of a message: an alert began, goes on or ended; a channel works; there was too much for an hour; or how all is. */
export const NOTICE_KINDS = ['fired', 'repeated', 'ended', 'test', 'summary', 'digest'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

const held = z.strictObject({ count: z.int().min(1), about: z.array(z.string()) });

/** The facts of a message, without words: each channel puts them into words when it sends them. */
export const noticeFacts = z.strictObject({
  /** The id of the message: the same at every try. */
  id: z.uuid(),
  kind: z.enum(NOTICE_KINDS),
  /** When what it tells happened, Unix milliseconds of this node's clock. */
  at: timeMs,
  severity: z.enum(SEVERITIES),
  /** The alert as it was then; null of a message that is about no alert. */
  alert: alert.nullable(),
  /** The device's name at that time and the owner's unit for its field, or null if the message is about no device. */
  device: z.strictObject({ id: deviceId, name: z.string(), unit: fieldUnitChoice.nullable() }).nullable(),
  /** The messages that a summary stands for, with the names of the worst first. */
  held: held.nullable(),
  /** The facts of a daily or weekly summary. */
  digest: digestFacts.optional(),
});
export type NoticeFacts = z.infer<typeof noticeFacts>;

/** A message in words, for one channel: without any number that was measured where that is the owner's wish. */
export interface Notice {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly at: number;
  readonly severity: NoticeFacts['severity'];
  /** The side of the range as the owner sees it. `numbers` has the values, unless the channel gets none. */
  readonly alert: Alert | null;
  readonly device: { readonly id: string; readonly name: string } | null;
  readonly held: NoticeFacts['held'];
  /** The counts of a daily or weekly summary; its text has the rest. */
  readonly digest: ShownDigest | null;
  /** The numbers of the text, in `unit`. null if there are none, or if the channel gets no values. */
  readonly numbers: Numbers | null;
  readonly title: string;
  readonly text: string;
  /** The same as a page of HTML, for mail; null: there is only the text. */
  readonly html: string | null;
  readonly language: Language;
  /** Opens the alert in the owner's view; null where nobody said under which address that is reached. */
  readonly link: string | null;
}

/** The part of a summary that the webhook has beside the text. */
export interface ShownDigest extends Pick<DigestFacts, 'isWeekly' | 'from' | 'to'> {
  /** Nothing waits for the owner. */
  readonly isWell: boolean;
  /** How many devices are how; null if the channel gets no values. */
  readonly counts: DigestFacts['counts'] | null;
}

/** The numbers of an alert in the unit that the owner sees. */
export interface Numbers {
  readonly value: number | null;
  readonly limit: number | null;
  readonly extreme: number | null;
  /** As it stands after a number; empty for pH. */
  readonly unit: string;
}

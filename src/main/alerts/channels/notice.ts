import { z } from 'zod';
import { type Alert, alert } from '../../../shared/alerts/alert.ts';
import { SEVERITIES } from '../../../shared/alerts/rule.ts';
import { fieldUnitChoice } from '../../../shared/owner-data/notes.ts';
import { deviceId, timeMs } from '../../../shared/owner-data/values.ts';
import type { Language } from '../../../shared/texts/languages.ts';

/** What a message tells: an alert began, goes on, or ended; that a channel works; or what was too much for an hour. */
export const NOTICE_KINDS = ['fired', 'repeated', 'ended', 'test', 'summary'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

const held = z.strictObject({ count: z.int().min(1), about: z.array(z.string()) });

/** What a message tells, without words: they are made for each channel when it is sent. */
export const noticeFacts = z.strictObject({
  /** Of the message: the same at every try. */
  id: z.uuid(),
  kind: z.enum(NOTICE_KINDS),
  /** When what it tells happened, Unix milliseconds of this node's clock. */
  at: timeMs,
  severity: z.enum(SEVERITIES),
  /** The alert as it was then; null of a test or a summary. */
  alert: alert.nullable(),
  /** What its device was called then, and the owner's unit for its field; null: it is about none. */
  device: z.strictObject({ id: deviceId, name: z.string(), unit: fieldUnitChoice.nullable() }).nullable(),
  /** Of a summary: the messages that it stands for, the names of the worst first. */
  held: held.nullable(),
});
export type NoticeFacts = z.infer<typeof noticeFacts>;

/** A message in words, for one channel: without any number that was measured where that is the owner's wish. */
export interface Notice {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly at: number;
  readonly severity: NoticeFacts['severity'];
  /** Its side as the owner sees it, and without values where the channel gets none: `numbers` has those that are seen. */
  readonly alert: Alert | null;
  readonly device: { readonly id: string; readonly name: string } | null;
  readonly held: NoticeFacts['held'];
  /** What the text says, as numbers of `unit`; null where there is none, or the channel gets no values. */
  readonly numbers: Numbers | null;
  readonly title: string;
  readonly text: string;
  readonly language: Language;
  /** Opens the alert in the owner's view; null where nobody said under which address that is reached. */
  readonly link: string | null;
}

/** The numbers of an alert in the unit that the owner sees. */
export interface Numbers {
  readonly value: number | null;
  readonly limit: number | null;
  readonly extreme: number | null;
  /** As it stands after a number; empty for pH. */
  readonly unit: string;
}

import type { Alert } from '../alerts/alert.ts';
import type { Format } from '../format/format.ts';
import { wholeMinutes } from '../format/spans.ts';
import type { TextsOf } from '../texts/typed-keys.ts';
import { WELLNESSES, type Wellness } from './wellness.ts';

/** How it is with a device that the sentence counts; `unknown`: its node is not reached. */
export type Counted = Exclude<Wellness, 'off' | 'foreign'> | 'unknown';

/** In the order in which they are told. Devices that are switched off are not asked after. */
export const COUNTED = [
  ...WELLNESSES.filter((each) => each !== 'off' && each !== 'foreign'),
  'unknown',
] as readonly Counted[];

/** The counts and names in the sentence. */
export interface SentenceFacts {
  readonly counts: Readonly<Record<Counted, number>>;
  /** The name of the first device that needs its owner, and what is wrong with it; null: none does. */
  readonly needing: { readonly name: string; readonly what: string } | null;
  /** The name of a device that is well, said where it is the only one. */
  readonly well: string;
  /** How many tasks are due or late. */
  readonly tasksDue: number;
}

/** Whether everything is well, in one sentence, and how it is with the others; `rest` is '' if there is nothing to say of them. */
export function sentenceOf(t: TextsOf<'app'>, { counts, needing, well, tasksDue }: SentenceFacts) {
  const total = COUNTED.reduce((sum, each) => sum + counts[each], 0);
  const isAllWell = total > 0 && counts.well === total;
  const others = COUNTED.filter((each) => each !== 'needsYou' && counts[each] > 0);
  const rest = [
    ...(isAllWell ? [] : others.map((each) => t(`sentence.rest.${each}`, { count: counts[each] }))),
    ...(tasksDue === 0 ? [] : [t('sentence.tasks', { count: tasksDue })]),
  ].join(' · ');
  if (needing !== null && counts.needsYou === 1) return { text: t('sentence.one', { count: total, ...needing }), rest };
  if (counts.needsYou > 0) return { text: t('sentence.some', { needing: counts.needsYou, count: total }), rest };
  if (isAllWell) return { text: t('sentence.well', { count: total, name: well }), rest };
  return { text: t(total === 0 ? 'sentence.none' : 'sentence.nothing'), rest };
}

/** The faults of a device. */
export interface Wrong {
  /** The worst of its open alerts, if there is any. */
  readonly worst: Alert | undefined;
  /** For how long it has been silent, in milliseconds; null: it is not. */
  readonly silentMs: number | null;
  readonly clockNotSet: boolean;
}

/** Says what is wrong with a device that needs its owner: "pH 4.9", "silent for 2 h". `valueIn` writes the value of a range. */
export function whatIsWrong(
  t: TextsOf<'app'>,
  format: Format,
  { worst, silentMs, clockNotSet }: Wrong,
  valueIn: (alert: Alert, value: number) => { readonly field: string; readonly value: string },
): string {
  if (worst?.kind === 'range' && worst.value !== null) return t('sentence.value', valueIn(worst, worst.value));
  if (silentMs !== null) return t('sentence.silent', { span: format.duration(wholeMinutes(silentMs)) });
  return t(clockNotSet ? 'badge.clock' : 'sentence.alert');
}

import type { Alert } from '../alerts/alert.ts';
import type { Format } from '../format/format.ts';
import { wholeMinutes } from '../format/spans.ts';
import type { TextsOf } from '../texts/typed-keys.ts';
import { WELLNESSES, type Wellness } from './wellness.ts';

/** The wellness of a device that the sentence counts; `unknown`: its node can't be reached. */
export type Counted = Exclude<Wellness, 'off' | 'foreign'> | 'unknown';

/** In the order of the sentence. Devices that are switched off are not counted. */
export const COUNTED = [
  ...WELLNESSES.filter((each) => each !== 'off' && each !== 'foreign'),
  'unknown',
] as readonly Counted[];

/** The counts and names in the sentence. */
export interface SentenceFacts {
  readonly counts: Readonly<Record<Counted, number>>;
  /** The name of the first device that needs its owner, and its fault; null if none does. */
  readonly needing: { readonly name: string; readonly what: string } | null;
  /** The name of a device that is well, used if it is the only one. */
  readonly well: string;
  /** The number of tasks that are due or late. */
  readonly tasksDue: number;
}

/**
 * Returns whether everything is well, in one sentence, and the state of the other devices; `rest` is '' if it has
 * nothing to add.
 */
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
  /** The worst of its open alerts, if it has any. */
  readonly worst: Alert | undefined;
  /** How long it has been silent, in milliseconds; null if it is not silent. */
  readonly silentMs: number | null;
  readonly clockNotSet: boolean;
}

/**
 * Returns the fault of a device that needs its owner: "pH 4.9", "silent for 2 h". `valueIn` writes the value of a
 * range.
 */
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

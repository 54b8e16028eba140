import type { Alert } from '../../../shared/alerts/alert.ts';
import { shownSide } from '../../../shared/alerts/shown-range.ts';
import { DEVICE_NAME_LENGTH, displayText, shortId } from '../../../shared/display-text.ts';
import { outlookText } from '../../../shared/forecast/outlook-words.ts';
import { createFormat, type Format, localeFor } from '../../../shared/format/format.ts';
import { beyondTank, openedText, withMark, withUnit } from '../../../shared/format/scaled.ts';
import { type AnyField, unitChoiceOf } from '../../../shared/measures/derived.ts';
import { type FieldScale, fieldScale, PERCENT_FULL, shownBounds } from '../../../shared/measures/field-scale.ts';
import { percentOf } from '../../../shared/measures/time-in-range.ts';
import { taskText } from '../../../shared/owner-data/act-text.ts';
import { sentenceOf, whatIsWrong } from '../../../shared/wellness/sentence.ts';
import {
  type LogTexts,
  logTextsFor,
  type MessageTexts,
  messageTextsFor,
  type PageTexts,
  pageTextsFor,
} from '../../common/texts.ts';
import type { DigestFacts, DigestPlace } from '../digest/facts.ts';
import { timeWriter, type Wording } from './wording.ts';

/** The owner may choose any name for a group, so it is cut. */
const GROUP_LENGTH = 100;
const TASK_LENGTH = 200;

/** A part of a summary: a place, or lines that belong to no place. */
export interface DigestPart {
  /** The group, named before its first place; null if there is none or it is the same as before. */
  readonly group: string | null;
  readonly name: string;
  /** The state in a word; '' if the part is not a place. */
  readonly state: string;
  /** null if no rule watches it, or the owner knows what is wrong. */
  readonly isWell: boolean | null;
  readonly lines: readonly string[];
}

/** A summary in words, the source of the text and the HTML page. */
export interface DigestWords {
  readonly title: string;
  readonly sentence: string;
  /** The lines below the sentence, such as the period. */
  readonly head: readonly string[];
  readonly parts: readonly DigestPart[];
  /** Says how many places are left out; '' if there are none. */
  more(leftOut: number): string;
}

interface Speech {
  readonly t: MessageTexts;
  readonly page: PageTexts;
  readonly log: LogTexts;
  readonly locale: string;
  readonly format: Format;
  readonly time: (at: number) => string;
  readonly units: Wording['units'];
}

/** Puts a summary into words. Without values, it has only names and whether they are well. */
export function digestWords(digest: DigestFacts, wording: Wording): DigestWords {
  const { language, systemLocale, units, withoutValues } = wording;
  const locale = localeFor(language, [systemLocale]);
  const speech: Speech = {
    ...{ t: messageTextsFor(language), page: pageTextsFor(language), log: logTextsFor(language) },
    ...{ locale, format: createFormat(locale), time: timeWriter(locale, digest.zone, digest.at), units },
  };
  const { t } = speech;
  const said = withoutValues ? namesAlone(digest, speech) : withValues(digest, speech);
  const title = t(digest.isWeekly ? 'digest.weekly' : 'digest.daily', { sentence: said.sentence });
  return { ...said, title };
}

/** Returns whether nothing waits for the owner. */
export function isAllWell({ counts, alerts }: DigestFacts): boolean {
  return counts.needsYou === 0 && alerts.length === 0;
}

function namesAlone(digest: DigestFacts, { t, page }: Speech): Omit<DigestWords, 'title'> {
  const parts = inGroups(digest.places, (place) => ({
    ...{ name: nameOf(place), lines: [], isWell: isWellOf(place) },
    state: page(`wellness.${place.wellness}`),
  }));
  const node: DigestPart[] =
    digest.alerts.length === 0
      ? []
      : [{ group: null, name: t('digest.node'), state: page('wellness.needsYou'), isWell: false, lines: [] }];
  return {
    // A place that no rule watches does not count as well.
    sentence: isAllWell(digest)
      ? digest.places.length > 0 && digest.places.every(({ wellness }) => wellness === 'well')
        ? t('digest.isWell')
        : page('sentence.nothing')
      : t('digest.isNotWell'),
    ...{ head: [], parts: [...node, ...parts] },
    more: (leftOut) => (leftOut + digest.more === 0 ? '' : t('digest.others')),
  };
}

function withValues(digest: DigestFacts, speech: Speech): Omit<DigestWords, 'title'> {
  const { t, page, format, locale } = speech;
  const [first] = digest.places.filter(({ wellness }) => wellness === 'needsYou');
  const well = digest.places.find(({ wellness }) => wellness === 'well');
  const { text, rest } = sentenceOf(page, {
    counts: digest.counts,
    needing: first === undefined ? null : { name: nameOf(first), what: wrongWith(first, speech) },
    well: well === undefined ? '' : nameOf(well),
    tasksDue: digest.tasksDue,
  });
  const period = new Intl.DateTimeFormat(locale, {
    ...{ timeZone: digest.zone, dateStyle: 'medium', timeStyle: 'short' },
  });
  const done = digest.tasksDone === 0 ? '' : t('digest.done', { count: digest.tasksDone });
  const span = t('digest.period', { from: period.format(digest.from), to: period.format(digest.to) });
  const places = inGroups(digest.places, (place) => ({
    ...{ name: nameOf(place), lines: linesOf(place, speech), isWell: isWellOf(place) },
    state: page(`wellness.${place.wellness}`),
  }));
  const part = (name: string, isWell: boolean | null, lines: readonly string[]): DigestPart[] =>
    lines.length === 0 ? [] : [{ group: null, name, state: '', isWell, lines }];
  return {
    sentence: text,
    head: [span, rest, done].filter((line) => line !== ''),
    parts: [
      ...part(
        t('digest.node'),
        false,
        digest.alerts.map((alert) => alertLine(alert, null, speech)),
      ),
      ...part(t('digest.allPlaces'), null, tasksOf(digest.tasks, speech)),
      ...places,
    ],
    more: (leftOut) => {
      const count = leftOut + digest.more;
      return count === 0 ? '' : t('digest.more', { count, number: format.integer(count) });
    },
  };
}

function isWellOf({ wellness }: DigestPlace): boolean | null {
  return wellness === 'well' ? true : wellness === 'needsYou' ? false : null;
}

/** Names each group before its first place. */
function inGroups(
  places: readonly DigestPlace[],
  told: (place: DigestPlace) => Omit<DigestPart, 'group'>,
): DigestPart[] {
  return places.map((place, index) => {
    const isSame = index > 0 && places[index - 1]!.group === place.group;
    return { group: isSame || place.group === null ? null : displayText(place.group, GROUP_LENGTH), ...told(place) };
  });
}

function nameOf({ id, name }: Pick<DigestPlace, 'id' | 'name'>): string {
  return displayText(name, DEVICE_NAME_LENGTH) || shortId(id);
}

function linesOf(place: DigestPlace, speech: Speech): string[] {
  const { t, page, format } = speech;
  const { alerts, silentMs, clockNotSet, sums, sealed, outlooks } = place;
  const isTold = (kind: Alert['kind']) => alerts.some((alert) => alert.kind === kind);
  const fields = sealed.map((field) => page(`field.${scaleOf(place, field, speech).label}`)).join(', ');
  return [
    ...alerts.map((alert) => alertLine(alert, place, speech)),
    ...(silentMs !== null && !isTold('silent') ? [t('digest.silent', { span: format.duration(silentMs) })] : []),
    ...(clockNotSet ? [t('digest.clock')] : []),
    ...sums.map((each) => sumsLine(place, each, speech)),
    ...(fields === '' ? [] : [t('digest.sealed', { fields })]),
    ...outlooks.map((outlook) => outlookText(page, format, scaleOf(place, outlook.field, speech), outlook)),
    ...tasksOf(place.tasks, speech),
  ];
}

function scaleOf({ units }: Pick<DigestPlace, 'units'>, field: AnyField, { page, units: general }: Speech): FieldScale {
  const scale = fieldScale(field, unitChoiceOf(units, field), general);
  return scale.unit === PERCENT_FULL ? { ...scale, symbol: page('unit.percentFull') } : scale;
}

function valueIn(scale: FieldScale, shown: number, { page, format }: Speech): string {
  const beyond = beyondTank(scale, shown);
  const mark = beyond === null ? null : page(`value.${beyond}`);
  return withMark(withUnit(openedText(format, scale, shown), scale.symbol), mark);
}

function sumsLine(
  place: DigestPlace,
  { field, inRange, least, greatest }: DigestPlace['sums'][number],
  speech: Speech,
) {
  const { t, page, format } = speech;
  const scale = scaleOf(place, field, speech);
  const { min, max } = shownBounds(scale, least, greatest);
  const values = {
    field: page(`field.${scale.label}`),
    ...{ least: valueIn(scale, min, speech), greatest: valueIn(scale, max, speech) },
  };
  if (inRange === null) return t('digest.values', values);
  return t('digest.inRange', { ...values, share: withUnit(format.rounded(percentOf(inRange), 1), '%') });
}

/** Returns the page's words for an alert, in short: the place is named above it. */
function alertLine(alert: Alert, place: DigestPlace | null, speech: Speech): string {
  const { t, page, time } = speech;
  const { kind, field, store } = alert;
  const since = time(alert.since);
  const scale = field === null ? null : scaleOf(place ?? { units: {} }, field, speech);
  const fieldName = scale === null ? '' : page(`field.${scale.label}`);
  if (kind === 'range' && scale !== null) {
    const side = shownSide(scale, alert.side ?? 'low');
    return t(side === 'low' ? 'digest.low' : 'digest.high', { field: fieldName, since });
  }
  if (kind === 'range') return fieldName;
  if (kind === 'logBroken') return t('digest.since', { what: page(`alert.logBroken.${store ?? 'other'}`), since });
  if (kind === 'storeMissing' || kind === 'storeRefuses' || kind === 'rejected') {
    return t('digest.since', { what: page(`alert.${kind}.${store ?? 'private'}`), since });
  }
  const name = place === null ? shortId(alert.device ?? '') : nameOf(place);
  return t('digest.since', { what: page(`alert.${kind}`, { name, field: fieldName }), since });
}

function wrongWith(place: DigestPlace, speech: Speech): string {
  const { alerts, silentMs, clockNotSet } = place;
  const worst = alerts[0];
  return whatIsWrong(speech.page, speech.format, { worst, silentMs, clockNotSet }, ({ field }, value) => {
    const scale = scaleOf(place, field!, speech);
    return { field: speech.page(`field.${scale.label}`), value: valueIn(scale, scale.toShown(value), speech) };
  });
}

function tasksOf(tasks: DigestPlace['tasks'], { t, log, locale }: Speech): string[] {
  return tasks.map(({ task: { title, act }, lateDays }) => {
    const words = taskText(log, locale, { title, ...(act === undefined ? {} : { act }) });
    const task = displayText(words, TASK_LENGTH);
    return lateDays > 0 ? t('digest.late', { task, count: lateDays }) : t('digest.due', { task });
  });
}

import type { Alert } from '../../../shared/alerts/alert.ts';
import type { BuiltInKind } from '../../../shared/alerts/built-in.ts';
import { DEVICE_NAME_LENGTH, displayText, shortId } from '../../../shared/display-text.ts';
import { createFormat, type Format, localeFor } from '../../../shared/format/format.ts';
import { type MessageTexts, messageTextsFor } from '../../common/texts.ts';
import type { Notice, NoticeFacts } from '../channels/notice.ts';
import type { DigestFacts } from '../digest/facts.ts';
import { digestHtml, digestText } from './digest-forms.ts';
import { digestWords, isAllWell } from './digest-words.ts';
import { numbersOf, type ShownNumbers } from './numbers.ts';
import { timeWriter, type Wording } from './wording.ts';

interface Speech {
  readonly t: MessageTexts;
  readonly format: Format;
  readonly time: (at: number) => string;
  readonly withoutValues: boolean;
}

export function wordsOf(facts: NoticeFacts, wording: Wording): Notice {
  const { language, systemLocale, timeZone, units, withoutValues } = wording;
  const locale = localeFor(language, [systemLocale]);
  const t = messageTextsFor(language);
  const speech = { t, format: createFormat(locale), time: timeWriter(locale, timeZone, facts.at), withoutValues };
  const { device, alert, digest, ...rest } = facts;
  const named = device && { id: device.id, name: displayText(device.name, DEVICE_NAME_LENGTH) || shortId(device.id) };
  const common = { ...rest, device: named, language, link: linkTo(wording.linkBase, facts), html: null, digest: null };
  if (digest !== undefined)
    return { ...common, alert: null, numbers: null, ...digestNotice(digest, wording, common.link) };
  if (alert === null) return { ...common, alert, numbers: null, ...withoutAlert(facts, speech) };
  const numbers = numbersOf({ ...facts, alert }, units, speech.format, t);
  const { side, label, value, limit, extreme, unit } = numbers;
  const seen = { ...alert, side };
  const name = named?.name ?? t('notice.aDevice');
  return {
    ...common,
    alert: withoutValues ? { ...seen, value: null, extreme: null, limit: null } : seen,
    numbers: withoutValues ? null : { value, limit, extreme, unit },
    title: titleOf(facts, seen, label === null ? '' : t(`app:field.${label}`), name, t),
    text: textOf(facts, seen, name, numbers, speech),
  };
}

function digestNotice(
  digest: DigestFacts,
  wording: Wording,
  link: string | null,
): Pick<Notice, 'title' | 'text' | 'html' | 'digest'> {
  const words = digestWords(digest, wording);
  const { isWeekly, from, to, counts } = digest;
  return {
    title: words.title,
    text: digestText(words, wording.mostBytes),
    html: digestHtml(words, wording.language, link),
    digest: { isWeekly, from, to, isWell: isAllWell(digest), counts: wording.withoutValues ? null : counts },
  };
}

function withoutAlert({ kind, held }: NoticeFacts, { t, withoutValues }: Speech): Pick<Notice, 'title' | 'text'> {
  if (kind === 'test' || held === null) return { title: t('notice.test'), text: t('notice.testText') };
  const names = held.about.map((name) => displayText(name, DEVICE_NAME_LENGTH)).join(', ');
  const { count } = held;
  const text = withoutValues ? t('notice.summaryWithoutValues', { names }) : t('notice.summaryText', { count, names });
  return { title: t('notice.summary'), text };
}

function titleOf(
  { kind, severity }: NoticeFacts,
  alert: Alert,
  field: string,
  device: string,
  t: MessageTexts,
): string {
  const isOver = kind === 'ended' && alert.ended !== 'back';
  const form = kind === 'repeated' ? 'still' : kind === 'ended' && !isOver ? 'back' : 'new';
  const title = subject(alert, form, { device, field }, t);
  if (isOver) return t('notice.over', { title });
  return severity === 'critical' && kind !== 'ended' ? t('notice.critical', { title }) : title;
}

function subject(
  { kind, side }: Alert,
  form: 'new' | 'still' | 'back',
  values: Readonly<Record<'device' | 'field', string>>,
  t: MessageTexts,
): string {
  if (kind === 'range') {
    if (form === 'back') return t('notice.rangeBack', values);
    if (form === 'still') return side === 'low' ? t('notice.stillLow', values) : t('notice.stillHigh', values);
    return side === 'low' ? t('notice.low', values) : t('notice.high', values);
  }
  if (form === 'still') return t(`notice.${kind}Still`, values);
  return form === 'back' ? t(`notice.${kind}Back`, values) : t(`notice.${kind}`, values);
}

function textOf(facts: NoticeFacts, alert: Alert, device: string, numbers: ShownNumbers, speech: Speech): string {
  const { t, withoutValues } = speech;
  const rule = alert.name === '' ? '' : t('notice.rule', { name: displayText(alert.name, 100) });
  const why = facts.kind === 'ended' ? endingOf(alert, t) : '';
  const told = withoutValues ? t('notice.withoutValues') : toldOf(facts, alert, device, numbers, speech);
  return [why, told, rule].filter((part) => part !== '').join('\n');
}

function endingOf({ ended }: Alert, t: MessageTexts): string {
  switch (ended) {
    case 'rule_changed':
      return t('notice.ruleChanged');
    case 'rule_off':
      return t('notice.ruleOff');
    case 'forgotten':
      return t('notice.forgotten');
    case 'hidden':
      return t('notice.hidden');
    default:
      return '';
  }
}

function toldOf(
  { kind, at }: NoticeFacts,
  alert: Alert,
  device: string,
  { value, limit, extreme, write }: ShownNumbers,
  { t, format, time }: Speech,
): string {
  const until = alert.endedAt ?? at;
  const span = { since: time(alert.since), until: time(until), duration: format.duration(until - alert.since) };
  const values = { ...span, device, value: write(value), limit: write(limit), extreme: write(extreme) };
  if (alert.kind !== 'range') return kind === 'ended' ? t('notice.lasted', values) : builtInText(alert.kind, values, t);
  if (kind === 'ended') return t('notice.rangeBackText', values);
  if (kind === 'repeated') return t('notice.stillText', values);
  const text = alert.side === 'low' ? t('notice.lowText', values) : t('notice.highText', values);
  return extreme === value ? text : `${text} ${t('notice.worst', values)}`;
}

function builtInText(
  kind: BuiltInKind,
  values: Readonly<Record<'device' | 'since' | 'value', string>>,
  t: MessageTexts,
) {
  return t(`notice.${kind}Text`, values);
}

/** Returns the link to the view, which uses the part after `#` as the page. */
function linkTo(base: string | null, { alert, kind }: Pick<NoticeFacts, 'alert' | 'kind'>): string | null {
  const url = base === null ? null : URL.parse(base);
  if (url === null) return null;
  url.hash = kind === 'digest' ? '/' : alert === null ? '/alerts' : `/alerts/${alert.id}`;
  return url.href;
}

import type { Format } from '../format/format.ts';
import { withUnit } from '../format/scaled.ts';
import { type FieldScale, PERCENT_FULL } from '../measures/field-scale.ts';
import type { TextsOf } from '../texts/typed-keys.ts';
import type { Outlook } from './outlook.ts';

/** A forecast of fewer days than this is given in hours. */
const IN_HOURS = 2;

/** Returns a forecast in one sentence: "Water falls 3 % a day: empty in 4 to 6 days." */
export function outlookText(t: TextsOf<'app'>, format: Format, scale: FieldScale, outlook: Outlook): string {
  const { perDay, what } = outlook;
  const size = Math.abs(perDay);
  const digits = size >= 10 ? 0 : size >= 1 ? 1 : 2;
  const words = {
    field: t(`fieldShort.${scale.label}`),
    rate: withUnit(format.rounded(size, digits), scale.unit === PERCENT_FULL ? '%' : scale.symbol),
    what: t(`outlook.${what}`, { span: spanText(t, format, outlook) }),
  };
  return t(perDay < 0 ? 'outlook.falls' : 'outlook.rises', words);
}

function spanText(t: TextsOf<'app'>, format: Format, { left: { from, to } }: Outlook): string {
  const isSoon = from < IN_HOURS;
  const [a, b] = [from, to].map((days) => Math.max(1, Math.round(isSoon ? days * 24 : days))) as [number, number];
  if (a === b) return t(isSoon ? 'outlook.aboutHours' : 'outlook.aboutDays', { count: a });
  return t(isSoon ? 'outlook.hours' : 'outlook.days', { from: format.integer(a), to: format.integer(b) });
}

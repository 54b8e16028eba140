import { localeFor } from '../../format.ts';
import { useTranslation } from '../../i18n/use-translation.ts';

/** The BCP 47 tag that dates and numbers are written in, for what formats by itself (the ticks of charts). */
export function useLocale(): string {
  const { language } = useTranslation('device');
  return localeFor(language, navigator.languages);
}

const makers = new Map<string, (ms: number) => string>();

/** Day and time to the second without a year that is this one, so that a table's column stays narrow. */
export function useShortTime(): (ms: number) => string {
  const locale = useLocale();
  let maker = makers.get(locale);
  if (maker === undefined) {
    maker = createShortTime(locale);
    makers.set(locale, maker);
  }
  return maker;
}

/** Whether a time is written with its year. */
export function isOfAnotherYear(ms: number): boolean {
  return new Date(ms).getFullYear() !== new Date().getFullYear();
}

function createShortTime(locale: string): (ms: number) => string {
  const time = { hour: 'numeric', minute: '2-digit', second: '2-digit' } as const;
  const thisYear = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', ...time });
  const another = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'short', day: 'numeric', ...time });
  return (ms) => (isOfAnotherYear(ms) ? another : thisYear).format(ms);
}

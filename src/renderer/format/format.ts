import { useMemo } from 'react';
import { createFormat, type Format, localeFor } from '../../shared/format/format.ts';
import { useLanguage } from '../texts/language.ts';

const formats = new Map<string, Format>();

/** Returns the locale of the chosen language, a BCP 47 tag for `Intl`. */
export function useLocale(): string {
  const language = useLanguage();
  return useMemo(() => localeFor(language, navigator.languages), [language]);
}

/** Returns the formatter of the chosen language. */
export function useFormat(): Format {
  const locale = useLocale();
  let format = formats.get(locale);
  if (format === undefined) {
    format = createFormat(locale);
    formats.set(locale, format);
  }
  return format;
}

import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Language } from '../../shared/texts/languages.ts';
import { setLanguage } from './setup.ts';

/** Returns the displayed language. */
export function useLanguage(): Language {
  return useTranslation('app').i18n.language as Language;
}

/**
 * Returns a function that changes the language. `hasFailed`: the texts of the last choice could not be loaded, so the
 * language is unchanged.
 */
export function useLanguageChoice(): { choose: (language: Language) => void; hasFailed: boolean } {
  const [hasFailed, setHasFailed] = useState(false);
  const choose = (language: Language): void => {
    setHasFailed(false);
    setLanguage(language).catch(() => setHasFailed(true));
  };
  return { choose, hasFailed };
}

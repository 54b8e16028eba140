import { useState } from 'react';
import type { Language } from './languages.ts';
import { setLanguage } from './setup.ts';

/** Changes the language; `hasFailed` while the last choice could not be had and all stays as it was. */
export function useLanguageChoice(): { choose: (language: Language) => void; hasFailed: boolean } {
  const [hasFailed, setHasFailed] = useState(false);
  const choose = (language: Language): void => {
    setHasFailed(false);
    setLanguage(language).catch(() => setHasFailed(true));
  };
  return { choose, hasFailed };
}

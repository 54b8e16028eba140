import { useSyncExternalStore } from 'react';
import type { Language } from './languages.ts';
import { currentLanguage, onLanguageChange, requireTexts, textsOf } from './texts.ts';
import type { Translate } from './translate.ts';

/** The texts of a namespace and the language that they are in. Suspends until they are there. */
export function useTranslation(namespace: string): { readonly t: Translate; readonly language: Language } {
  const language = useSyncExternalStore(onLanguageChange, currentLanguage);
  requireTexts(namespace, language);
  return { t: textsOf(namespace), language };
}

import type { Language } from '../../../../shared/crypto/languages.ts';

/** The word lists by the names that their languages call themselves, in the order of the firmware. */
export const PHRASE_LANGUAGES = {
  english: 'English',
  portuguese: 'Português',
  spanish: 'Español',
  japanese: '日本語',
  chinese: '简体中文',
} as const satisfies Record<Language, string>;

/** BCP 47 tags, so that a screen reader and the fonts take the words for what they are. */
export const LANGUAGE_TAGS = {
  english: 'en',
  portuguese: 'pt',
  spanish: 'es',
  japanese: 'ja',
  chinese: 'zh-Hans',
} as const satisfies Record<Language, string>;

/** The word list for whoever reads the interface in this language. */
export function languageFor(interfaceLanguage: string): Language {
  if (interfaceLanguage.startsWith('pt')) return 'portuguese';
  return interfaceLanguage.startsWith('es') ? 'spanish' : 'english';
}

import type { Language } from '../../../shared/crypto/phrase/languages.ts';

/** The names of the word lists' languages in the languages themselves, in the order of the firmware. */
export const PHRASE_LANGUAGES = {
  english: 'English',
  portuguese: 'Português',
  spanish: 'Español',
  japanese: '日本語',
  chinese: '简体中文',
} as const satisfies Record<Language, string>;

/** BCP 47 tags, for screen readers and fonts. */
export const LANGUAGE_TAGS = {
  english: 'en',
  portuguese: 'pt',
  spanish: 'es',
  japanese: 'ja',
  chinese: 'zh-Hans',
} as const satisfies Record<Language, string>;

/** Returns the word list to suggest for a language of the interface. */
export function languageFor(interfaceLanguage: string): Language {
  if (interfaceLanguage.startsWith('pt')) return 'portuguese';
  return interfaceLanguage.startsWith('es') ? 'spanish' : 'english';
}

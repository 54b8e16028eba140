import { createInstance, type i18n } from 'i18next';
import { DESKTOP_TEXTS } from '../../shared/texts/desktop.ts';
import audit from '../../shared/texts/en/audit.json' with { type: 'json' };
import { LANGUAGES, type Language } from '../../shared/texts/languages.ts';
import { MESSAGE_TEXTS } from '../../shared/texts/messages.ts';
import type { TextsOf } from '../../shared/texts/typed-keys.ts';

export type DesktopTexts = TextsOf<'desktop'>;
export type MessageTexts = TextsOf<['alerts', 'app']>;
export type PageTexts = TextsOf<'app'>;
export type LogTexts = TextsOf<['journal', 'app']>;

const languages = Object.keys(LANGUAGES) as Language[];
let catalogue: i18n | null = null;

/** Returns the catalogue, which is made at the first call. */
function texts(): i18n {
  if (catalogue !== null) return catalogue;
  catalogue = createInstance({
    resources: Object.fromEntries(
      languages.map((language) => [language, { desktop: DESKTOP_TEXTS[language], audit, ...MESSAGE_TEXTS[language] }]),
    ),
    fallbackLng: false,
    // Inserted values are shown as text, never as HTML.
    interpolation: { escapeValue: false },
  });
  void catalogue.init();
  return catalogue;
}

/** Returns the texts, in a language, that the node shows outside the page. */
export function textsFor(language: Language): DesktopTexts {
  return texts().getFixedT(language, 'desktop');
}

/** Returns the texts of the audit log in English, the only language of the command line. */
export function auditTexts(): TextsOf<'audit'> {
  return texts().getFixedT('en', 'audit');
}

/** Returns those texts of the page, in a language, that messages say too. */
export function pageTextsFor(language: Language): PageTexts {
  return texts().getFixedT(language, 'app');
}

/** Returns the texts, in a language, of what is done and to be done. */
export function logTextsFor(language: Language): LogTexts {
  return texts().getFixedT(language, ['journal', 'app']);
}

/** Returns the texts, in a language, of the messages that the node sends. */
export function messageTextsFor(language: Language): MessageTexts {
  return texts().getFixedT(language, ['alerts', 'app']);
}

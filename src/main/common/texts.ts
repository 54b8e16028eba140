import { createInstance } from 'i18next';
import { DESKTOP_TEXTS } from '../../shared/texts/desktop.ts';
import type { Language } from '../../shared/texts/languages.ts';
import type { TextsOf } from '../../shared/texts/typed-keys.ts';

export type DesktopTexts = TextsOf<'desktop'>;

const catalogue = createInstance({
  resources: Object.fromEntries(Object.entries(DESKTOP_TEXTS).map(([language, desktop]) => [language, { desktop }])),
  fallbackLng: false,
  // What is filled in is shown as text, never as HTML.
  interpolation: { escapeValue: false },
});
void catalogue.init();

/** The texts in a language of what the node shows or sends outside the page. */
export function textsFor(language: Language): DesktopTexts {
  return catalogue.getFixedT(language, 'desktop');
}

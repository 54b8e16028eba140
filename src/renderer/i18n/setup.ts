import { type KeptView, keepInApp } from '../api/keep-in-app.ts';
import { chooseLanguage, type Language } from './languages.ts';
import { changeLanguage, currentLanguage } from './texts.ts';

const STORAGE_KEY = 'wellhouse.language';

/**
 * Shows the kept or the preferred language, or English where that can't be had, and waits for the shell's own texts.
 * `ofApp`: what the desktop app's settings say, which this origin's own choice gives way to. Rejects with ApiError where
 * there are no texts at all.
 */
export async function startI18n(ofApp: Pick<KeptView, 'language'> | null): Promise<void> {
  const kept = ofApp === null ? localStorage.getItem(STORAGE_KEY) : ofApp.language;
  const language = chooseLanguage([...(kept === null ? [] : [kept]), ...navigator.languages]);
  await changeLanguage(language).catch(() => changeLanguage('en'));
}

/** Changes the language and keeps the choice. Rejects with ApiError where its texts can't be had: all stays as it was. */
export async function setLanguage(language: Language): Promise<void> {
  await changeLanguage(language);
  if (currentLanguage() !== language) return;
  localStorage.setItem(STORAGE_KEY, language);
  keepInApp({ language });
}

import { type KeptView, keepInApp } from '../api/keep-in-app.ts';
import { chooseLanguage, type Language } from './languages.ts';
import { changeLanguage } from './texts.ts';

const STORAGE_KEY = 'wellhouse.language';

/**
 * Shows the kept or the preferred language, and waits for the shell's own texts. `ofApp`: what the desktop app's settings
 * say, which this origin's own choice gives way to.
 */
export async function startI18n(ofApp: Pick<KeptView, 'language'> | null): Promise<void> {
  const kept = ofApp === null ? localStorage.getItem(STORAGE_KEY) : ofApp.language;
  await changeLanguage(chooseLanguage([...(kept === null ? [] : [kept]), ...navigator.languages]));
}

/** Changes the language and keeps the choice. */
export async function setLanguage(language: Language): Promise<void> {
  localStorage.setItem(STORAGE_KEY, language);
  keepInApp({ language });
  // Without its texts the page is loaded anew, and then in the language that was chosen.
  await changeLanguage(language).catch(() => {});
}

import { keepInApp } from '../api/keep-in-app.ts';
import { chooseLanguage, type Language } from './languages.ts';
import { changeLanguage } from './texts.ts';

const STORAGE_KEY = 'wellhouse.language';

/** Shows the kept or the preferred language, and waits for the shell's own texts. */
export async function startI18n(): Promise<void> {
  const kept = localStorage.getItem(STORAGE_KEY);
  await changeLanguage(chooseLanguage([...(kept === null ? [] : [kept]), ...navigator.languages]));
}

/** Changes the language and keeps the choice. */
export async function setLanguage(language: Language): Promise<void> {
  localStorage.setItem(STORAGE_KEY, language);
  keepInApp({ language });
  // Without its texts the page is loaded anew, and then in the language that was chosen.
  await changeLanguage(language).catch(() => {});
}

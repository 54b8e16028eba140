import i18n, { type BackendModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { type KeptView, keepInApp } from '../api/keep-in-app.ts';

/** The languages of the interface, by the name that each calls itself. */
export const LANGUAGES = { en: 'English', 'pt-BR': 'Português (Brasil)', es: 'Español' } as const;
export type Language = keyof typeof LANGUAGES;

const STORAGE_KEY = 'wellhouse.language';

/** The language for a list of preferred BCP 47 tags: the first that we speak in any variant, else English. */
export function chooseLanguage(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const spoken = tag.split('-')[0]?.toLowerCase();
    const found = (Object.keys(LANGUAGES) as Language[]).find((language) => language.split('-')[0] === spoken);
    if (found !== undefined) return found;
  }
  return 'en';
}

// A catalogue is a file of its own, loaded when its namespace is first used in a language.
const catalogues = import.meta.glob<{ default: Record<string, unknown> }>('./*.*.json');

const backend: BackendModule = {
  type: 'backend',
  init: () => {},
  read: (language, namespace, callback) => {
    const load = catalogues[`./${namespace}.${language}.json`];
    if (load === undefined) {
      callback(new Error(`no catalogue ${namespace}.${language}`), null);
      return;
    }
    load().then(
      (module) => callback(null, module.default),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  },
};

/**
 * Starts i18next in the kept or the preferred language and waits for the shell's own texts. `ofApp`: what the desktop app's
 * settings say, which this origin's own choice gives way to.
 */
export async function startI18n(ofApp: Pick<KeptView, 'language'> | null): Promise<void> {
  i18n.on('languageChanged', (language) => {
    document.documentElement.lang = language;
  });
  const kept = ofApp === null ? localStorage.getItem(STORAGE_KEY) : ofApp.language;
  await i18n
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: chooseLanguage([...(kept === null ? [] : [kept]), ...navigator.languages]),
      // A test finds keys that a language lacks, so there is nothing to fall back to.
      fallbackLng: false,
      ns: ['app'],
      defaultNS: 'app',
      load: 'currentOnly',
      // React escapes; doing it twice would show `&amp;`.
      interpolation: { escapeValue: false },
    });
}

/** Changes the language and keeps the choice. */
export async function setLanguage(language: Language): Promise<void> {
  localStorage.setItem(STORAGE_KEY, language);
  keepInApp({ language });
  await i18n.changeLanguage(language);
}

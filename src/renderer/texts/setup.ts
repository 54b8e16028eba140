import i18next, { type BackendModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { chooseLanguage, type Language } from '../../shared/texts/languages.ts';
import type {} from '../../shared/texts/typed-keys.ts';
import { ApiError } from '../api/errors.ts';
import { type KeptView, keepInApp } from '../api/keep-in-app.ts';

const STORAGE_KEY = 'wellhouse.language';

// Each namespace in each language is a separate file, fetched when it is first shown. The files are not modules: a
// browser may remember a module that failed to load until the page is reloaded.
const addresses = import.meta.glob<string>(['../../shared/texts/*/*.json', '!../../shared/texts/*/desktop.json'], {
  eager: true,
  import: 'default',
  query: '?url&no-inline',
});

const backend: BackendModule = {
  type: 'backend',
  callbackApi: false,
  init: () => {},
  async read(language: string, namespace: string) {
    const response = await fetch(addresses[`../../shared/texts/${language}/${namespace}.json`]!).catch(() => null);
    if (response?.ok !== true) throw notLoaded(language, namespace);
    return response.json();
  },
};

function notLoaded(language: string, namespaces: string): ApiError {
  return new ApiError('disconnected', `no texts ${namespaces} in ${language}`);
}

/** Returns the namespaces that have been used in any language and are not loaded in this one. */
function missing(language: string): string[] {
  const used = i18next.options.ns as readonly string[];
  return used.filter((namespace) => !i18next.hasResourceBundle(language, namespace));
}

async function loadMissing(language: string): Promise<void> {
  // The page may use more namespaces while some load.
  for (let next = missing(language); next.length > 0; next = missing(language)) {
    // Not `loadNamespaces`, which never retries what has failed.
    await i18next.reloadResources([language], next);
    const failed = next.filter((namespace) => !i18next.hasResourceBundle(language, namespace));
    if (failed.length > 0) throw notLoaded(language, failed.join());
  }
}

let wanted: Language;

/**
 * Changes the language after its texts have loaded, unless another one was chosen meanwhile. Rejects if they can't be
 * loaded.
 */
async function changeLanguage(language: Language): Promise<void> {
  wanted = language;
  await loadMissing(language);
  if (wanted === language) await i18next.changeLanguage(language);
}

/**
 * Starts with the kept or the preferred language, or with English if its texts can't be loaded. `ofApp` is the desktop
 * app's setting, which overrides the language kept for this origin. Rejects with ApiError if no texts can be loaded.
 */
export async function startI18n(ofApp: Pick<KeptView, 'language'> | null): Promise<void> {
  const kept = ofApp === null ? localStorage.getItem(STORAGE_KEY) : ofApp.language;
  const language = chooseLanguage([...(kept === null ? [] : [kept]), ...navigator.languages]);
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: language,
      // Loads only "pt-BR", not "pt" too.
      load: 'currentOnly',
      fallbackLng: false,
      ns: ['app'],
      initAsync: false,
      // React escapes interpolated values.
      interpolation: { escapeValue: false },
      // Keys are checked by the compiler, so a missing text was not loaded. The error boundary of the page catches
      // this.
      parseMissingKeyHandler: (key) => {
        if (missing(i18next.language).length > 0) throw notLoaded(i18next.language, `with ${key}`);
        return key;
      },
    });
  if (missing(language).length > 0) await changeLanguage('en');
  document.documentElement.lang = i18next.language;
  i18next.on('languageChanged', (changed) => {
    document.documentElement.lang = changed;
  });
  i18next.on('failedLoading', (failed) => {
    // Handled like a failed module: the page is reloaded.
    if (failed === i18next.language) window.dispatchEvent(new Event('vite:preloadError'));
  });
}

/**
 * Changes the language and keeps the choice. Rejects with ApiError if its texts can't be loaded; then nothing changes.
 */
export async function setLanguage(language: Language): Promise<void> {
  await changeLanguage(language);
  if (i18next.language !== language) return;
  localStorage.setItem(STORAGE_KEY, language);
  keepInApp({ language });
}

/** Retries to load the missing texts of the current language. Never rejects. */
export async function retryTexts(): Promise<void> {
  await loadMissing(i18next.language).catch(() => {});
}

import { ApiError } from '../api/errors.ts';
import type { Language } from './languages.ts';
import { type Catalogue, type Translate, translator } from './translate.ts';

// A catalogue is a file of its own, and data rather than a program: it is fetched when its namespace is first used in a
// language, and a reader of one language never has the others.
const addresses = import.meta.glob<string>('./*.*.json', { eager: true, import: 'default', query: '?url&no-inline' });

const catalogues = new Map<string, Catalogue>();
const loading = new Map<string, Promise<void>>();
const failures = new Map<string, { readonly error: unknown }>();
const translators = new Map<string, Translate>();
const listeners = new Set<() => void>();
let chosen: Language = 'en';
/** What was asked for last: of two choices the later one holds, whichever's texts come first. */
let wanted: Language = 'en';

/** The language that is shown. */
export function currentLanguage(): Language {
  return chosen;
}

/** Tells of every change of the language. Returns what ends that. */
export function onLanguageChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

async function load(name: string): Promise<void> {
  // What can't be fetched was not answered by the node, whatever the browser calls that.
  const response = await fetch(addresses[`./${name}.json`]!).catch(() => null);
  if (response?.ok !== true)
    throw new ApiError('disconnected', `no texts ${name} (${response?.status ?? 'no answer'})`);
  catalogues.set(name, (await response.json()) as Catalogue);
}

/** Resolves when a namespace can be shown in a language; undefined where it can already. A failed load is tried anew. */
function loadTexts(namespace: string, language: Language): Promise<void> | undefined {
  const name = `${namespace}.${language}`;
  if (catalogues.has(name)) return undefined;
  let pending = loading.get(name);
  if (pending === undefined) {
    pending = load(name).finally(() => loading.delete(name));
    loading.set(name, pending);
  }
  return pending;
}

/** Loads texts before they are shown. Never rejects: what shows them finds out for itself. */
export async function preloadTexts(...namespaces: readonly string[]): Promise<void> {
  await Promise.allSettled(namespaces.map((namespace) => loadTexts(namespace, chosen)));
}

/**
 * For a rendering that shows a namespace: throws what it has to wait for, or why the texts can't be had. Not React's
 * `use`, which may not be left out when the rendering is taken up again with the texts there.
 */
export function requireTexts(namespace: string, language: Language): void {
  const name = `${namespace}.${language}`;
  if (catalogues.has(name)) return;
  const failure = failures.get(name);
  if (failure !== undefined) throw failure.error;
  throw loadTexts(namespace, language)?.catch((error: unknown) => {
    failures.set(name, { error });
    // As when a part of the program could not be had, and for the same reasons: the page is loaded anew.
    window.dispatchEvent(new Event('vite:preloadError'));
  });
}

/** Lets what failed be tried again, by a rendering that the owner asks for. */
export function forgetFailures(): void {
  failures.clear();
}

/** The texts of a namespace in the language that is shown: the same function each time, until the language changes. */
export function textsOf(namespace: string): Translate {
  const language = chosen;
  const name = `${namespace}.${language}`;
  let translate = translators.get(name);
  if (translate === undefined) {
    translate = translator(language, namespace, (each) => catalogues.get(`${each}.${language}`));
    translators.set(name, translate);
  }
  return translate;
}

/**
 * Shows a language as soon as all that has been shown so far is there in it, unless another was wanted meanwhile. Rejects
 * with ApiError where it can't be had; then nothing has changed.
 */
export async function changeLanguage(language: Language): Promise<void> {
  wanted = language;
  const used = new Set(['app', ...[...catalogues.keys()].map((name) => name.split('.')[0]!)]);
  await Promise.all([...used].map((namespace) => loadTexts(namespace, language)));
  if (wanted !== language) return;
  chosen = language;
  document.documentElement.lang = language;
  for (const listener of listeners) listener();
}

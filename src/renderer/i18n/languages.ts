/** The languages of the interface, by the name that each calls itself. */
export const LANGUAGES = { en: 'English', 'pt-BR': 'Português (Brasil)', es: 'Español' } as const;
export type Language = keyof typeof LANGUAGES;

/** The language for a list of preferred BCP 47 tags: the first that we speak in any variant, else English. */
export function chooseLanguage(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const spoken = tag.split('-')[0]?.toLowerCase();
    const found = (Object.keys(LANGUAGES) as Language[]).find((language) => language.split('-')[0] === spoken);
    if (found !== undefined) return found;
  }
  return 'en';
}

/** The languages of the interface, each with its own name. */
export const LANGUAGES = { en: 'English', 'pt-BR': 'Português (Brasil)', es: 'Español' } as const;
export type Language = keyof typeof LANGUAGES;

/** Returns the language of the first preferred BCP 47 tag that the interface has in any variant, else English. */
export function chooseLanguage(preferred: readonly string[]): Language {
  const base = (tag: string): string => tag.split('-')[0]!.toLowerCase();
  for (const tag of preferred) {
    const found = (Object.keys(LANGUAGES) as Language[]).find((language) => base(language) === base(tag));
    if (found !== undefined) return found;
  }
  return 'en';
}

import { en, type Texts } from './en.ts';
import { es } from './es.ts';
import { ptBr } from './pt-br.ts';

export type { Texts } from './en.ts';
export type Language = 'en' | 'pt-BR' | 'es';

const TEXTS: Readonly<Record<Language, Texts>> = { en, 'pt-BR': ptBr, es };

/** The language that the owner chose, else the first of the system's that there is, else English. */
export function languageFor(chosen: Language | null, system: readonly string[]): Language {
  if (chosen !== null) return chosen;
  for (const name of system) {
    const base = name.toLowerCase().split('-')[0];
    if (base === 'pt') return 'pt-BR';
    if (base === 'en' || base === 'es') return base;
  }
  return 'en';
}

/** The texts of a language. */
export const textsFor = (language: Language): Texts => TEXTS[language];

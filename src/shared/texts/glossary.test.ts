import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

// One word for one thing: each English term has one word in the other languages, and that word stands for nothing else.

interface Term {
  readonly english: RegExp;
  readonly es: RegExp;
  readonly 'pt-BR': RegExp;
}

const TERMS: Readonly<Record<string, Term>> = {
  gate: { english: /\bgates?\b/i, es: /\bport[oó]n(es)?(?!\p{L})/iu, 'pt-BR': /(?<!\p{L})port(ão|ões)(?!\p{L})/iu },
  door: { english: /\bdoors?\b/i, es: /\bpuertas?\b/i, 'pt-BR': /\bportarias?\b/i },
  port: { english: /\bports?\b/i, es: /\bpuertos?\b/i, 'pt-BR': /\bportas?\b/i },
  'private or public store': {
    english: /\b(private|public) stores?\b/i,
    es: /\balmac[eé]n(es)?(?!\p{L})/iu,
    'pt-BR': /\bbancos?\b/i,
  },
};

const FORBIDDEN = {
  es: [/puerta de entrada/i, /\(EC\)/],
  'pt-BR': [/armazenamento (privado|público)/i, /armazenamentos/i, /\(EC\)/, /cópias? de segurança/i],
} as const;

/** Phrases that confused readers. */
const ODD: Readonly<Record<string, readonly RegExp[]>> = {
  en: [
    ...[/\bfires?( there)?$/, /turned away/, /come this way/, /is at fault/, /what it allows/],
    ...[
      /\bhas not enough\b/,
      /\ball of it\b/i,
      /\bare told\b/,
      /\balone\b/,
      /\bthe one before\b/,
      /\banew\b/,
      /\bof late\b/,
    ],
  ],
  es: [/\bdispara/],
  'pt-BR': [/\bdispara(m|dos?)?\b/],
};

const FOLDER = import.meta.dirname;

function textsOf(language: string): Map<string, string> {
  const texts = new Map<string, string>();
  const add = (at: string, value: unknown): void => {
    if (typeof value === 'string') texts.set(at, value);
    else for (const [key, each] of Object.entries(value as object)) add(`${at}.${key}`, each);
  };
  for (const file of readdirSync(join(FOLDER, language))) {
    add(file, JSON.parse(readFileSync(join(FOLDER, language, file), 'utf8')));
  }
  return texts;
}

it.each(['es', 'pt-BR'] as const)('%s uses one word for one thing', (language) => {
  const [english, texts] = [textsOf('en'), textsOf(language)];
  const wrong: string[] = [];
  for (const [at, text] of texts) {
    // Plural forms that English lacks are compared with `other`.
    const original = english.get(at) ?? english.get(at.replace(/_many$/, '_other'));
    if (original === undefined) continue;
    for (const [name, term] of Object.entries(TERMS)) {
      const means = name.includes('store') ? /\bstores?\b/i : term.english;
      if (term.english.test(original) && !term[language].test(text)) wrong.push(`${at}: no word for ${name}: ${text}`);
      if (term[language].test(text) && !means.test(original)) wrong.push(`${at}: the word for ${name}: ${text}`);
    }
    for (const forbidden of FORBIDDEN[language]) {
      if (forbidden.test(text)) wrong.push(`${at}: ${forbidden}: ${text}`);
    }
  }
  expect(wrong).toEqual([]);
});

it.each(Object.keys(ODD))('%s has no odd phrase of before', (language) => {
  const odd = [...textsOf(language)].filter(([, text]) => ODD[language]!.some((phrase) => phrase.test(text)));
  expect(odd).toEqual([]);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseLanguage, LANGUAGES } from './languages.ts';

const HERE = import.meta.dirname;
const SOURCES = join(HERE, '..', '..');
const PLURAL = /_(zero|one|two|few|many|other)$/;

type Catalogue = ReadonlyMap<string, string>;

function catalogue(namespace: string, language: string): Catalogue {
  const texts = new Map<string, string>();
  const walk = (value: unknown, path: string): void => {
    if (typeof value === 'string') texts.set(path, value);
    else for (const [key, inner] of Object.entries(value as object)) walk(inner, path === '' ? key : `${path}.${key}`);
  };
  walk(JSON.parse(readFileSync(join(HERE, language, `${namespace}.json`), 'utf8')), '');
  return texts;
}

/** Returns the keys without their plural endings. */
const stems = (texts: Catalogue): string[] =>
  [...new Set([...texts.keys()].map((key) => key.replace(PLURAL, '')))].sort();

const placeholders = (text: string): string[] => [...new Set(text.match(/\{\{.*?\}\}/g) ?? [])].sort();

/** Returns the keys that the sources may use: every quoted text, with a wildcard for the values of a template. */
function quotedTexts(): RegExp[] {
  const texts = new Set<string>();
  for (const name of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(name) || name.includes('.test.') || name.includes('texts')) continue;
    const source = readFileSync(join(SOURCES, name), 'utf8');
    for (const [, text] of source.matchAll(/['`](?:\w+:)?(\w(?:\w|\.|\$\{[^{}]*\})+)['`]/g)) texts.add(text!);
  }
  return [...texts].map(
    (text) => new RegExp(`^${text.replaceAll('.', String.raw`\.`).replaceAll(/\$\{[^{}]*\}/g, String.raw`\w+`)}$`),
  );
}

const namespaces = readdirSync(join(HERE, 'en')).map((name) => name.replace('.json', ''));
const languages = Object.keys(LANGUAGES);
const asked = quotedTexts();

describe.each(namespaces)('catalogue %s', (namespace) => {
  const english = catalogue(namespace, 'en');

  it.each(languages)('is complete in %s', (language) => {
    const texts = catalogue(namespace, language);
    expect(stems(texts)).toEqual(stems(english));
    for (const [key, text] of texts) expect(text.trim(), key).not.toBe('');
  });

  it.each(languages)('has every plural that %s asks for', (language) => {
    const texts = catalogue(namespace, language);
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    for (const key of texts.keys()) {
      if (!PLURAL.test(key)) continue;
      const stem = key.replace(PLURAL, '');
      for (const category of categories) expect([...texts.keys()]).toContain(`${stem}_${category}`);
    }
  });

  it.each(languages)('uses the same values in %s as in English', (language) => {
    for (const [key, text] of catalogue(namespace, language)) {
      // A singular may lack the number.
      if (key.endsWith('_one')) continue;
      const original = english.get(key) ?? english.get(key.replace(PLURAL, '_other'))!;
      expect(placeholders(text), key).toEqual(placeholders(original));
    }
  });

  it('has no unused text', () => {
    expect(stems(english).filter((key) => !asked.some((text) => text.test(key)))).toEqual([]);
  });
});

describe('chooseLanguage', () => {
  it('chooses the first preferred language that exists, in any variant', () => {
    expect(chooseLanguage(['de', 'pt-PT', 'en'])).toBe('pt-BR');
    expect(chooseLanguage(['es-419'])).toBe('es');
    expect(chooseLanguage(['ja'])).toBe('en');
    expect(chooseLanguage([])).toBe('en');
  });
});

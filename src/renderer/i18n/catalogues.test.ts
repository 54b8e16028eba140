import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../shared/owner-api.ts';
import { CHANGEABLE, MOVE_PROBLEMS } from '../../shared/owner-settings.ts';
import { DeviceType } from '../../shared/protocol/codes.ts';
import { FIELD_NAMES } from '../../shared/protocol/fields.ts';
import type { KeyFault, LockReason } from '../features/keys/session/types.ts';
import { SORTS, STATUS_FILTERS, STORE_FILTERS } from '../features/overview/preferences.ts';
import { ENDPOINT_FIELDS } from '../features/settings/endpoint-form.ts';
import { chooseLanguage, LANGUAGES } from './languages.ts';

const HERE = import.meta.dirname;
const RENDERER = join(HERE, '..');
const PLURAL = /_(zero|one|two|few|many|other)$/;

type Catalogue = ReadonlyMap<string, string>;

function catalogue(namespace: string, language: string): Catalogue {
  const texts = new Map<string, string>();
  const walk = (value: unknown, path: string): void => {
    if (typeof value === 'string') texts.set(path, value);
    else for (const [key, inner] of Object.entries(value as object)) walk(inner, path === '' ? key : `${path}.${key}`);
  };
  walk(JSON.parse(readFileSync(join(HERE, `${namespace}.${language}.json`), 'utf8')), '');
  return texts;
}

/** Keys without their plural endings. */
const stems = (texts: Catalogue): string[] =>
  [...new Set([...texts.keys()].map((key) => key.replace(PLURAL, '')))].sort();

const placeholders = (text: string): string[] => [...new Set(text.match(/\{\{\w+/g) ?? [])].sort();

const namespaces = [
  ...new Set(
    readdirSync(HERE)
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.split('.')[0]!),
  ),
];
const languages = Object.keys(LANGUAGES);

/** The sources that use a namespace, with every key that they name as a literal. */
function usedKeys(namespace: string): Map<string, string> {
  const keys = new Map<string, string>();
  for (const name of readdirSync(RENDERER, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(name) || name.includes('.test.')) continue;
    const source = readFileSync(join(RENDERER, name), 'utf8');
    if (!source.includes(`useTranslation('${namespace}')`)) continue;
    // A file that uses two namespaces names its second function otherwise.
    for (const [, key] of source.matchAll(/\bt\(\s*'([\w.]+)'/g)) keys.set(key!, name);
  }
  return keys;
}

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

  it.each(languages)('fills in the same values in %s as in English', (language) => {
    for (const [key, text] of catalogue(namespace, language)) {
      // A singular may do without the number.
      if (key.endsWith('_one')) continue;
      const original = english.get(key) ?? english.get(key.replace(PLURAL, '_other'))!;
      expect(placeholders(text), key).toEqual(placeholders(original));
    }
  });

  it('has every key that the sources name', () => {
    const known = new Set([...stems(english), ...english.keys()]);
    const used = usedKeys(namespace);
    expect(used.size).toBeGreaterThan(0);
    const missing = [...used].filter(([key]) => !known.has(key)).map(([key, file]) => `${key} (${file})`);
    expect(missing).toEqual([]);
  });
});

describe('keys that are put together', () => {
  const texts = catalogue('app', 'en');
  const each = (path: string, names: readonly (string | number)[]): string[] => names.map((name) => `${path}.${name}`);

  it('has a text for every member', () => {
    const keys = [
      ...[...ERROR_CODES, 'disconnected'].flatMap((code) => [`error.${code}.title`, `error.${code}.text`]),
      ...each('field', FIELD_NAMES),
      ...each('fieldShort', FIELD_NAMES),
      ...each('type', Object.values(DeviceType)),
      ...each('status', ['online', 'silent', 'waiting', 'inactive', 'lost']),
      ...each('connection', ['connecting', 'connected', 'lost']),
      ...each('stores', ['private', 'public', 'both', 'privateText', 'publicText', 'bothText']),
      ...each('overview.status', STATUS_FILTERS),
      ...each('overview.store', STORE_FILTERS),
      ...each('overview.storeSize', ['private', 'public']),
      ...SORTS.map((sort) => (FIELD_NAMES.includes(sort as never) ? `field.${sort}` : `overview.sort.${sort}`)),
      ...each('endpoint', ['local', 'public']),
      ...each('cause', ['invalid_block', 'device_not_found', 'invalid_signature', 'raw_json_mismatch']),
      ...each('theme', ['auto', 'light', 'dark']),
    ];
    expect(keys.filter((key) => !texts.has(key))).toEqual([]);
  });

  it('has a text for every member of the settings', () => {
    const settings = catalogue('settings', 'en');
    const startup = catalogue('startup', 'en');
    const keys = [
      ...each('name', ['localPort', 'publicPort', 'publicRateLimit', 'localAllowedHosts']),
      ...each('refused', ENDPOINT_FIELDS),
      ...each('problem', ['taken', 'privileged', 'equal', 'refused', 'pinned', 'not_applicable', 'failed']),
      ...each('moveProblem', MOVE_PROBLEMS),
      ...each('closing', CHANGEABLE.closeBehaviour.options),
      ...each('public', ['lan', 'internet']),
    ];
    expect(keys.filter((key) => !settings.has(key))).toEqual([]);
    const ofStart = [
      ...each('moving', ['copying', 'checking']),
      ...each('port', ['privileged', 'equal', 'refused', 'taken.local', 'taken.public', 'label.local', 'label.public']),
      ...['missing', 'moved', 'busy', 'unusable'].flatMap((reason) => [
        `folder.title.${reason}`,
        `folder.text.${reason}`,
      ]),
    ];
    expect(ofStart.filter((key) => !startup.has(key))).toEqual([]);
  });
});

describe('keys of the keystore that are put together', () => {
  const texts = catalogue('keys', 'en');

  it('has a text for every member', () => {
    const faults = [
      ...([
        'locked',
        'changed',
        'wrong_passphrase',
        'wrong_key',
        'damaged',
        'newer_version',
        'unusable_secret',
      ] as const),
      ...(['already_kept', 'gone', 'too_large', 'no_version_left', 'internal_error'] as const),
    ] satisfies KeyFault[];
    const reasons = ['command', 'idle', 'suspend', 'changed_elsewhere', 'fault'] satisfies LockReason[];
    const keys = [
      ...faults.map((code) => `fault.${code}`),
      ...reasons.map((reason) => `locked.by.${reason}`),
      ...['short', 'weak', 'fair', 'strong'].map((strength) => `passphrase.strength.${strength}`),
      ...['phrase', 'keystore', 'node', 'lost'].map((each) => `start.how.${each}`),
      ...['phrase', 'seed'].flatMap((kind) => [`secret.kind.${kind}`, `secret.unnamed.${kind}`]),
      ...['standard', 'firmware', 'seed'].flatMap((each) => [`derivation.${each}`, `derivation.${each}Text`]),
    ];
    expect(keys.filter((key) => !texts.has(key))).toEqual([]);
  });
});

describe('chooseLanguage', () => {
  it('takes the first preferred language that we speak, in any variant', () => {
    expect(chooseLanguage(['de', 'pt-PT', 'en'])).toBe('pt-BR');
    expect(chooseLanguage(['es-419'])).toBe('es');
    expect(chooseLanguage(['ja'])).toBe('en');
    expect(chooseLanguage([])).toBe('en');
  });
});

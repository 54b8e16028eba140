import { bytesToHex, randomBytes } from '@noble/hashes/utils.js';
import { MAX_KEY_VERSION } from '../protocol/limits.ts';
import { LANGUAGES, type Language } from './languages.ts';

/** Raised when what stands in the contents changes; a newer one than this is refused as `newer_version`. */
export const CONTENTS_VERSION = 1;

/** A phrase that the owner keeps. */
export interface PhraseSecret {
  /** 16 bytes in lowercase hex. */
  id: string;
  /** What the owner calls it; at most 200 characters. */
  label: string;
  /** Unix milliseconds. */
  createdAt: number;
  kind: 'phrase';
  /** As both derivations hash it; at most 24 words. */
  phrase: string;
  language: Language;
}

/** A seed of 32 bytes that the owner keeps. */
export interface SeedSecret extends Omit<PhraseSecret, 'kind' | 'phrase' | 'language'> {
  kind: 'seed';
  /** In lowercase hex, as every key here. */
  seedHex: string;
}

/** A phrase or a seed that the owner keeps. */
export type StoredSecret = PhraseSecret | SeedSecret;

/** A field key that is kept as such; derived keys need no entry unless a rotation made them. */
export interface FieldKeyEntry {
  deviceId: string;
  keyVersion: number;
  keyHex: string;
  /** imported by the owner, generated at random, or derived from an owner key when the owner rotated. */
  source: (typeof SOURCES)[number];
  /** Unix milliseconds. */
  addedAt: number;
}

export interface KeystoreSettings {
  /** Idle minutes until the keys are locked, at most a day; 0: never. */
  lockAfterMinutes: number;
}

/** Everything that a keystore holds. One entry for each (device, key version), and one for each secret id. */
export interface KeystoreContents {
  version: typeof CONTENTS_VERSION;
  /** At most 100. */
  secrets: StoredSecret[];
  /** At most 10,000. */
  fieldKeys: FieldKeyEntry[];
  settings: KeystoreSettings;
}

type Check = (value: unknown) => boolean;

// By hand: zod would be more than half of what the page loads to open a keystore.
const SOURCES = ['imported', 'generated', 'derived'] as const;
const hex = (bytes: number): Check => {
  const pattern = new RegExp(`^[0-9a-f]{${bytes * 2}}$`);
  return (value) => typeof value === 'string' && pattern.test(value);
};
/** Text that is bounded in characters (code points). */
const text =
  (least: number, most: number): Check =>
  (value) => {
    if (typeof value !== 'string') return false;
    const { length } = [...value];
    return length >= least && length <= most;
  };
const integer =
  (most: number): Check =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most;
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
/** An object with exactly these members. */
const object =
  (members: Readonly<Record<string, Check>>): Check =>
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const names = Object.keys(value);
    if (names.length !== Object.keys(members).length) return false;
    return names.every(
      (name) => Object.hasOwn(members, name) && members[name]!((value as Record<string, unknown>)[name]),
    );
  };
/** A list of which no two have the same name. */
const list =
  <T>(most: number, item: Check, nameOf: (each: T) => string): Check =>
  (value) =>
    Array.isArray(value) &&
    value.length <= most &&
    [...value].every(item) &&
    new Set((value as T[]).map(nameOf)).size === value.length;

/** How many words a phrase may have: of another one no key can be derived (BIP-39). */
const PHRASE_WORDS = [12, 15, 18, 21, 24];

const timeMs = integer(8_640_000_000_000_000);
const ofSecret = { id: hex(16), label: text(0, 200), createdAt: timeMs };
const phraseSecret = object({
  ...ofSecret,
  kind: oneOf('phrase'),
  phrase: (value) =>
    text(1, 1000)(value) && PHRASE_WORDS.includes((value as string).normalize('NFKD').split(' ').length),
  language: oneOf(...LANGUAGES),
});
const seedSecret = object({ ...ofSecret, kind: oneOf('seed'), seedHex: hex(32) });
const fieldKeyEntry = object({
  deviceId: hex(32),
  keyVersion: integer(MAX_KEY_VERSION),
  keyHex: hex(32),
  source: oneOf(...SOURCES),
  addedAt: timeMs,
});
const keystoreContents = object({
  version: oneOf(CONTENTS_VERSION),
  secrets: list<StoredSecret>(
    100,
    (value) => phraseSecret(value) || seedSecret(value),
    ({ id }) => id,
  ),
  fieldKeys: list<FieldKeyEntry>(10_000, fieldKeyEntry, ({ deviceId, keyVersion }) => `${deviceId} ${keyVersion}`),
  settings: object({ lockAfterMinutes: integer(1440) }),
});

/** Whether a value, as JSON gives it, is what a keystore may hold. */
export function isKeystoreContents(value: unknown): value is KeystoreContents {
  return keystoreContents(value);
}

/** What a new keystore holds: nothing, and the keys are locked after 15 idle minutes. */
export function emptyContents(): KeystoreContents {
  return { version: CONTENTS_VERSION, secrets: [], fieldKeys: [], settings: { lockAfterMinutes: 15 } };
}

/** An id for a new secret: 16 random bytes in hex. It says nothing of the secret. */
export function newSecretId(): string {
  return bytesToHex(randomBytes(16));
}

import { bytesToHex, randomBytes } from '@noble/hashes/utils.js';
import * as z from 'zod/mini';
import { MAX_KEY_VERSION } from '../../protocol/limits.ts';
import { LANGUAGES } from '../phrase/languages.ts';
import { MAX_FIELD_KEYS, MAX_LABEL_LENGTH, MAX_SECRETS } from './keystore-limits.ts';

/** Increased when the form of the contents changes. A newer version is refused as `newer_version`. */
export const CONTENTS_VERSION = 2;

/** Returns a schema of a text with a limited number of characters (code points). */
const text = (least: number, most: number) =>
  z.string().check(z.refine((value) => [...value].length >= least && [...value].length <= most));
const hex = (bytes: number) => z.string().check(z.regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`)));
const upTo = (most: number) => z.int().check(z.gte(0), z.lte(most));
/** Returns a schema of a list of items with distinct names. */
const list = <T extends z.ZodMiniType>(most: number, item: T, nameOf: (each: z.infer<T>) => string) =>
  z.array(item).check(
    z.maxLength(most),
    z.refine((value) => new Set(value.map(nameOf)).size === value.length),
  );

/** Unix milliseconds. */
const timeMs = upTo(8_640_000_000_000_000);
/** The numbers of words that a phrase may have (BIP-39). Other phrases have no key. */
const PHRASE_WORDS = [12, 15, 18, 21, 24];

const ofSecret = {
  id: hex(16),
  /** The owner's name for the secret. */
  label: text(0, MAX_LABEL_LENGTH),
  createdAt: timeMs,
  /** When the owner last typed its words from paper in a restore drill. */
  drilledAt: z.optional(timeMs),
  /** When the owner removed it. For thirty days it can be restored; meanwhile it decrypts nothing. */
  removedAt: z.optional(timeMs),
};

/** A phrase of the owner. */
const phraseSecret = z.strictObject({
  ...ofSecret,
  kind: z.literal('phrase'),
  /** In the spelling that both derivations hash. */
  phrase: text(1, 1000).check(z.refine((value) => PHRASE_WORDS.includes(value.normalize('NFKD').split(' ').length))),
  language: z.enum(LANGUAGES),
});
export type PhraseSecret = z.infer<typeof phraseSecret>;

/** A seed of the owner, in lowercase hex like every key here. */
const seedSecret = z.strictObject({ ...ofSecret, kind: z.literal('seed'), seedHex: hex(32) });
export type SeedSecret = z.infer<typeof seedSecret>;

export type StoredSecret = PhraseSecret | SeedSecret;

/** A field key with its own entry. Derived keys need an entry only if a rotation made them. */
const fieldKeyEntry = z.strictObject({
  deviceId: hex(32),
  keyVersion: upTo(MAX_KEY_VERSION),
  keyHex: hex(32),
  /** Imported by the owner, generated at random, or derived from an owner key when the owner rotated the key. */
  source: z.enum(['imported', 'generated', 'derived']),
  addedAt: timeMs,
});
export type FieldKeyEntry = z.infer<typeof fieldKeyEntry>;

/** All contents of a keystore. */
const keystoreContents = z.strictObject({
  /** 1: without the times of drills, removals and exports. */
  version: z.literal([1, CONTENTS_VERSION]),
  secrets: list(MAX_SECRETS, z.discriminatedUnion('kind', [phraseSecret, seedSecret]), ({ id }) => id),
  fieldKeys: list(MAX_FIELD_KEYS, fieldKeyEntry, ({ deviceId, keyVersion }) => `${deviceId} ${keyVersion}`),
  settings: z.strictObject({
    /** The idle minutes after which the keys are locked, at most a day; 0 for never. */
    lockAfterMinutes: upTo(1440),
  }),
  /** When the file was last exported. */
  exportedAt: z.optional(timeMs),
});
export type KeystoreContents = z.infer<typeof keystoreContents>;

/** Returns whether a value parsed from JSON is valid as the contents of a keystore. */
export function isKeystoreContents(value: unknown): value is KeystoreContents {
  return keystoreContents.safeParse(value).success;
}

/** Returns the contents of a new keystore: no keys, which lock after 15 idle minutes. */
export function emptyContents(): KeystoreContents {
  return { version: CONTENTS_VERSION, secrets: [], fieldKeys: [], settings: { lockAfterMinutes: 15 } };
}

/** Returns an id for a new secret: 16 random bytes in hex. It reveals nothing of the secret. */
export function newSecretId(): string {
  return bytesToHex(randomBytes(16));
}

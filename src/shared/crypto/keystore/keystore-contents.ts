import { bytesToHex, randomBytes } from '@noble/hashes/utils.js';
import * as z from 'zod/mini';
import { MAX_KEY_VERSION } from '../../protocol/limits.ts';
import { LANGUAGES } from '../phrase/languages.ts';
import { MAX_FIELD_KEYS, MAX_LABEL_LENGTH, MAX_SECRETS } from './keystore-limits.ts';

/** Raised when what stands in the contents changes; a newer one than this is refused as `newer_version`. */
export const CONTENTS_VERSION = 2;

/** Text that is bounded in characters (code points). */
const text = (least: number, most: number) =>
  z.string().check(z.refine((value) => [...value].length >= least && [...value].length <= most));
const hex = (bytes: number) => z.string().check(z.regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`)));
const upTo = (most: number) => z.int().check(z.gte(0), z.lte(most));
/** A list of which no two have the same name. */
const list = <T extends z.ZodMiniType>(most: number, item: T, nameOf: (each: z.infer<T>) => string) =>
  z.array(item).check(
    z.maxLength(most),
    z.refine((value) => new Set(value.map(nameOf)).size === value.length),
  );

/** Unix milliseconds. */
const timeMs = upTo(8_640_000_000_000_000);
/** How many words a phrase may have: of another one no key can be derived (BIP-39). */
const PHRASE_WORDS = [12, 15, 18, 21, 24];

const ofSecret = {
  id: hex(16),
  /** The owner's name for it. */
  label: text(0, MAX_LABEL_LENGTH),
  createdAt: timeMs,
  /** When its words were last typed from paper in a restore drill. */
  drilledAt: z.optional(timeMs),
  /** When the owner removed it; it can be put back for thirty days and opens nothing. */
  removedAt: z.optional(timeMs),
};

/** A phrase that the owner keeps. */
const phraseSecret = z.strictObject({
  ...ofSecret,
  kind: z.literal('phrase'),
  /** As both derivations hash it. */
  phrase: text(1, 1000).check(z.refine((value) => PHRASE_WORDS.includes(value.normalize('NFKD').split(' ').length))),
  language: z.enum(LANGUAGES),
});
export type PhraseSecret = z.infer<typeof phraseSecret>;

/** A seed that the owner keeps, in lowercase hex as every key here. */
const seedSecret = z.strictObject({ ...ofSecret, kind: z.literal('seed'), seedHex: hex(32) });
export type SeedSecret = z.infer<typeof seedSecret>;

export type StoredSecret = PhraseSecret | SeedSecret;

/** A field key that is kept as such; derived keys need no entry unless a rotation made them. */
const fieldKeyEntry = z.strictObject({
  deviceId: hex(32),
  keyVersion: upTo(MAX_KEY_VERSION),
  keyHex: hex(32),
  /** imported by the owner, generated at random, or derived from an owner key when the owner rotated. */
  source: z.enum(['imported', 'generated', 'derived']),
  addedAt: timeMs,
});
export type FieldKeyEntry = z.infer<typeof fieldKeyEntry>;

/** Everything that a keystore holds. */
const keystoreContents = z.strictObject({
  /** 1: without times of drills, removals and exports. */
  version: z.literal([1, CONTENTS_VERSION]),
  secrets: list(MAX_SECRETS, z.discriminatedUnion('kind', [phraseSecret, seedSecret]), ({ id }) => id),
  fieldKeys: list(MAX_FIELD_KEYS, fieldKeyEntry, ({ deviceId, keyVersion }) => `${deviceId} ${keyVersion}`),
  settings: z.strictObject({
    /** Idle minutes until the keys are locked, at most a day; 0: never. */
    lockAfterMinutes: upTo(1440),
  }),
  /** When the file was last exported. */
  exportedAt: z.optional(timeMs),
});
export type KeystoreContents = z.infer<typeof keystoreContents>;

/** Whether a value, as JSON gives it, is what a keystore may hold. */
export function isKeystoreContents(value: unknown): value is KeystoreContents {
  return keystoreContents.safeParse(value).success;
}

/** The contents of a new keystore: nothing, and the keys are locked after 15 idle minutes. */
export function emptyContents(): KeystoreContents {
  return { version: CONTENTS_VERSION, secrets: [], fieldKeys: [], settings: { lockAfterMinutes: 15 } };
}

/** An id for a new secret: 16 random bytes in hex. It says nothing of the secret. */
export function newSecretId(): string {
  return bytesToHex(randomBytes(16));
}

import { bytesToHex, randomBytes } from '@noble/hashes/utils.js';
import { z } from 'zod';
import { MAX_KEY_VERSION } from '../protocol/limits.ts';
import { LANGUAGES } from './languages.ts';

/** Raised when what stands in the contents changes; a newer one than this is refused as `newer_version`. */
export const CONTENTS_VERSION = 1;

const hex32 = z.string().regex(/^[0-9a-f]{64}$/);
const timeMs = z.int().min(0).max(8_640_000_000_000_000);
const secretId = z.string().regex(/^[0-9a-f]{32}$/);
/** What the owner calls it. */
const label = z.string().max(200);

const phraseSecret = z.strictObject({
  id: secretId,
  label,
  createdAt: timeMs,
  kind: z.literal('phrase'),
  /** As both derivations hash it; at most 24 words. */
  phrase: z.string().min(1).max(1000),
  language: z.enum(LANGUAGES),
});
const seedSecret = z.strictObject({
  id: secretId,
  label,
  createdAt: timeMs,
  kind: z.literal('seed'),
  seedHex: hex32,
});

/** A phrase or a seed that the owner keeps. */
export const storedSecret = z.discriminatedUnion('kind', [phraseSecret, seedSecret]);
export type StoredSecret = z.infer<typeof storedSecret>;

/** A field key that is kept as such; derived keys need no entry unless a rotation made them. */
export const fieldKeyEntry = z.strictObject({
  deviceId: hex32,
  keyVersion: z.int().min(0).max(MAX_KEY_VERSION),
  keyHex: hex32,
  /** imported by the owner, generated at random, or derived from an owner key when the owner rotated. */
  source: z.enum(['imported', 'generated', 'derived']),
  addedAt: timeMs,
});
export type FieldKeyEntry = z.infer<typeof fieldKeyEntry>;

export const keystoreSettings = z.strictObject({
  /** Idle minutes until the keys are locked; 0: never. */
  lockAfterMinutes: z.int().min(0).max(1440),
});

/** Everything that a keystore holds. One entry for each (device, key version), and one for each secret id. */
export const keystoreContents = z
  .strictObject({
    version: z.literal(CONTENTS_VERSION),
    secrets: z.array(storedSecret).max(100),
    fieldKeys: z.array(fieldKeyEntry).max(10_000),
    settings: keystoreSettings,
  })
  .refine(({ secrets }) => new Set(secrets.map(({ id }) => id)).size === secrets.length, 'an id stands twice')
  .refine(
    ({ fieldKeys }) =>
      new Set(fieldKeys.map(({ deviceId, keyVersion }) => `${deviceId} ${keyVersion}`)).size === fieldKeys.length,
    'a key version stands twice',
  );
export type KeystoreContents = z.infer<typeof keystoreContents>;

/** What a new keystore holds: nothing, and the keys are locked after 15 idle minutes. */
export function emptyContents(): KeystoreContents {
  return { version: CONTENTS_VERSION, secrets: [], fieldKeys: [], settings: { lockAfterMinutes: 15 } };
}

/** An id for a new secret: 16 random bytes in hex. It says nothing of the secret. */
export function newSecretId(): string {
  return bytesToHex(randomBytes(16));
}

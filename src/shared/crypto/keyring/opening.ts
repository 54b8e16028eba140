import { FIELD_NAMES, type FieldName } from '../../protocol/fields.ts';
import { hexToBytes } from '../hex.ts';
import { openField } from './field-cipher.ts';
import type { NoncePlace, NonceRegistry } from './nonce-registry.ts';

/** An encrypted field and its place. */
export interface SealedItem extends NoncePlace {
  readonly keyVersion: number;
  /** Hex, including the tag. */
  readonly cipher: string;
  /** Hex, 12 bytes. */
  readonly nonce: string;
}

/** Why an encrypted field has no value to show. */
export type OpeningFault = 'no_key' | 'wrong_key' | 'not_four_bytes' | 'not_finite' | 'nonce_reused';

/** A field after decryption. `keyIndex`: the index of the key in the result of `keysOf`. */
export type OpenedItem =
  | { readonly ok: true; readonly value: number; readonly keyIndex: number }
  | { readonly ok: false; readonly reason: OpeningFault; readonly keyVersion: number };

/** Returns the keys to try for a key version of the device (32 bytes each). Called once per batch and version. */
export type KeysOfVersion = (keyVersion: number) => readonly Uint8Array[];

/** The result of a batch. */
export interface OpenedBatch {
  /** In the order of the input items. */
  readonly items: readonly OpenedItem[];
  /** Fields of earlier batches that were decrypted then and now count as copies: withdraw their values. */
  readonly overturned: readonly NoncePlace[];
  /** How many fields of each key version were decrypted and how many failed. Copies count as failed. */
  readonly versions: readonly { readonly keyVersion: number; readonly opened: number; readonly failed: number }[];
}

/** A reading whose fields may be encrypted. */
export interface SealedReading extends Pick<NoncePlace, 'seq' | 'receivedAt'>, Pick<SealedItem, 'keyVersion'> {
  /** null if the field is absent, a number if it is not encrypted. */
  readonly fields: Readonly<Record<FieldName, number | null | Pick<SealedItem, 'cipher' | 'nonce'>>>;
}

/** A reading's encrypted fields after decryption, without absent and unencrypted ones. */
export interface OpenedReading {
  readonly seq: string;
  readonly fields: Partial<Record<FieldName, OpenedItem>>;
}

/**
 * Decrypts encrypted fields of one device. Keep `nonces` for the device as long as its values are shown. Never throws,
 * whatever a device or a stranger sent. Copies are detected after the whole batch is decrypted, so its order does not
 * matter.
 */
export function openSealed(items: readonly SealedItem[], keysOf: KeysOfVersion, nonces: NonceRegistry): OpenedBatch {
  const keys = new Map<number, readonly Uint8Array[]>();
  const overturned = new Map<string, NoncePlace>();
  const opened = items.map((item) => {
    let ofVersion = keys.get(item.keyVersion);
    if (ofVersion === undefined) {
      ofVersion = keysOf(item.keyVersion);
      keys.set(item.keyVersion, ofVersion);
    }
    const outcome = openWithAny(item, ofVersion);
    if (outcome.ok || outcome.reason === 'not_four_bytes' || outcome.reason === 'not_finite') {
      const { seq, field, receivedAt } = item;
      const voided = nonces.note(item.nonce, { seq, field, receivedAt });
      if (voided !== null) overturned.set(`${voided.seq} ${voided.field}`, voided);
    }
    return outcome;
  });
  const told = opened.map((outcome, index): OpenedItem => {
    const item = items[index]!;
    if (!outcome.ok || !nonces.isCopy(item.nonce, item)) return outcome;
    return { ok: false, reason: 'nonce_reused', keyVersion: item.keyVersion };
  });
  for (const { seq, field } of items) overturned.delete(`${seq} ${field}`);
  return { items: told, overturned: [...overturned.values()], versions: countByVersion(items, told) };
}

/** Decrypts every encrypted field of readings of one device. */
export function openReadings(
  readings: readonly SealedReading[],
  keysOf: KeysOfVersion,
  nonces: NonceRegistry,
): Omit<OpenedBatch, 'items'> & { readonly readings: readonly OpenedReading[] } {
  const items = readings.flatMap(({ seq, receivedAt, keyVersion, fields }) =>
    FIELD_NAMES.flatMap((field): SealedItem[] => {
      const value = fields[field];
      return value === null || typeof value === 'number' ? [] : [{ seq, field, receivedAt, keyVersion, ...value }];
    }),
  );
  const { items: opened, ...rest } = openSealed(items, keysOf, nonces);
  let at = 0;
  const ofReadings = readings.map(({ seq, fields }): OpenedReading => {
    const ofReading: Partial<Record<FieldName, OpenedItem>> = {};
    for (const field of FIELD_NAMES) {
      const value = fields[field];
      if (value === null || typeof value === 'number') continue;
      ofReading[field] = opened[at]!;
      at += 1;
    }
    return { seq, fields: ofReading };
  });
  return { readings: ofReadings, ...rest };
}

function openWithAny({ cipher, nonce, keyVersion }: SealedItem, keys: readonly Uint8Array[]): OpenedItem {
  if (keys.length === 0) return { ok: false, reason: 'no_key', keyVersion };
  for (const [keyIndex, key] of keys.entries()) {
    const outcome = tryKey(key, cipher, nonce);
    if (outcome.ok) return { ...outcome, keyIndex };
    // The tag matches, so this is the key, and no other key would give a better result.
    if (outcome.reason !== 'wrong_key') return { ...outcome, keyVersion };
  }
  return { ok: false, reason: 'wrong_key', keyVersion };
}

function tryKey(key: Uint8Array, cipher: string, nonce: string): ReturnType<typeof openField> {
  try {
    return openField(key, hexToBytes(cipher), hexToBytes(nonce));
  } catch {
    // No store has such hex or such a nonce; no key decrypts it.
    return { ok: false, reason: 'wrong_key' };
  }
}

function countByVersion(items: readonly SealedItem[], opened: readonly OpenedItem[]): OpenedBatch['versions'] {
  const counts = new Map<number, { opened: number; failed: number }>();
  for (const [index, { keyVersion }] of items.entries()) {
    const count = counts.get(keyVersion) ?? { opened: 0, failed: 0 };
    if (opened[index]!.ok) count.opened += 1;
    else count.failed += 1;
    counts.set(keyVersion, count);
  }
  return [...counts]
    .map(([keyVersion, count]) => ({ keyVersion, ...count }))
    .sort((a, b) => a.keyVersion - b.keyVersion);
}

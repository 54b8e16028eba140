import { FIELD_NAMES, type FieldName } from '../../protocol/fields.ts';
import { hexToBytes } from '../hex.ts';
import { openField } from './field-cipher.ts';
import type { NoncePlace, NonceRegistry } from './nonce-registry.ts';

/** A sealed field and where it stands. */
export interface SealedItem extends NoncePlace {
  readonly keyVersion: number;
  /** Hex, with the tag. */
  readonly cipher: string;
  /** Hex, 12 bytes. */
  readonly nonce: string;
}

/** Why a sealed field shows no number. */
export type OpeningFault = 'no_key' | 'wrong_key' | 'not_four_bytes' | 'not_finite' | 'nonce_reused';

/** A field after opening. `keyIndex`: which of the keys that `keysOf` gave opened it. */
export type OpenedItem =
  | { readonly ok: true; readonly value: number; readonly keyIndex: number }
  | { readonly ok: false; readonly reason: OpeningFault; readonly keyVersion: number };

/** The keys to try for a key version of the device at hand (32 bytes each); asked once per batch and version. */
export type KeysOfVersion = (keyVersion: number) => readonly Uint8Array[];

/** The result of a batch. */
export interface OpenedBatch {
  /** Parallel to the items. */
  readonly items: readonly OpenedItem[];
  /** Fields of earlier batches that opened then and are now told to be copies: take their values back. */
  readonly overturned: readonly NoncePlace[];
  /** How many fields each key version opened and failed on; copies count as failed. */
  readonly versions: readonly { readonly keyVersion: number; readonly opened: number; readonly failed: number }[];
}

/** A reading with fields that may be sealed. */
export interface SealedReading extends Pick<NoncePlace, 'seq' | 'receivedAt'>, Pick<SealedItem, 'keyVersion'> {
  /** null if it is absent, a number if it is plain. */
  readonly fields: Readonly<Record<FieldName, number | null | Pick<SealedItem, 'cipher' | 'nonce'>>>;
}

/** A reading's sealed fields after opening; fields that are plain or absent are left out. */
export interface OpenedReading {
  readonly seq: string;
  readonly fields: Partial<Record<FieldName, OpenedItem>>;
}

/**
 * Opens sealed fields of one device. `nonces` is kept for the device as long as its values are shown. Never throws on
 * what a device or a stranger sent. Copies are told once the whole batch is open, so its order makes no difference.
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

/** Opens every sealed field of readings of one device. */
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
    // The tag fits, so this is the key, and no other would do better.
    if (outcome.reason !== 'wrong_key') return { ...outcome, keyVersion };
  }
  return { ok: false, reason: 'wrong_key', keyVersion };
}

function tryKey(key: Uint8Array, cipher: string, nonce: string): ReturnType<typeof openField> {
  try {
    return openField(key, hexToBytes(cipher), hexToBytes(nonce));
  } catch {
    // No store holds such hex or such a nonce; whatever it is, no key opens it.
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

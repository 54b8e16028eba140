import { sha256 } from '@noble/hashes/sha2.js';
import { randomBytes } from '@noble/hashes/utils.js';
import { MAX_KEY_VERSION } from '../../protocol/limits.ts';
import { bytesToHex, hexToBytes } from '../hex.ts';
import type { FieldKeyEntry, KeystoreContents, StoredSecret } from '../keystore/keystore-contents.ts';
import { type DerivedOwner, matchOwner } from '../phrase/owner-key.ts';
import { deriveFieldKey } from './field-key.ts';

/** The part of a device that the keyring needs. `ownerPubkey` is from the private store's row, if that exists. */
export interface KeyringDevice {
  readonly id: string;
  readonly ownerPubkey: string;
}

/** A key that may decrypt the fields of a device at one key version. */
export interface ResolvedKey {
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** The first 8 hex digits of the SHA-256 of the key. */
  readonly fingerprint: string;
  readonly source: FieldKeyEntry['source'];
}

/**
 * Returns the keys to try for a device and key version, in this order: the stored entry, then the key derived from the
 * owner key that the device is registered with. Usually there is one, or none if neither exists. There are two only if
 * the entry differs from the derived key: a mistaken import must not hide a key that works.
 */
export function keysFor(
  contents: Pick<KeystoreContents, 'fieldKeys'>,
  owners: readonly DerivedOwner[],
  device: KeyringDevice,
  keyVersion: number,
): ResolvedKey[] {
  const entry = findFieldKey(contents, device.id, keyVersion);
  const { match } = matchOwner(owners, device.ownerPubkey);
  const keys: ResolvedKey[] = [];
  if (entry !== undefined) keys.push(resolved(hexToBytes(entry.keyHex), entry.source));
  if (match !== null) {
    const key = deriveFieldKey(match.key.seed, hexToBytes(device.id), keyVersion);
    if (bytesToHex(key) !== entry?.keyHex) keys.push(resolved(key, 'derived'));
  }
  return keys;
}

/** Returns the first 8 hex digits of the SHA-256 of a key: enough to compare by eye, too little to find the key. */
export function fingerprintOf(key: Uint8Array): string {
  return bytesToHex(sha256(key)).slice(0, 8);
}

/** Returns the stored key of a device and key version. */
export function findFieldKey(
  contents: Pick<KeystoreContents, 'fieldKeys'>,
  deviceId: string,
  keyVersion: number,
): FieldKeyEntry | undefined {
  return contents.fieldKeys.find((entry) => entry.deviceId === deviceId && entry.keyVersion === keyVersion);
}

/** The contents with the added entries, and the result of each entry. */
export interface AddedFieldKeys {
  readonly contents: KeystoreContents;
  readonly added: readonly FieldKeyEntry[];
  /** The entries that were there already with the same key. */
  readonly same: readonly FieldKeyEntry[];
  /** The stored entries with another key, for an undo or a question. They are replaced only with `replace`. */
  readonly conflicting: readonly FieldKeyEntry[];
}

/** Adds entries. A stored version with another key stays as it is unless `replace` is set. */
export function addFieldKeys(
  contents: KeystoreContents,
  entries: readonly FieldKeyEntry[],
  { replace = false }: { readonly replace?: boolean } = {},
): AddedFieldKeys {
  const before = (entry: FieldKeyEntry) => findFieldKey(contents, entry.deviceId, entry.keyVersion);
  const added = entries.filter((entry) => before(entry) === undefined);
  const same = entries.filter((entry) => before(entry)?.keyHex === entry.keyHex);
  const changing = entries.filter((entry) => before(entry) !== undefined && before(entry)!.keyHex !== entry.keyHex);
  const conflicting = changing.map((entry) => before(entry)!);
  const kept = replace ? contents.fieldKeys.filter((entry) => !conflicting.includes(entry)) : contents.fieldKeys;
  const fieldKeys = [...kept, ...added, ...(replace ? changing : [])];
  return { contents: { ...contents, fieldKeys }, added, same, conflicting };
}

/** A new key version and the contents that include it. */
export interface AddedVersion {
  readonly contents: KeystoreContents;
  readonly entry: FieldKeyEntry;
}

/**
 * Rotates a device's key: adds the version after all known ones (stored, or `seenVersions` in readings). The key is
 * derived from the owner key that the device is registered with, or random if the owner key is unknown. Old versions
 * stay. Returns null if 2^32-1 is used up.
 */
export function addKeyVersion(
  contents: KeystoreContents,
  owners: readonly DerivedOwner[],
  device: KeyringDevice,
  { seenVersions, now }: { readonly seenVersions: readonly number[]; readonly now: number },
): AddedVersion | null {
  const kept = contents.fieldKeys.filter((entry) => entry.deviceId === device.id).map((entry) => entry.keyVersion);
  // A device that never encrypted anything has version 0 by the protocol.
  const keyVersion = [...kept, ...seenVersions].reduce((max, version) => Math.max(max, version), 0) + 1;
  if (keyVersion > MAX_KEY_VERSION) return null;
  const { match } = matchOwner(owners, device.ownerPubkey);
  const key = match === null ? randomBytes(32) : deriveFieldKey(match.key.seed, hexToBytes(device.id), keyVersion);
  const source = match === null ? 'generated' : 'derived';
  const entry: FieldKeyEntry = { deviceId: device.id, keyVersion, keyHex: bytesToHex(key), source, addedAt: now };
  return { contents: { ...contents, fieldKeys: [...contents.fieldKeys, entry] }, entry };
}

/** Returns the key that a device needs for a key version, as one line for text and QR code. The import reads it too. */
export function deviceKeyText(entry: Pick<FieldKeyEntry, 'deviceId' | 'keyVersion' | 'keyHex'>): string {
  return JSON.stringify({ deviceId: entry.deviceId, keyVersion: entry.keyVersion, key: entry.keyHex });
}

/** Removes an entry. `removed` is the entry that `addFieldKeys` adds again for an undo; null if there was none. */
export function removeFieldKey(
  contents: KeystoreContents,
  deviceId: string,
  keyVersion: number,
): { readonly contents: KeystoreContents; readonly removed: FieldKeyEntry | null } {
  const removed = findFieldKey(contents, deviceId, keyVersion) ?? null;
  return { contents: { ...contents, fieldKeys: contents.fieldKeys.filter((entry) => entry !== removed) }, removed };
}

/** How long a removed secret can be put back, in milliseconds. */
export const RESTORABLE_MS = 30 * 24 * 3_600_000;

/** Adds a secret. A stored one with the same phrase or seed is not added twice; a removed one is replaced. */
export function addSecret(contents: KeystoreContents, secret: StoredSecret): KeystoreContents {
  const secretOf = (kept: StoredSecret) => (kept.kind === 'phrase' ? kept.phrase : kept.seedHex);
  const same = contents.secrets.find((kept) => kept.id === secret.id || secretOf(kept) === secretOf(secret));
  if (same !== undefined && same.removedAt === undefined) return contents;
  return { ...contents, secrets: [...contents.secrets.filter((kept) => kept !== same), secret] };
}

/** Returns the secrets that are not removed. */
export function keptSecrets({ secrets }: Pick<KeystoreContents, 'secrets'>): StoredSecret[] {
  return secrets.filter(({ removedAt }) => removedAt === undefined);
}

/** Marks a secret as removed at a time (Unix milliseconds). Returns null if no secret has this id. */
export function removeSecret(contents: KeystoreContents, id: string, now: number): KeystoreContents | null {
  return changeSecret(contents, id, (secret) =>
    secret.removedAt === undefined ? { ...secret, removedAt: now } : null,
  );
}

/** Restores a removed secret. Returns null if it no longer exists. */
export function restoreSecret(contents: KeystoreContents, id: string): KeystoreContents | null {
  return changeSecret(contents, id, ({ removedAt, ...secret }) => (removedAt === undefined ? null : secret));
}

/** Changes one secret. Returns null if it does not exist, or if `change` returns null. */
export function changeSecret(
  contents: KeystoreContents,
  id: string,
  change: (secret: StoredSecret) => StoredSecret | null,
): KeystoreContents | null {
  const before = contents.secrets.find((secret) => secret.id === id);
  const after = before === undefined ? null : change(before);
  if (after === null) return null;
  return { ...contents, secrets: contents.secrets.map((secret) => (secret === before ? after : secret)) };
}

/** Deletes the secrets that were removed too long ago to be restored. */
export function withoutExpired(contents: KeystoreContents, now: number): KeystoreContents {
  const secrets = contents.secrets.filter(
    ({ removedAt }) => removedAt === undefined || now - removedAt < RESTORABLE_MS,
  );
  return secrets.length === contents.secrets.length ? contents : { ...contents, secrets };
}

/**
 * Returns the times at which keys were added that are not in an export and can't be typed from a tested recovery sheet.
 */
export function notBackedUp(contents: KeystoreContents): {
  readonly secrets: readonly number[];
  readonly fieldKeys: readonly number[];
} {
  const { exportedAt = -1, fieldKeys } = contents;
  const isNew = (secret: StoredSecret) => secret.createdAt > exportedAt && secret.drilledAt === undefined;
  return {
    secrets: keptSecrets(contents)
      .filter(isNew)
      .map(({ createdAt }) => createdAt),
    fieldKeys: fieldKeys.flatMap(({ source, addedAt }) =>
      source !== 'derived' && addedAt > exportedAt ? [addedAt] : [],
    ),
  };
}

function resolved(key: Uint8Array, source: FieldKeyEntry['source']): ResolvedKey {
  return { key, fingerprint: fingerprintOf(key), source };
}

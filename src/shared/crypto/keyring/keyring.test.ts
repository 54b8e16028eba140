import { describe, expect, it } from 'vitest';
import vectors from '../../../../test/vectors.json' with { type: 'json' };
import { bytesToHex, hexToBytes } from '../hex.ts';
import { emptyContents, type FieldKeyEntry, newSecretId, type StoredSecret } from '../keystore/keystore-contents.ts';
import { deriveOwner } from '../phrase/owner-key.ts';
import { parseKeyImport } from './key-import.ts';
import {
  addFieldKeys,
  addKeyVersion,
  addSecret,
  changeSecret,
  deviceKeyText,
  fingerprintOf,
  keptSecrets,
  keysFor,
  notBackedUp,
  removeFieldKey,
  removeSecret,
  restoreSecret,
  withoutExpired,
} from './keyring.ts';

const owners = [deriveOwner('mine', { kind: 'phrase', phrase: vectors.mnemonic })];
const deviceId = vectors.fieldKeys.device;
const standard = { id: deviceId, ownerPubkey: vectors.standardDerivation.publicKey };
const firmware = { id: deviceId, ownerPubkey: vectors.firmwareDerivation.publicKey };
const stranger = { id: deviceId, ownerPubkey: 'ee'.repeat(32) };
const empty = emptyContents();
const entryOf = (keyVersion: number, keyHex: string): FieldKeyEntry => {
  return { deviceId, keyVersion, keyHex, source: 'imported', addedAt: 1 };
};
const shown = (keys: ReturnType<typeof keysFor>) => keys.map(({ key, source }) => `${source} ${bytesToHex(key)}`);

describe('keysFor', () => {
  it.each([
    ['standard', standard, vectors.fieldKeys.standard],
    ['firmware', firmware, vectors.fieldKeys.firmware],
  ])('derives from the device’s registered owner key: %s', (_name, device, known) => {
    expect(shown(keysFor(empty, owners, device, 0))).toEqual([`derived ${known[0]}`]);
    expect(shown(keysFor(empty, owners, device, 1))).toEqual([`derived ${known[1]}`]);
  });

  it('has no derived key for another owner’s device, and no key without an entry', () => {
    const contents = { ...empty, fieldKeys: [entryOf(1, '11'.repeat(32))] };
    expect(keysFor(contents, owners, stranger, 0)).toEqual([]);
    expect(shown(keysFor(contents, owners, stranger, 1))).toEqual([`imported ${'11'.repeat(32)}`]);
    expect(keysFor(contents, owners, { ...stranger, id: 'aa'.repeat(32) }, 1)).toEqual([]);
  });

  it('returns both if an entry differs from the derived key, else one', () => {
    const other = { ...empty, fieldKeys: [entryOf(1, '11'.repeat(32))] };
    const [first, second] = keysFor(other, owners, standard, 1);
    expect([first!.source, second!.source]).toEqual(['imported', 'derived']);
    const same = { ...empty, fieldKeys: [entryOf(1, vectors.fieldKeys.standard[1])] };
    expect(shown(keysFor(same, owners, standard, 1))).toEqual([`imported ${vectors.fieldKeys.standard[1]}`]);
  });

  it('identifies each key by the beginning of its SHA-256', () => {
    expect(fingerprintOf(new Uint8Array())).toBe('e3b0c442');
    const [key] = keysFor(empty, owners, standard, 0);
    expect(key!.fingerprint).toBe(fingerprintOf(hexToBytes(vectors.fieldKeys.standard[0])));
  });
});

describe('addFieldKeys and removeFieldKey', () => {
  const one = entryOf(1, '11'.repeat(32));
  const changed = entryOf(1, '22'.repeat(32));
  const two = entryOf(2, '33'.repeat(32));
  const contents = addFieldKeys(empty, [one]).contents;

  it('distinguish new, same and conflicting entries, and replace the latter only on request', () => {
    const result = addFieldKeys(contents, [changed, two]);
    expect(result).toMatchObject({ added: [two], same: [], conflicting: [one] });
    expect(result.contents.fieldKeys).toEqual([one, two]);
    expect(addFieldKeys(contents, [one])).toMatchObject({ contents, added: [], same: [one], conflicting: [] });
    const replaced = addFieldKeys(contents, [changed, two], { replace: true });
    expect(replaced.contents.fieldKeys).toEqual([two, changed]);
    expect(addFieldKeys(replaced.contents, replaced.conflicting, { replace: true }).contents.fieldKeys).toContain(one);
    const both = addFieldKeys(contents, [two]).contents;
    expect(addFieldKeys(both, [changed], { replace: true }).contents.fieldKeys).toEqual([two, changed]);
  });

  it('undo each other', () => {
    const { contents: without, removed } = removeFieldKey(contents, deviceId, 1);
    expect([without.fieldKeys, removed]).toEqual([[], one]);
    expect(addFieldKeys(without, [removed!]).contents).toEqual(contents);
    expect(removeFieldKey(without, deviceId, 1)).toEqual({ contents: without, removed: null });
    expect(contents.fieldKeys).toEqual([one]);
    const both = addFieldKeys(contents, [two]).contents;
    expect(removeFieldKey(both, deviceId, 1)).toEqual({ contents: { ...contents, fieldKeys: [two] }, removed: one });
  });
});

describe('addKeyVersion', () => {
  const at = (seenVersions: number[]) => ({ seenVersions, now: 77 });

  it('derives the version after every known one, and keeps the old ones', () => {
    const first = addKeyVersion(empty, owners, standard, at([]))!;
    expect(first.entry).toEqual({
      deviceId,
      keyVersion: 1,
      keyHex: vectors.fieldKeys.standard[1],
      source: 'derived',
      addedAt: 77,
    });
    const next = addKeyVersion(first.contents, owners, standard, at([0, 1]))!;
    expect(next.entry.keyVersion).toBe(2);
    expect(next.contents.fieldKeys).toEqual([first.entry, next.entry]);
    expect(addKeyVersion(next.contents, owners, standard, at([41, 3]))!.entry.keyVersion).toBe(42);
    expect(addKeyVersion(next.contents, owners, standard, at([]))!.entry.keyVersion).toBe(3);
    const other = { ...standard, id: 'aa'.repeat(32) };
    expect(addKeyVersion(next.contents, owners, other, at([]))!.entry.keyVersion).toBe(1);
  });

  it('creates a random key if no owner key fits the device', () => {
    const [a, b] = [addKeyVersion(empty, owners, stranger, at([]))!, addKeyVersion(empty, owners, stranger, at([]))!];
    expect([a.entry.source, a.entry.keyVersion]).toEqual(['generated', 1]);
    expect(a.entry.keyHex).toMatch(/^[0-9a-f]{64}$/);
    expect(a.entry.keyHex).not.toBe(b.entry.keyHex);
  });

  it('ends at the last possible version', () => {
    expect(addKeyVersion(empty, owners, standard, at([2 ** 32 - 2]))!.entry.keyVersion).toBe(2 ** 32 - 1);
    expect(addKeyVersion(empty, owners, standard, at([2 ** 32 - 1]))).toBeNull();
  });

  it('returns a text for the device that the import reads', () => {
    const { entry } = addKeyVersion(empty, owners, standard, at([]))!;
    const { keyVersion, keyHex } = entry;
    expect(parseKeyImport(deviceKeyText(entry), null)).toEqual({ ok: true, keys: [{ deviceId, keyVersion, keyHex }] });
  });
});

describe('addSecret and removeSecret', () => {
  const seed: StoredSecret = { id: newSecretId(), label: 'a', createdAt: 1, kind: 'seed', seedHex: 'ab'.repeat(32) };
  const contents = addSecret(empty, seed);

  it('keep a secret once', () => {
    expect(contents.secrets).toEqual([seed]);
    expect(addSecret(contents, { ...seed, id: newSecretId(), label: 'b' })).toBe(contents);
    expect(addSecret(contents, { ...seed, id: newSecretId(), seedHex: 'cd'.repeat(32) }).secrets).toHaveLength(2);
    expect(addSecret(contents, { ...seed, seedHex: 'cd'.repeat(32) })).toBe(contents);
    const phrases = ['a', 'b', 'a'].map((phrase): StoredSecret => {
      return { id: newSecretId(), label: phrase, createdAt: 1, kind: 'phrase', phrase, language: 'english' };
    });
    expect(phrases.reduce(addSecret, contents).secrets).toEqual([seed, phrases[0], phrases[1]]);
  });

  it('a removed one is not used, can be restored, and is deleted after thirty days', () => {
    const at = 1_700_000_000_000;
    const thirtyDays = 30 * 86_400_000;
    const removed = removeSecret(contents, seed.id, at)!;
    expect(removed.secrets).toEqual([{ ...seed, removedAt: at }]);
    expect(keptSecrets(removed)).toEqual([]);
    expect(restoreSecret(removed, seed.id)).toEqual(contents);
    expect(removeSecret(removed, seed.id, at)).toBeNull();
    expect(restoreSecret(contents, seed.id)).toBeNull();
    expect(removeSecret(contents, 'none', at)).toBeNull();
    expect(withoutExpired(removed, at + thirtyDays - 1)).toBe(removed);
    expect(withoutExpired(removed, at + thirtyDays).secrets).toEqual([]);
    const other = { ...seed, id: newSecretId(), seedHex: 'cd'.repeat(32) };
    expect(withoutExpired(addSecret(removed, other), at + thirtyDays).secrets).toEqual([other]);
    const one = removeSecret(addSecret(contents, other), seed.id, at)!;
    expect(one.secrets).toEqual([{ ...seed, removedAt: at }, other]);
    // The same secret, added again, replaces the removed one.
    const again = { ...seed, id: newSecretId(), label: 'b' };
    expect(addSecret(removed, again).secrets).toEqual([again]);
  });

  it('count secrets that have no copy', () => {
    const entry = { deviceId: 'cd'.repeat(32), keyVersion: 1, keyHex: 'ef'.repeat(32), addedAt: 5 } as const;
    const all = {
      ...contents,
      fieldKeys: [
        { ...entry, source: 'imported' as const },
        { ...entry, keyVersion: 2, source: 'derived' as const, addedAt: 6 },
      ],
    };
    expect(notBackedUp(all)).toEqual({ secrets: [seed.createdAt], fieldKeys: [5] });
    expect(notBackedUp({ ...all, exportedAt: 1 })).toEqual({ secrets: [], fieldKeys: [5] });
    expect(notBackedUp({ ...all, exportedAt: 5 })).toEqual({ secrets: [], fieldKeys: [] });
    const drilled = changeSecret(all, seed.id, (secret) => ({ ...secret, drilledAt: 9 }))!;
    expect(notBackedUp(drilled)).toEqual({ secrets: [], fieldKeys: [5] });
    expect(notBackedUp(removeSecret(all, seed.id, 9)!).secrets).toEqual([]);
  });
});

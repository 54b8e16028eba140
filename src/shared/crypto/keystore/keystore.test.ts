import { createHash, scryptSync } from 'node:crypto';
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex } from '../hex.ts';
import {
  changePassphrase,
  createKeystore,
  DEFAULT_COST,
  type OpenKeystore,
  openKeystore,
  osWrapOf,
  saveContents,
  unlockWithDataKey,
  wipeKeystore,
  withOsWrap,
} from './keystore.ts';
import { CONTENTS_VERSION, emptyContents, type KeystoreContents, newSecretId } from './keystore-contents.ts';
import { encodeFile, isCostAllowed, parseFile } from './keystore-format.ts';
import { MAX_FIELD_KEYS, MAX_KEYSTORE_BYTES } from './keystore-limits.ts';

/** The lowest allowed cost, so that the tests are quick. */
const cost = { n: 2 ** 15, r: 8, p: 1 };
const PASSPHRASE = 'a well in the orchard';
const phrase = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
const contents: KeystoreContents = {
  ...emptyContents(),
  secrets: [
    {
      id: newSecretId(),
      label: 'Greenhouse',
      createdAt: 1_700_000_000_000,
      kind: 'phrase',
      phrase,
      language: 'english',
    },
    { id: newSecretId(), label: '', createdAt: 0, kind: 'seed', seedHex: 'ab'.repeat(32) },
  ],
  fieldKeys: [{ deviceId: 'cd'.repeat(32), keyVersion: 3, keyHex: 'ef'.repeat(32), source: 'imported', addedAt: 1 }],
};
const HEADER_BYTES = 121;
const wrong = (reason: string) => ({ ok: false, reason });

/** Returns a changed file with a recomputed checksum, as an attacker would write it. */
function withChecksum(bytes: Uint8Array): Uint8Array {
  return encodeFile(bytes.slice(0, -32), new Uint8Array());
}

let bytes: Uint8Array;
let keystore: OpenKeystore;
beforeAll(async () => {
  ({ bytes, keystore } = await createKeystore(PASSPHRASE, contents, { cost }));
});

describe('a keystore', () => {
  it('opens with its passphrase and with its data key, with the same contents', async () => {
    const opened = await openKeystore(bytes, PASSPHRASE);
    expect(opened).toEqual({ ok: true, keystore });
    expect(opened.ok && opened.keystore.contents).toEqual(contents);
    expect(unlockWithDataKey(bytes, keystore.dataKey)).toEqual({ ok: true, keystore });
  });

  it('accepts the passphrase in any normalisation, and no other one', async () => {
    const made = await createKeystore('Größe ①'.normalize('NFC'), contents, { cost });
    expect(await openKeystore(made.bytes, 'Größe 1'.normalize('NFD'))).toMatchObject({ ok: true });
    for (const other of ['Grosse 1', 'größe 1', 'Größe 1 ', '']) {
      expect(await openKeystore(made.bytes, other)).toEqual(wrong('wrong_passphrase'));
    }
  });

  it('distinguishes a wrong passphrase and a wrong data key from damage', async () => {
    expect(await openKeystore(bytes, 'another well')).toEqual(wrong('wrong_passphrase'));
    expect(unlockWithDataKey(bytes, new Uint8Array(32))).toEqual(wrong('wrong_key'));
    expect(unlockWithDataKey(bytes, new Uint8Array(31))).toEqual(wrong('wrong_key'));
  });

  it('has no secret in the clear, and never the same bytes twice', async () => {
    const text = Buffer.from(bytes).toString('latin1');
    expect(text).not.toMatch(/abandon|Greenhouse|abab|efef|english|version/);
    expect(bytesToHex(bytes)).not.toContain('abababab');
    const again = saveContents(keystore, contents);
    expect(again.bytes.subarray(0, HEADER_BYTES)).toEqual(bytes.subarray(0, HEADER_BYTES));
    expect(again.bytes.subarray(HEADER_BYTES, HEADER_BYTES + 24)).not.toEqual(
      bytes.subarray(HEADER_BYTES, HEADER_BYTES + 24),
    );
  });

  it('has the documented layout for another implementation of scrypt', () => {
    expect(Buffer.from(bytes.subarray(0, 15)).toString('latin1')).toBe('WELLHKEYS\0\x01\x01\x0f\x08\x01');
    const salt = bytes.subarray(15, 47);
    const key = scryptSync(PASSPHRASE, salt, 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 });
    const dataKey = xchacha20poly1305(key, bytes.subarray(47, 71), bytes.subarray(0, 47)).decrypt(
      bytes.subarray(71, 119),
    );
    expect(dataKey).toEqual(keystore.dataKey);
    expect(bytes.subarray(119, 121)).toEqual(Uint8Array.of(0, 0));
    const header = bytes.subarray(0, HEADER_BYTES);
    const payload = xchacha20poly1305(dataKey, bytes.subarray(121, 145), header).decrypt(bytes.subarray(145, -32));
    expect(payload.length % 1024).toBe(0);
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual(contents);
    const checksum = createHash('sha256').update(bytes.subarray(0, -32)).digest('hex');
    expect(bytesToHex(bytes.subarray(-32))).toBe(checksum);
  });

  it('returns any contents', () => {
    const hex32 = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((key) => bytesToHex(key));
    const fieldKeys = fc.uniqueArray(
      fc.record({
        deviceId: hex32,
        keyVersion: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
        keyHex: hex32,
        source: fc.constantFrom('imported' as const, 'generated' as const, 'derived' as const),
        addedAt: fc.nat(),
      }),
      { selector: ({ deviceId, keyVersion }) => `${deviceId} ${keyVersion}` },
    );
    const labels = fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }));
    fc.assert(
      fc.property(labels, fieldKeys, fc.integer({ min: 0, max: 1440 }), (names, keys, lockAfterMinutes) => {
        const any: KeystoreContents = {
          version: 1,
          exportedAt: 7,
          secrets: names.map((label) => ({
            id: newSecretId(),
            label,
            createdAt: 5,
            kind: 'seed',
            seedHex: 'ab'.repeat(32),
          })),
          fieldKeys: keys,
          settings: { lockAfterMinutes },
        };
        const saved = saveContents(keystore, any);
        expect(unlockWithDataKey(saved.bytes, keystore.dataKey)).toEqual({ ok: true, keystore: saved.keystore });
        // A file of the previous version is read, and is written in this version.
        expect(saved.keystore.contents).toEqual({ ...any, version: CONTENTS_VERSION });
      }),
      { numRuns: 50 },
    );
  });

  it('is refused if it would be too large, or contain invalid data', () => {
    const entry = contents.fieldKeys[0]!;
    const fieldKeys = Array.from({ length: MAX_FIELD_KEYS + 1 }, (_, keyVersion) => ({ ...entry, keyVersion }));
    expect(() => saveContents(keystore, { ...contents, fieldKeys })).toThrow(TypeError);
    expect(() => saveContents(keystore, { ...contents, fieldKeys: [entry, entry] })).toThrow();
    const bad = { ...contents, secrets: [{ ...contents.secrets[1]!, seedHex: 'SECRET' }] } as KeystoreContents;
    expect(() => saveContents(keystore, bad)).toThrow(/^(?!.*SECRET)/s);
  });

  it('wipes its data key', () => {
    const opened = unlockWithDataKey(bytes, keystore.dataKey);
    expect(opened.ok).toBe(true);
    if (!opened.ok) return;
    wipeKeystore(opened.keystore);
    expect(opened.keystore.dataKey).toEqual(new Uint8Array(32));
    expect(keystore.dataKey).not.toEqual(new Uint8Array(32));
  });
});

describe('the cost', () => {
  it('is refused outside N 2^15..2^18, r 8, p 1..4', async () => {
    const allowed = { n: 2 ** 17, r: 8, p: 1 };
    expect(DEFAULT_COST).toEqual(allowed);
    for (const n of [2 ** 15, 2 ** 16, 2 ** 18]) expect(isCostAllowed({ ...allowed, n })).toBe(true);
    for (const p of [2, 3, 4]) expect(isCostAllowed({ ...allowed, p })).toBe(true);
    const outside = [
      ...[0, 1, 2 ** 14, 2 ** 19, 2 ** 16 + 1, 40_000.5, Number.NaN].map((n) => ({ ...allowed, n })),
      ...[1, 7, 9, 16].map((r) => ({ ...allowed, r })),
      ...[0, 5, 1.5, -1].map((p) => ({ ...allowed, p })),
    ];
    for (const one of outside) {
      expect(isCostAllowed(one)).toBe(false);
      await expect(createKeystore(PASSPHRASE, contents, { cost: one })).rejects.toThrow(RangeError);
    }
  });

  it.each([
    ['N 2^14', 12, 14],
    ['N 2^19', 12, 19],
    ['N 2^255', 12, 255],
    ['r 16', 13, 16],
    ['p 0', 14, 0],
    ['p 5', 14, 5],
    ['another kdf', 11, 2],
  ])('of a file with %s is refused before the work', async (_name, at, value) => {
    const file = withChecksum(bytes.with(at, value));
    expect(parseFile(file)).toEqual(wrong('damaged'));
    expect(await openKeystore(file, PASSPHRASE)).toEqual(wrong('damaged'));
  });

  it('is reported as progress, up to the whole', async () => {
    const steps: number[] = [];
    await openKeystore(bytes, PASSPHRASE, { onProgress: (done) => steps.push(done) });
    expect(steps.length).toBeGreaterThan(10);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(steps.at(-1)).toBe(1);
  });

  it('is not spent on an empty passphrase', async () => {
    await expect(createKeystore('', contents, { cost })).rejects.toThrow(RangeError);
  });
});

describe('another passphrase', () => {
  it('opens the same contents; neither the old one nor the old data key does', async () => {
    const remembered = withOsWrap(keystore, Uint8Array.of(1)).keystore;
    const changed = await changePassphrase(remembered, 'a new well', { cost });
    expect(await openKeystore(changed.bytes, 'a new well')).toMatchObject({ ok: true, keystore: { contents } });
    expect(await openKeystore(changed.bytes, PASSPHRASE)).toEqual(wrong('wrong_passphrase'));
    expect(unlockWithDataKey(changed.bytes, keystore.dataKey)).toEqual(wrong('wrong_key'));
    expect(osWrapOf(changed.bytes)).toBeNull();
  });
});

describe('the second way to open', () => {
  it('stays beside the passphrase through saves, and can be removed', async () => {
    const wrap = Uint8Array.from({ length: 500 }, (_, index) => index & 0xff);
    const remembered = withOsWrap(keystore, wrap);
    expect(osWrapOf(remembered.bytes)).toEqual(wrap);
    wrap.fill(0);
    const kept = osWrapOf(remembered.bytes)!;
    expect(kept[1]).toBe(1);
    expect(await openKeystore(remembered.bytes, PASSPHRASE)).toMatchObject({ ok: true, keystore: { contents } });
    const saved = saveContents(remembered.keystore, emptyContents());
    expect(osWrapOf(saved.bytes)).toEqual(kept);
    const forgotten = withOsWrap(saved.keystore, null);
    expect(osWrapOf(forgotten.bytes)).toBeNull();
    expect(unlockWithDataKey(forgotten.bytes, keystore.dataKey)).toMatchObject({ ok: true });
    expect(osWrapOf(bytes)).toBeNull();
    expect(osWrapOf(new Uint8Array(3))).toBeNull();
  });

  it('has 1 to 4096 bytes', () => {
    for (const length of [0, 4097]) expect(() => withOsWrap(keystore, new Uint8Array(length))).toThrow(RangeError);
    expect(osWrapOf(withOsWrap(keystore, new Uint8Array(4096)).bytes)).toHaveLength(4096);
  });
});

it('a file may be as large as the limit, and no larger one is written or read', () => {
  const ofSize = (size: number) => Buffer.concat([bytes, Buffer.alloc(size - bytes.length)]);
  expect(parseFile(withChecksum(ofSize(MAX_KEYSTORE_BYTES))).ok).toBe(true);
  const larger = ofSize(MAX_KEYSTORE_BYTES + 1);
  expect(() => withChecksum(larger)).toThrow(RangeError);
  larger.set(createHash('sha256').update(larger.subarray(0, -32)).digest(), MAX_KEYSTORE_BYTES - 31);
  expect(parseFile(larger)).toEqual(wrong('damaged'));
});

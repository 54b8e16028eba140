import { createCipheriv, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import vectors from '../../../../test/vectors.json' with { type: 'json' };
import { FIELD_NAMES, type FieldName, perFieldName } from '../../protocol/fields.ts';
import { bytesToHex, hexToBytes } from '../hex.ts';
import { sealField } from './field-cipher.ts';
import { NonceRegistry } from './nonce-registry.ts';
import { openReadings, openSealed, type SealedItem } from './opening.ts';

const KEYS = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
/** Versions 0 and 1 have one key each, version 2 has a wrong and a right key, and the others have none. */
const keysOf = (version: number) => {
  if (version === 2) return [new Uint8Array(32).fill(9), KEYS[0]!];
  return KEYS[version] === undefined ? [] : [KEYS[version]];
};

function item(seq: number, field: FieldName, value: number, more: Partial<SealedItem> = {}): SealedItem {
  const nonce = more.nonce ?? randomBytes(12).toString('hex');
  const key = more.keyVersion === 1 ? KEYS[1]! : KEYS[0]!;
  const cipher = bytesToHex(sealField(key, value, hexToBytes(nonce)));
  return { seq: String(seq), field, receivedAt: 1000 + seq, keyVersion: 0, cipher, nonce, ...more };
}

function sealedBytes(plaintext: string, nonce = randomBytes(12)): Partial<SealedItem> {
  const sealer = createCipheriv('aes-256-gcm', KEYS[0]!, nonce);
  const cipher = Buffer.concat([sealer.update(Buffer.from(plaintext, 'hex')), sealer.final(), sealer.getAuthTag()]);
  return { cipher: cipher.toString('hex'), nonce: nonce.toString('hex') };
}

const opens = (value: number, keyIndex = 0) => ({ ok: true, value: Math.fround(value), keyIndex });
const fails = (reason: string, keyVersion = 0) => ({ ok: false, reason, keyVersion });
const results = (items: readonly SealedItem[], nonces = new NonceRegistry()) => openSealed(items, keysOf, nonces).items;

describe('openSealed', () => {
  it('opens the field of the vectors', () => {
    const { key, cipher, nonce, value } = vectors.encryptedField;
    const sealed: SealedItem = { seq: '1', field: 'ph', receivedAt: 1, keyVersion: 7, cipher, nonce };
    const batch = openSealed([sealed], () => [hexToBytes(key)], new NonceRegistry());
    expect(batch).toEqual({
      items: [opens(value)],
      overturned: [],
      versions: [{ keyVersion: 7, opened: 1, failed: 0 }],
    });
  });

  it('opens each version with its key, and tries a second one', () => {
    const items = [item(1, 'ph', 6.5), item(2, 'ph', 7.5, { keyVersion: 1 }), item(3, 'ec', 900, { keyVersion: 2 })];
    expect(results(items)).toEqual([opens(6.5), opens(7.5), opens(900, 1)]);
  });

  it('asks once for the keys of a version', () => {
    const items = [item(1, 'ph', 6.5), item(2, 'ph', 7.5, { keyVersion: 1 }), item(3, 'ph', 8.5)];
    const asked: number[] = [];
    const asking = (version: number) => {
      asked.push(version);
      return keysOf(version);
    };
    expect(openSealed(items, asking, new NonceRegistry()).items).toEqual([opens(6.5), opens(7.5), opens(8.5)]);
    expect(asked).toEqual([0, 1]);
  });

  it.each<[string, SealedItem]>([
    ['no_key', item(1, 'ph', 1, { keyVersion: 3 })],
    ['wrong_key', { ...item(1, 'ph', 1), keyVersion: 1 }],
    ['wrong_key', item(1, 'ph', 1, { cipher: '00'.repeat(20) })],
    ['wrong_key', item(1, 'ph', 1, { cipher: '00' })],
    ['wrong_key', { ...item(1, 'ph', 1), cipher: 'no hex' }],
    ['wrong_key', { ...item(1, 'ph', 1), nonce: '00' }],
    ['not_four_bytes', item(1, 'ph', 1, sealedBytes('0102030405'))],
    ['not_four_bytes', item(1, 'ph', 1, sealedBytes(''))],
    ['not_finite', item(1, 'ph', 1, sealedBytes('7fc00000'))],
    ['not_finite', item(1, 'ph', 1, sealedBytes('7f800000'))],
  ])('tells %s', (reason, sealed) => {
    expect(results([sealed])).toEqual([fails(reason, sealed.keyVersion)]);
  });

  it('tells what is wrong with a content under the key that fits, whichever else there is', () => {
    const sealed = item(1, 'ph', 1, sealedBytes('7fc00000'));
    expect(openSealed([sealed], () => [KEYS[0]!, KEYS[1]!], new NonceRegistry()).items).toEqual([fails('not_finite')]);
  });

  it('counts successes and failures of each version, with copies as failures', () => {
    const one = item(1, 'ph', 1);
    const copy = { ...one, seq: '2', receivedAt: 5000 };
    const items = [one, copy, item(3, 'ph', 1, { keyVersion: 3 }), item(4, 'ph', 2, { keyVersion: 1 })];
    expect(openSealed(items, keysOf, new NonceRegistry()).versions).toEqual([
      { keyVersion: 0, opened: 1, failed: 1 },
      { keyVersion: 1, opened: 1, failed: 0 },
      { keyVersion: 3, opened: 0, failed: 1 },
    ]);
  });
});

describe('a nonce seen before', () => {
  const original = item(1, 'ph', 6.5);
  const inLater: SealedItem = { ...original, seq: '2', receivedAt: 2000 };
  const inOtherField: SealedItem = { ...inLater, field: 'ec' };

  it.each([
    ['another reading', inLater],
    ['another field of another reading', inOtherField],
  ])('in %s is a copy, in any order and batches', (_name, copy) => {
    expect(results([original, copy])).toEqual([opens(6.5), fails('nonce_reused')]);
    // The values of the batch itself are never shown, so there is nothing to withdraw.
    expect(openSealed([copy, original], keysOf, new NonceRegistry())).toMatchObject({
      items: [fails('nonce_reused'), opens(6.5)],
      overturned: [],
    });
    const nonces = new NonceRegistry();
    expect(results([original], nonces)).toEqual([opens(6.5)]);
    expect(results([copy], nonces)).toEqual([fails('nonce_reused')]);
  });

  it('is reported afterwards if the copy came first, to withdraw its value', () => {
    const nonces = new NonceRegistry();
    expect(results([inLater], nonces)).toEqual([opens(6.5)]);
    const batch = openSealed([original], keysOf, nonces);
    expect(batch.items).toEqual([opens(6.5)]);
    expect(batch.overturned).toEqual([{ seq: '2', field: 'ph', receivedAt: 2000 }]);
    expect(openSealed([original, inLater], keysOf, nonces).overturned).toEqual([]);
  });

  it('voids both if neither is first: two fields of one reading, or of one millisecond', () => {
    const twin: SealedItem = { ...original, field: 'humidity' };
    expect(results([original, twin])).toEqual([fails('nonce_reused'), fails('nonce_reused')]);
    const nonces = new NonceRegistry();
    results([original], nonces);
    const batch = openSealed([{ ...original, seq: '9' }], keysOf, nonces);
    expect(batch.items).toEqual([fails('nonce_reused')]);
    expect(batch.overturned).toMatchObject([{ seq: '1', field: 'ph' }]);
  });

  it('is no copy in the same field of the same reading, again or in the other store', () => {
    const nonces = new NonceRegistry();
    const again = { ...original, receivedAt: 900 };
    for (const sealed of [original, original, again, original]) {
      expect(openSealed([sealed], keysOf, nonces)).toMatchObject({ items: [opens(6.5)], overturned: [] });
    }
    expect(nonces.size).toBe(1);
  });

  it('with another sealed value is reported, too', () => {
    const reused = item(5, 'ph', 8, { nonce: original.nonce });
    expect(results([original, reused])).toEqual([opens(6.5), fails('nonce_reused')]);
    for (const plaintext of ['0102030405', '7fc00000']) {
      const first = { ...original, ...sealedBytes(plaintext, Buffer.from(original.nonce, 'hex')) };
      expect(results([first, reused])[1]).toEqual(fails('nonce_reused'));
    }
  });

  it('is not reported for a forged field: a field that does not open can’t void another', () => {
    const forged: SealedItem = { ...original, seq: '0', receivedAt: 1, cipher: 'ff'.repeat(20) };
    expect(results([forged, original])).toEqual([fails('wrong_key'), opens(6.5)]);
  });

  it('is forgotten with the registry', () => {
    const nonces = new NonceRegistry();
    results([original], nonces);
    nonces.clear();
    expect(results([inLater], nonces)).toEqual([opens(6.5)]);
  });
});

describe('openReadings', () => {
  const none = perFieldName(() => null);
  const sealedOf = ({ cipher, nonce }: SealedItem) => ({ cipher, nonce });

  it('opens the sealed fields of each reading, and leaves out plain and absent ones', () => {
    const readings = [
      {
        seq: '2',
        receivedAt: 2,
        keyVersion: 1,
        fields: { ...none, ph: 7, humidity: sealedOf(item(2, 'humidity', 55, { keyVersion: 1 })) },
      },
      { seq: '1', receivedAt: 1, keyVersion: 0, fields: { ...none, ec: 1800 } },
      {
        seq: '0',
        receivedAt: 0,
        keyVersion: 0,
        fields: { ...none, ph: sealedOf(item(0, 'ph', 6)), ec: sealedOf(item(0, 'ec', 3, { keyVersion: 1 })) },
      },
    ];
    expect(openReadings(readings, keysOf, new NonceRegistry()).readings).toEqual([
      { seq: '2', fields: { humidity: opens(55) } },
      { seq: '1', fields: {} },
      { seq: '0', fields: { ph: opens(6), ec: fails('wrong_key') } },
    ]);
  });

  it('opens 500 readings of every field', () => {
    const readings = Array.from({ length: 500 }, (_, seq) => ({
      seq: String(seq),
      receivedAt: seq,
      keyVersion: 0,
      fields: perFieldName((field) => sealedOf(item(seq, field, seq))),
    }));
    const { versions } = openReadings(readings, keysOf, new NonceRegistry());
    expect(versions).toEqual([{ keyVersion: 0, opened: 500 * FIELD_NAMES.length, failed: 0 }]);
  });
});

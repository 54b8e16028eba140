import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import vectors from '../../../test/vectors.json' with { type: 'json' };
import { block, fieldsOf, telemetryBatch } from './block.ts';
import { FIELD_NAMES } from './fields.ts';
import { isUint64Text } from './uint64.ts';

const NONCE = vectors.encryptedField.nonce;
const CIPHER = vectors.encryptedField.cipher;
const SOUND = {
  deviceId: vectors.standardDerivation.publicKey,
  seq: '1',
  timestamp: '1700000000000',
  signature: vectors.signedBlock.signature,
  raw: Buffer.from(vectors.signedBlock.raw).toString('hex'),
};

const accepts = (changes: object) => block.safeParse({ ...SOUND, ...changes }).success;

/** Returns the member for which a changed block is refused; null if the block is valid. */
function faultOf(changes: object): string | null {
  return block.safeParse({ ...SOUND, ...changes }).error?.issues[0]?.path.join('.') ?? null;
}

describe('a valid block', () => {
  it('needs only the five required members', () => {
    expect(block.parse(SOUND)).toEqual(SOUND);
  });

  it('keeps both forms of a field, and the case of its hex', () => {
    const sent = {
      ...SOUND,
      deviceId: SOUND.deviceId.toUpperCase(),
      ph: { plain: 6.2 },
      ec: { cipher: CIPHER, nonce: NONCE },
    };
    expect(block.parse(sent)).toEqual(sent);
  });

  it('may carry unknown members, which are dropped', () => {
    expect(block.parse({ ...SOUND, co2: { plain: 1 }, ph: { plain: 1, unit: 'pH' } })).toEqual({
      ...SOUND,
      ph: { plain: 1 },
    });
  });

  it.each([0, 1, 4294967295])('may have key version %d', (keyVersion) => {
    expect(accepts({ keyVersion })).toBe(true);
  });

  it('may have a raw from 0 bytes to 1 KiB', () => {
    expect(accepts({ raw: '' })).toBe(true);
    expect(accepts({ raw: 'ab'.repeat(1024) })).toBe(true);
  });

  it('may have a signature of any length, for the signature check comes after the device lookup', () => {
    expect(accepts({ signature: '' })).toBe(true);
    expect(accepts({ signature: 'ab'.repeat(65) })).toBe(true);
  });
});

describe('a block is refused', () => {
  it.each(['deviceId', 'seq', 'timestamp', 'signature', 'raw'])('without %s', (name) => {
    expect(faultOf({ [name]: undefined })).toBe(name);
    expect(faultOf({ [name]: null })).toBe(name);
    expect(faultOf({ [name]: 1 })).toBe(name);
  });

  it.each([
    ['deviceId', SOUND.deviceId.slice(2)],
    ['deviceId', `${SOUND.deviceId}00`],
    ['deviceId', `${SOUND.deviceId.slice(1)}g`],
    ['seq', ''],
    ['seq', '01'],
    ['seq', '-1'],
    ['seq', '1.0'],
    ['seq', '18446744073709551616'],
    ['timestamp', '1e12'],
    ['timestamp', '18446744073709551616'],
    ['keyVersion', null],
    ['keyVersion', '0'],
    ['keyVersion', -1],
    ['keyVersion', 0.5],
    ['keyVersion', 4294967296],
    ['signature', 'abc'],
    ['signature', 'zz'],
    ['raw', 'abc'],
    ['raw', '0x'],
    ['raw', 'ab'.repeat(1025)],
  ])('for its %s %j', (name, value) => {
    expect(faultOf({ [name]: value })).toBe(name);
  });

  it.each([[null], [undefined], [[]], ['block'], [1], [true]])('when it is %j', (value) => {
    expect(block.safeParse(value).success).toBe(false);
  });
});

describe.each(FIELD_NAMES)('the field %s', (name) => {
  it('is absent if it is null', () => {
    expect(fieldsOf(block.parse({ ...SOUND, [name]: null }))).toEqual([]);
  });

  it.each([
    ['plain', { plain: -6.2e-3 }],
    ['sealed', { cipher: CIPHER, nonce: NONCE }],
    ['sealed in upper case', { cipher: CIPHER.toUpperCase(), nonce: NONCE.toUpperCase() }],
    ['the shortest cipher', { cipher: '00'.repeat(16), nonce: NONCE }],
    ['the longest cipher', { cipher: '00'.repeat(256), nonce: NONCE }],
  ])('may be %s', (_form, value) => {
    expect(fieldsOf(block.parse({ ...SOUND, [name]: value }))).toEqual([[name, value]]);
  });

  it.each([
    ['empty', '{}'],
    ['a bare number', '6.2'],
    ['an array', '[]'],
    ['a text', '"6.2"'],
    ['both forms', `{"plain":1,"cipher":"${CIPHER}","nonce":"${NONCE}"}`],
    ['plain with a cipher', `{"plain":1,"cipher":"${CIPHER}"}`],
    ['plain with a nonce', `{"plain":1,"nonce":"${NONCE}"}`],
    ['sealed with a null plain', `{"plain":null,"cipher":"${CIPHER}","nonce":"${NONCE}"}`],
    ['plain with a null cipher', '{"plain":1,"cipher":null}'],
    ['a null plain', '{"plain":null}'],
    ['a plain text', '{"plain":"6.2"}'],
    ['an infinite plain', '{"plain":1e400}'],
    ['an infinite negative plain', '{"plain":-1e400}'],
    ['a plain under __proto__', '{"__proto__":{"plain":1}}'],
    ['a cipher alone', `{"cipher":"${CIPHER}"}`],
    ['a nonce alone', `{"nonce":"${NONCE}"}`],
    ['a nonce of 11 bytes', `{"cipher":"${CIPHER}","nonce":"${NONCE.slice(2)}"}`],
    ['a nonce of 13 bytes', `{"cipher":"${CIPHER}","nonce":"${NONCE}00"}`],
    ['a cipher of 15 bytes', `{"cipher":"${'00'.repeat(15)}","nonce":"${NONCE}"}`],
    ['a cipher of 257 bytes', `{"cipher":"${'00'.repeat(257)}","nonce":"${NONCE}"}`],
    ['a cipher of half a byte more', `{"cipher":"${CIPHER}0","nonce":"${NONCE}"}`],
    ['a cipher that is not hex', `{"cipher":"${'zz'.repeat(20)}","nonce":"${NONCE}"}`],
  ])('is refused as %s', (_form, text) => {
    expect(faultOf({ [name]: JSON.parse(text) })?.split('.')[0]).toBe(name);
  });
});

describe('block', () => {
  it('treats __proto__ as an unknown member: it is dropped and changes nothing', () => {
    const text = `{"__proto__":{"ph":{"plain":6.2},"polluted":1},${JSON.stringify(SOUND).slice(1)}`;
    const sound = block.parse(JSON.parse(text));
    expect(Object.keys(sound).sort()).toEqual(Object.keys(SOUND).sort());
    expect(fieldsOf(sound)).toEqual([]);
    expect('polluted' in sound || 'polluted' in {}).toBe(false);
  });

  it('reads no member from __proto__', () => {
    expect(block.safeParse(JSON.parse(`{"__proto__":${JSON.stringify(SOUND)}}`)).success).toBe(false);
  });

  it('never throws on any JSON, and returns no ill-typed value', () => {
    const anyJson = fc.jsonValue();
    const members = fc.record(
      Object.fromEntries(
        ['deviceId', 'seq', 'timestamp', 'keyVersion', 'signature', 'raw', ...FIELD_NAMES].map((name) => [
          name,
          anyJson,
        ]),
      ),
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          anyJson,
          members.map((changes) => ({ ...SOUND, ...changes })),
        ),
        (value) => {
          const result = block.safeParse(value);
          if (!result.success) return;
          expect(isUint64Text(result.data.seq) && isUint64Text(result.data.timestamp)).toBe(true);
          for (const [, field] of fieldsOf(result.data)) {
            expect(Number.isFinite(field.plain) !== (field.cipher !== undefined && field.nonce !== undefined)).toBe(
              true,
            );
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

it('fieldsOf lists the fields in the order of the protocol', () => {
  const reversed = Object.fromEntries([...FIELD_NAMES].reverse().map((name, index) => [name, { plain: index }]));
  expect(fieldsOf(block.parse({ ...reversed, ...SOUND })).map(([name]) => name)).toEqual(FIELD_NAMES);
});

describe('telemetryBatch', () => {
  it.each([1, 100])('accepts %i blocks of any shape', (length) => {
    expect(telemetryBatch.safeParse({ blocks: Array.from({ length }, () => null) }).success).toBe(true);
  });

  it.each([0, 101])('refuses %i blocks', (length) => {
    expect(telemetryBatch.safeParse({ blocks: Array.from({ length }, () => SOUND) }).success).toBe(false);
  });

  it.each([[null], [undefined], [[]], [{}], [{ blocks: null }], [{ blocks: {} }], [{ blocks: 'x' }]])(
    'refuses %j',
    (body) => {
      expect(telemetryBatch.safeParse(body).success).toBe(false);
    },
  );
});

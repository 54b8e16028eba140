import { describe, expect, test } from 'vitest';
import type { Block } from '../../shared/protocol/block.ts';
import { Disposition, PublishTo } from '../../shared/protocol/codes.ts';
import { perFieldName } from '../../shared/protocol/fields.ts';
import type { RawBinding } from '../settings/settings.ts';
import type { JudgedDevice } from './device-directory.ts';
import {
  applyDisposition,
  badSignature,
  bindToRaw,
  checkShape,
  hasSignatureLength,
  isRefusal,
  isStoredIn,
  lookUpDevice,
  mayKeepSigned,
} from './rules.ts';

const ID = 'ab'.repeat(32);
const HEADER = `${ID}|1|2|0`;
const PLAIN = perFieldName((): Disposition => Disposition.PLAIN);
const BLOCK: Block = { deviceId: ID, seq: '1', timestamp: '2', signature: '', raw: '' };
const SEALED = { nonce: '0a'.repeat(12), cipher: 'f1'.repeat(16) };
const SEALED_BYTES = Buffer.from('0a'.repeat(12) + 'f1'.repeat(16), 'hex');

/** Returns a device with these dispositions; its other fields are plain. */
function deviceOf(dispositions: Partial<typeof PLAIN>): JudgedDevice {
  const publicKey = Buffer.from(ID, 'hex');
  return { id: ID, publicKey, publishTo: PublishTo.BOTH, dispositions: { ...PLAIN, ...dispositions } };
}

const inHex = (text: string) => Buffer.from(text, 'latin1').toString('hex');
const mismatch = { error: `Raw/JSON mismatch for device ${ID}`, cause: 'raw_json_mismatch' };

describe('the shape of a block', () => {
  test('a sound block keeps its members, and loses those that the protocol has not', () => {
    const whole = { ...BLOCK, keyVersion: 3, ph: { plain: 6.2 }, ec: SEALED, humidity: null };
    expect(checkShape({ ...whole, co2: { plain: 400 }, cause: 'none' })).toEqual(whole);
  });

  test.each([
    ['block: must be an object', null],
    ['block: must be an object', []],
    ['deviceId: must be 32 bytes in hex', { ...BLOCK, deviceId: 'ab' }],
    ['seq: must be a decimal string', { ...BLOCK, seq: 1, timestamp: 2 }],
    ['ph: must be an object', { ...BLOCK, ph: 6.2 }],
    ['ph: must be either { plain } or { cipher, nonce }', { ...BLOCK, ph: {} }],
    ['ph: plain must be a finite number', { ...BLOCK, ph: { plain: '6.2' } }],
    ['ec: nonce must be 12 bytes in hex', { ...BLOCK, ec: { ...SEALED, nonce: '' } }],
  ])('the first fault is named: "%s"', (reason, sent) => {
    expect(checkShape(sent)).toEqual({ error: `Invalid block: ${reason}`, cause: 'invalid_block' });
  });
});

test('a refusal differs from the other results of a rule', () => {
  expect(isRefusal(mismatch)).toBe(true);
  for (const other of [null, BLOCK, deviceOf({}), new Map(), []]) expect(isRefusal(other)).toBe(false);
});

test('a device must be known', () => {
  const device = deviceOf({});
  const devices = { known: (id: string) => (id === ID ? device : undefined) };
  expect(lookUpDevice(devices, BLOCK)).toBe(device);
  const error = `Device not found: ${'cd'.repeat(32)}`;
  const deviceId = 'CD'.repeat(32);
  expect(lookUpDevice(devices, { ...BLOCK, deviceId })).toEqual({ error, cause: 'device_not_found' });
});

test('a bad signature names the device', () => {
  const error = `Invalid signature for device ${ID}`;
  expect(badSignature(deviceOf({}))).toEqual({ error, cause: 'invalid_signature' });
});

test.each([
  [0, false],
  [63, false],
  [64, true],
  [65, false],
])('a signature of %d bytes has the right length: %s', (bytes, isRight) => {
  expect(hasSignatureLength({ ...BLOCK, signature: 'ab'.repeat(bytes) })).toBe(isRight);
});

describe('the JSON must agree with the signed raw string', () => {
  const bind = (raw: string, block: Partial<Block> = {}, binding: RawBinding = 'strict') =>
    bindToRaw({ ...BLOCK, ...block, raw: inHex(raw) }, deviceOf({}), binding);

  test('the numbers of the raw string are those that count', () => {
    const sent = { ph: { plain: 6.199999809265137 }, ec: { plain: 1800 }, humidity: SEALED };
    const signed = { ec: { value: 1800, tolerance: 0.5 }, ph: { value: 6.2, tolerance: 0.005 } };
    expect(bind(`${HEADER}|ec=1800|ph=6.20`, sent)).toEqual(new Map(Object.entries(signed)));
    expect(bind(`${HEADER}|ph=6.20|ec=1800`, sent, 'known')).toEqual(new Map(Object.entries(signed)));
  });

  test('a raw string with only a header binds no values', () => {
    expect(bind(HEADER, { ph: { plain: 6.2 }, ec: SEALED })).toBe(null);
  });

  test.each([
    ['off', `${ID}|9|9|9`, null],
    ['off', 'of its own', null],
    ['known', 'of its own', null],
    ['known', `${ID}|9|2|0`, mismatch],
    ['strict', 'of its own', mismatch],
    ['strict', `${ID}|9|2|0`, mismatch],
  ] as const)('the setting "%s" decides about "%s"', (binding, raw, outcome) => {
    expect(bind(raw, {}, binding)).toEqual(outcome);
  });

  test.each<[string, Partial<Block>]>([
    [`${ID.toUpperCase()}|1|2|0`, {}],
    [HEADER, { deviceId: ID.toUpperCase() }],
    [HEADER, { keyVersion: 0 }],
    [`${ID}|1|2|7`, { keyVersion: 7 }],
    [`${ID}|001|02|00`, {}],
    [`${ID}|00|0|0`, { seq: '0', timestamp: '0' }],
    [`${ID}|1001|10|0`, { seq: '1001', timestamp: '10' }],
  ])('the header agrees: "%s" with %o', (raw, block) => {
    expect(bind(raw, block)).toBe(null);
  });

  test.each<[string, Partial<Block>]>([
    [`${'cd'.repeat(32)}|1|2|0`, {}],
    [`${ID}|2|2|0`, {}],
    [`${ID}|10|2|0`, {}],
    [`${ID}|1|1|0`, {}],
    [`${ID}|1|2|1`, {}],
    [HEADER, { keyVersion: 1 }],
    [`${ID}|1001|2|0`, { seq: '11' }],
  ])('the header does not agree: "%s" with %o', (raw, block) => {
    expect(bind(raw, block)).toEqual(mismatch);
  });

  test.each<[string, Partial<Block>]>([
    ['ph=6.20', {}],
    ['ph=6.20', { ph: SEALED }],
    ['ph=6.20', { ph: null }],
    ['ph=6.20', { ph: { plain: 6.21 } }],
    ['ph=6.20', { ph: { plain: 6.2 }, ec: { plain: 1800 } }],
    ['ec=1800', { ph: { plain: 6.2 } }],
    ['ec=1800|ph=6.20', { ec: { plain: 1800 }, ph: { plain: 6.3 } }],
    ['co2=400', { ph: { plain: 6.2 } }],
    ['ph=6.20|ph=6.20', { ph: { plain: 6.2 } }],
  ])('the values do not agree: "%s" with %o', (tail, block) => {
    expect(bind(`${HEADER}|${tail}`, block)).toEqual(mismatch);
  });

  test('two unknown names are two, also if their bytes are no text', () => {
    const unknown = { value: 1, tolerance: 0.5 };
    const names = Object.entries({ '\x80': unknown, '\x81': unknown });
    expect(bind(`${HEADER}|\x80=1|\x81=1`)).toEqual(new Map(names));
  });
});

describe('the policy decides in which form a field is stored', () => {
  const NOTHING = perFieldName(() => null);

  test('never in a more revealing form than it allows', () => {
    const device = deviceOf({
      ...{ waterLevel: Disposition.OMIT, tempWater: Disposition.OMIT },
      ...{ tempAmbient: Disposition.ENCRYPTED, humidity: Disposition.ENCRYPTED },
    });
    const value = { plain: 1.5 };
    const fields = { waterLevel: value, tempWater: SEALED, tempAmbient: value, humidity: SEALED };
    expect(applyDisposition({ ...BLOCK, ph: value, ec: SEALED, ...fields }, device, null)).toEqual({
      fields: { ...NOTHING, ph: 1.5, ec: SEALED_BYTES, humidity: SEALED_BYTES },
      withheld: [
        { cause: 'omit', field: 'waterLevel' },
        { cause: 'omit', field: 'tempWater' },
        { cause: 'encrypted_only', field: 'tempAmbient' },
      ],
    });
  });

  test('a field that was not sent is not withheld', () => {
    const device = deviceOf({ ph: Disposition.OMIT, ec: Disposition.ENCRYPTED });
    expect(applyDisposition({ ...BLOCK, ec: null }, device, null)).toEqual({ fields: NOTHING, withheld: [] });
  });

  test('the signed number is stored rather than that of the JSON, and zero without a sign', () => {
    const sent = { ...BLOCK, ph: { plain: 6.199999809265137 }, ec: { plain: -0 }, tempWater: { plain: 20.5 } };
    const signed = new Map([
      ['ph', { value: 6.2, tolerance: 0.005 }],
      ['tempWater', { value: 0, tolerance: 50 }],
    ]);
    const fields = { ...NOTHING, ph: 6.2, ec: 0, tempWater: 0 };
    expect(applyDisposition(sent, deviceOf({}), signed)).toEqual({ fields, withheld: [] });
  });
});

/** Returns whether a raw string may be stored under these dispositions. */
function mayKeep(tail: string, dispositions: Partial<typeof PLAIN>): boolean {
  return mayKeepSigned({ ...BLOCK, raw: inHex(HEADER + tail) }, deviceOf(dispositions));
}

describe('the signed bytes are kept only if they reveal nothing that the policy hides', () => {
  test.each(['', '|ec=1800|ph=6.20', '|co2=400', ' in a composition of its own'])(
    'kept for a device whose fields are all plain: "%s"',
    (tail) => expect(mayKeep(tail, {})).toBe(true),
  );

  test.each([Disposition.OMIT, Disposition.ENCRYPTED])('not kept with a field of disposition %s', (hidden) => {
    expect(mayKeep('|ec=1800|ph=6.20', { ph: hidden })).toBe(false);
    expect(mayKeep('|waterLevel=80', { waterLevel: hidden })).toBe(false);
  });

  test('kept with only a header or plain fields, if another field is hidden', () => {
    expect(mayKeep('', { ph: Disposition.ENCRYPTED })).toBe(true);
    expect(mayKeep('|ec=1800', { ph: Disposition.ENCRYPTED })).toBe(true);
  });

  test.each(['|water_level=80', '|co2=400', ' in a composition of its own', '|toString=1', '|__proto__=1'])(
    'not kept with an unknown name or composition, if a field is hidden: "%s"',
    (tail) => expect(mayKeep(tail, { waterLevel: Disposition.OMIT })).toBe(false),
  );
});

test.each([
  ['private', PublishTo.LOCAL_ONLY, true],
  ['private', PublishTo.PUBLIC, false],
  ['private', PublishTo.BOTH, true],
  ['public', PublishTo.LOCAL_ONLY, false],
  ['public', PublishTo.PUBLIC, true],
  ['public', PublishTo.BOTH, true],
] as const)('the %s store keeps the readings of a device with publishTo %d: %s', (store, publishTo, isKept) => {
  expect(isStoredIn(store, publishTo)).toBe(isKept);
});

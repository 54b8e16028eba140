import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import vectors from '../../../test/vectors.json' with { type: 'json' };
import { FIELD_NAMES } from './fields.ts';
import { agrees, formatRaw, parseRaw, type RawFieldInput, type RawNumber } from './raw.ts';
import { MAX_UINT64 } from './uint64.ts';

const DEVICE = vectors.standardDerivation.publicKey;
const HEADER = `${DEVICE}|1|1700000000000|0`;

/** Returns the number that a raw string's field with this text has. */
function numberOf(text: string): RawNumber {
  const read = parseRaw(`${HEADER}|ph=${text}`)?.fields.get('ph');
  if (read === undefined) throw new Error(`${text} is no number of the grammar`);
  return read;
}

// The range of real sensors; the firmware computes in 32-bit floats.
const measurement = fc.float({ min: -1000, max: Math.fround(99_999), noNaN: true });
const decimals = fc.constantFrom(0, 1, 2, 3);

const rawInput = fc.record({
  deviceId: fc.stringMatching(/^[0-9a-f]{64}$/),
  seq: fc.bigInt({ min: 0n, max: MAX_UINT64 }).map(String),
  timestamp: fc.bigInt({ min: 0n, max: MAX_UINT64 }).map(String),
  keyVersion: fc.integer({ min: 0, max: 0xffff_ffff }),
  fields: fc
    .uniqueArray(fc.constantFrom(...FIELD_NAMES), { maxLength: 6 })
    .chain((names) =>
      fc.tuple(...names.map((name) => fc.record({ name: fc.constant(name), value: measurement, decimals }))),
    ),
});

describe('parseRaw and formatRaw', () => {
  it('read the firmware’s output: the unchanged header, each value within its rounding', () => {
    fc.assert(
      fc.property(rawInput, ({ deviceId, seq, timestamp, keyVersion, fields }) => {
        const content = parseRaw(formatRaw(deviceId, seq, timestamp, keyVersion, fields as RawFieldInput[]));
        expect(content).toMatchObject({ deviceId, seq, timestamp, keyVersion: `${keyVersion}`, hasDuplicate: false });
        expect([...content!.fields.keys()]).toEqual(fields.map((field) => field.name));
        for (const field of fields) {
          const written = content!.fields.get(field.name)!;
          expect(written.value).toBe(Number(field.value.toFixed(field.decimals)) + 0);
          expect(written.tolerance).toBeCloseTo(0.5 * 10 ** -field.decimals, 12);
          expect(agrees(written, field.value)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('write the raw of the vectors, byte for byte', () => {
    const fields: RawFieldInput[] = [
      { name: 'ec', value: 1800, decimals: 0 },
      { name: 'ph', value: Math.fround(6.2), decimals: 2 },
      { name: 'waterLevel', value: 80, decimals: 0 },
      { name: 'tempAmbient', value: 24.5, decimals: 2 },
      { name: 'humidity', value: 60, decimals: 2 },
    ];
    expect(formatRaw(DEVICE, '1', '1700000000000', 0, fields)).toBe(vectors.signedBlock.raw);
  });

  it('pad a single digit without decimals as the firmware does, and nothing else', () => {
    const write = (value: number, places: number) =>
      formatRaw(DEVICE, '1', '2', 0, [{ name: 'ec', value, decimals: places }]).split('|')[4];
    expect(write(0, 0)).toBe('ec= 0');
    expect(write(9, 0)).toBe('ec= 9');
    expect(write(10, 0)).toBe('ec=10');
    expect(write(-5, 0)).toBe('ec=-5');
    expect(write(0, 2)).toBe('ec=0.00');
    expect(numberOf(' 0')).toEqual({ value: 0, tolerance: 0.5 });
  });

  it('read no header with other text before it', () => {
    for (const text of ['0', ' ', 'x', '|', '\n']) expect(parseRaw(`${text}${HEADER}`)).toBeNull();
  });

  it('read a name of one character, and no field without a name', () => {
    expect(parseRaw(`${HEADER}|x=1`)?.fields).toEqual(new Map([['x', { value: 1, tolerance: 0.5 }]]));
    expect(parseRaw(`${HEADER}|=1`)).toBeNull();
  });

  it('never throw on any text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.oneof(fc.string(), fc.constantFrom(HEADER, '|', 'ph', '=', '6.20', '1e999', ' ')))
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (raw) => parseRaw(raw) === null || raw.split('|').length >= 4),
      { numRuns: 1000 },
    );
  });
});

describe('parseRaw', () => {
  it('reads a header alone', () => {
    expect(parseRaw(HEADER)).toEqual({
      deviceId: DEVICE,
      seq: '1',
      timestamp: '1700000000000',
      keyVersion: '0',
      fields: new Map(),
      hasDuplicate: false,
    });
  });

  it('reads any order, any decimals and unknown names', () => {
    const content = parseRaw(`${HEADER}|humidity=60|co2=412.5|ph=6.2000|__proto__=1`);
    expect([...content!.fields.keys()]).toEqual(['humidity', 'co2', 'ph', '__proto__']);
    expect(content!.fields.get('ph')).toEqual({ value: 6.2, tolerance: 0.5e-4 });
  });

  it('reports a name that occurs twice, known or not, also with the same value', () => {
    expect(parseRaw(`${HEADER}|ph=6.2|ph=6.2`)?.hasDuplicate).toBe(true);
    expect(parseRaw(`${HEADER}|co2=1|co2=2`)?.hasDuplicate).toBe(true);
    expect(parseRaw(`${HEADER}|ph=6.2|ec=6.2`)?.hasDuplicate).toBe(false);
  });

  it.each([
    ['6.20', 6.2, 0.005],
    ['  6.20  ', 6.2, 0.005],
    ['-3', -3, 0.5],
    ['+3', 3, 0.5],
    ['-0.00', 0, 0.005],
    ['5.', 5, 0.5],
    ['.5', 0.5, 0.05],
    ['1.5e3', 1500, 50],
    ['15E-1', 1.5, 0.05],
  ])('reads the number %j', (text, value, tolerance) => {
    const read = numberOf(text);
    expect(read.value).toBe(value);
    expect(read.tolerance).toBeCloseTo(tolerance, 12);
  });

  it.each([
    ['nothing', ''],
    ['three header parts', `${DEVICE}|1|2`],
    ['a short device key', `${DEVICE.slice(1)}|1|2|0`],
    ['a device key that is not hex', `${'g'.repeat(64)}|1|2|0`],
    ['a signed seq', `${DEVICE}|-1|2|0`],
    ['a padded seq', `${DEVICE}| 1|2|0`],
    ['an empty timestamp', `${DEVICE}|1||0`],
    ['a fractional key version', `${DEVICE}|1|2|0.5`],
    ['a trailing bar', `${HEADER}|`],
    ['a trailing line feed', `${HEADER}\n`],
    ['a part without equals sign', `${HEADER}|ph`],
    ['a part without name', `${HEADER}|=6.2`],
    ['an empty number', `${HEADER}|ph=`],
    ['two numbers', `${HEADER}|ph=6 2`],
    ['a second equals sign', `${HEADER}|ph=6=2`],
    ['nan', `${HEADER}|ph=nan`],
    ['Infinity', `${HEADER}|ph=Infinity`],
    ['hexadecimal', `${HEADER}|ph=0x10`],
    ['a tab before the number', `${HEADER}|ph=\t6.2`],
    ['a decimal comma', `${HEADER}|ph=6,2`],
    ['a lone point', `${HEADER}|ph=.`],
  ])('takes %s for another composition', (_name, raw) => {
    expect(parseRaw(raw)).toBeNull();
  });
});

describe('agrees', () => {
  it('is true for values that the firmware computes in 32-bit floats and rounds', () => {
    fc.assert(
      fc.property(measurement, decimals, (value, places) => {
        const raw = numberOf(value.toFixed(places));
        const rounded = Math.fround(Math.round(Math.fround(value * 10 ** places)) / 10 ** places);
        expect(agrees(raw, value)).toBe(true);
        expect(agrees(numberOf(rounded.toFixed(places)), rounded)).toBe(true);
        // ArduinoJson writes at most nine decimals.
        expect(agrees(raw, Number(value.toFixed(9)))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('is true up to half of the last decimal and not beyond, for any value', () => {
    const thousandths = fc.integer({ min: -5_000_000, max: 5_000_000 });
    fc.assert(
      fc.property(thousandths, decimals, fc.constantFrom(-1, 1), (scaled, places, sign) => {
        const raw = numberOf((scaled / 10 ** places).toFixed(places));
        const half = 0.5 * 10 ** -places;
        expect(agrees(raw, raw.value + sign * half)).toBe(true);
        expect(agrees(raw, raw.value + sign * half * 0.999)).toBe(true);
        expect(agrees(raw, raw.value + sign * half * 1.001)).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['6.20', 6.2, true],
    ['6.20', 6.199999809, true],
    ['6.20', 6.205, true],
    ['6.20', 6.195, true],
    ['6.20', 6.2051, false],
    ['6.20', 6.1949, false],
    ['6.20', -6.2, false],
    [' 0', 0.49, true],
    [' 0', 0.51, false],
    ['-0.00', 0, true],
    ['0.00', -0, true],
    ['1800', 1800.5, true],
    ['1800', 1801, false],
    // Two units in the last place of the larger number are the slack, not more.
    ['0', 0.5000000000000002, true],
    ['0', 0.5000000000000003, false],
  ])('of raw %j and JSON %d is %s', (text, json, expected) => {
    expect(agrees(numberOf(text), json)).toBe(expected);
  });

  it.each([
    ['a value beyond a double', '9'.repeat(400), 1e308],
    ['a value and a tolerance beyond a double', '1e400', 1e308],
    ['a tolerance beyond a double', '0e999999', 7],
    ['a tolerance beyond a double, of a finite value', '0.0e310', 0],
  ])('fails on %s', (_name, text, json) => {
    expect(agrees(numberOf(text), json)).toBe(false);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'is false for the JSON number %d',
    (json) => {
      expect(agrees(numberOf('6.20'), json)).toBe(false);
      expect(agrees({ value: json, tolerance: 0.5 }, json)).toBe(false);
    },
  );
});

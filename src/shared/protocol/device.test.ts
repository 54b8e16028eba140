import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import vectors from '../../../test/vectors.json' with { type: 'json' };
import { Disposition } from './codes.ts';
import { type DeviceRegistration, deviceRegistration, dispositionFor } from './device.ts';
import { SENSOR_FIELDS } from './fields.ts';
import { parseJson64 } from './json64.ts';
import { MAX_UINT64 } from './uint64.ts';

const KEY = vectors.standardDerivation.publicKey;
const OWNER = vectors.firmwareDerivation.publicKey;
const REQUIRED = { id: KEY, mac: 'a0b1c2d3e4f5', ownerPubkey: OWNER, name: 'Tank 1' };

/** Reads a registration with some changed members. They are JSON text, so that numbers keep their digits. */
function register(changes: string) {
  return deviceRegistration.safeParse({ ...REQUIRED, ...(parseJson64(changes) as object) });
}

function registered(changes: string): DeviceRegistration {
  const result = register(changes);
  if (!result.success) throw new Error(result.error.message);
  return result.data;
}

/** Returns the reasons of a refusal, each with the path of its member. */
const issuesOf = (changes: string) =>
  register(changes).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);

const policyOf = (policy: string) => registered(`{"privacyPolicy":${policy}}`).privacyPolicy!;

describe('a registration', () => {
  it('fills in defaults', () => {
    expect(deviceRegistration.parse(REQUIRED)).toEqual({
      ...REQUIRED,
      type: 0,
      publishTo: 1,
      networks: [],
      localServers: [],
    });
  });

  it('lowercases its keys', () => {
    const sent = { ...REQUIRED, id: KEY.toUpperCase(), ownerPubkey: OWNER.toUpperCase() };
    expect(deviceRegistration.parse(sent)).toMatchObject({ id: KEY, ownerPubkey: OWNER });
  });

  it('drops unknown members, __proto__ among them', () => {
    const read = registered('{"status":2,"createdAt":1,"__proto__":{"polluted":1}}');
    expect(Object.keys(read)).not.toContain('status');
    expect(Object.keys(read)).not.toContain('__proto__');
    expect('polluted' in read || 'polluted' in {}).toBe(false);
  });

  it('reads no member from __proto__', () => {
    const body = parseJson64(`{"__proto__":${JSON.stringify(REQUIRED)}}`);
    expect(deviceRegistration.safeParse(body).success).toBe(false);
  });

  it('is what the firmware sends', () => {
    const plain = { default_disposition: 1 };
    const privacyPolicy = {
      ph: plain,
      ec: plain,
      water_level: plain,
      temp_water: plain,
      temp_ambient: plain,
      humidity: plain,
    };
    const hardware = { model: 'ESP32', firmware_version: '1.0.0' };
    const sent = { ...REQUIRED, type: 0, publishTo: 2, privacyPolicy, hardware };
    expect(deviceRegistration.parse(sent)).toEqual({ ...sent, networks: [], localServers: [] });
  });

  it.each(['id', 'mac', 'ownerPubkey', 'name'])('is refused without %s', (name) => {
    expect(register(`{"${name}":null}`).success).toBe(false);
    const { [name]: _, ...rest } = REQUIRED as Record<string, string>;
    expect(deviceRegistration.safeParse(rest).success).toBe(false);
  });

  it.each([
    `{"id":"${KEY.slice(1)}"}`,
    `{"id":"${KEY.slice(2)}zz"}`,
    `{"ownerPubkey":"${OWNER}00"}`,
    '{"mac":"A0B1C2D3E4F5"}',
    '{"mac":"a0:b1:c2:d3:e4:f5"}',
    '{"mac":"a0b1c2d3e4"}',
    '{"name":""}',
    '{"type":3}',
    '{"type":-1}',
    '{"type":0.5}',
    '{"type":"0"}',
    '{"publishTo":3}',
    '{"publishTo":true}',
    '{"networks":"a"}',
    '{"networks":[1]}',
    '{"localServers":{}}',
    '{"hardware":{}}',
    '{"hardware":{"model":"a"}}',
    '{"hardware":[]}',
    '{"ownerName":1}',
    '{"privacyPolicy":[]}',
  ])('is refused with %s', (changes) => {
    expect(register(changes).success).toBe(false);
  });

  it.each([[null], [undefined], [[]], ['device'], [1]])('is refused as %j', (body) => {
    expect(deviceRegistration.safeParse(body).success).toBe(false);
  });

  it('never throws on any JSON', () => {
    const changes = fc.dictionary(
      fc.constantFrom(...Object.keys(deviceRegistration.shape), '__proto__'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          changes.map((some) => ({ ...REQUIRED, ...some })),
        ),
        (body) => {
          const result = deviceRegistration.safeParse(body);
          expect(result.success || result.error.issues.length > 0).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('the limits of a registration', () => {
  // A character outside the basic plane is one character and two UTF-16 units.
  it.each([
    ['name', 1024],
    ['ownerName', 1024],
  ])('allow %i characters of %s, and no more', (name, limit) => {
    for (const character of ['a', '🌱']) {
      expect(register(`{"${name}":"${character.repeat(limit)}"}`).success).toBe(true);
      expect(register(`{"${name}":"${character.repeat(limit + 1)}"}`).success).toBe(false);
    }
  });

  it.each([
    ['networks', (text: string) => `{"networks":["${text}"]}`],
    ['localServers', (text: string) => `{"localServers":["${text}"]}`],
    ['hardware.model', (text: string) => `{"hardware":{"model":"${text}","firmware_version":""}}`],
    ['hardware.firmware_version', (text: string) => `{"hardware":{"model":"","firmware_version":"${text}"}}`],
    [
      'per_destination',
      (text: string) => `{"privacyPolicy":{"ph":{"default_disposition":1,"per_destination":{"${text}":1}}}}`,
    ],
  ])('let strings of %s have 256 characters and not one more', (_name, write) => {
    expect(register(write('a'.repeat(256))).success).toBe(true);
    expect(register(write('a'.repeat(257))).success).toBe(false);
  });

  it.each([
    ['name', (text: string) => ({ name: text })],
    ['ownerName', (text: string) => ({ ownerName: text })],
    ['networks', (text: string) => ({ networks: [text] })],
    ['localServers', (text: string) => ({ localServers: [text] })],
    ['hardware.model', (text: string) => ({ hardware: { model: text, firmware_version: '' } })],
    ['hardware.firmware_version', (text: string) => ({ hardware: { model: '', firmware_version: text } })],
    [
      'per_destination',
      (text: string) => ({ privacyPolicy: { ph: { default_disposition: 1, per_destination: { [text]: 1 } } } }),
    ],
  ])('let no control character and no bidirectional control into %s', (_name, members) => {
    const isTaken = (character: string) =>
      deviceRegistration.safeParse({ ...REQUIRED, ...members(`Tank${character}1`) }).success;
    const refused = ['\u0000', '\n', '\u001b', '\u007f', '\u009b', '\u202a', '\u202e', '\u2066', '\u2069'];
    expect(refused.filter(isTaken)).toEqual([]);
    expect(
      [' ', '~', '\u00a0', 'é', '日', '🌱', '\u200f', '\u2029', '\u202f', '\u2065', '\u206a'].filter(
        (each) => !isTaken(each),
      ),
    ).toEqual([]);
  });

  const texts = (length: number) => Array.from({ length }, (_, index) => `topic ${index}`);
  const destinations = (length: number) => Object.fromEntries(texts(length).map((text) => [text, 1]));

  it.each([
    ['networks', (length: number) => ({ networks: texts(length) })],
    ['localServers', (length: number) => ({ localServers: texts(length) })],
    [
      'per_destination',
      (length: number) => ({
        privacyPolicy: { ph: { default_disposition: 1, per_destination: destinations(length) } },
      }),
    ],
  ])('let %s hold 64 items and not one more', (_name, make) => {
    expect(register(JSON.stringify(make(64))).success).toBe(true);
    expect(register(JSON.stringify(make(65))).success).toBe(false);
  });
});

describe('location', () => {
  it('accepts every unsigned 64-bit integer with all its digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: MAX_UINT64 }), (location) => {
        expect(registered(`{"location":${location}}`).location).toBe(location);
      }),
    );
  });

  it.each(['0', '9007199254740993', '622485130170302463', '18446744073709551615'])('takes %s', (location) => {
    expect(registered(`{"location":${location}}`).location).toBe(BigInt(location));
  });

  it.each([
    '-1',
    '1.5',
    '9007199254740993.5',
    '18446744073709551616',
    '1e300',
    '1e400',
    '-9223372036854775808',
    '"1"',
    'null',
    '{}',
  ])('refuses %s', (location) => {
    expect(register(`{"location":${location}}`).success).toBe(false);
  });
});

describe('privacyPolicy', () => {
  it.each(SENSOR_FIELDS)('accepts $policyName under both of its names', ({ name, policyName }) => {
    const expected = { [policyName]: { default_disposition: 2 } };
    expect(policyOf(`{"${policyName}":{"default_disposition":2}}`)).toEqual(expected);
    expect(policyOf(`{"${name}":{"default_disposition":2}}`)).toEqual(expected);
  });

  const renamed = SENSOR_FIELDS.filter(({ name, policyName }) => name !== (policyName as string));

  it('has only the fields that were sent', () => {
    expect(Object.keys(policyOf('{"ph":{"default_disposition":2}}'))).toEqual(['ph']);
    expect(policyOf('{}')).toEqual({});
  });

  it.each(renamed)('refuses both names of $policyName at once, even if they agree', ({ name, policyName }) => {
    const both = `{"${policyName}":{"default_disposition":1},"${name}":{"default_disposition":1}}`;
    expect(issuesOf(`{"privacyPolicy":${both}}`)).toEqual([
      `privacyPolicy.${name}: names the same field as ${policyName}`,
    ]);
  });

  it.each(['pH', 'PH', 'waterlevel', 'water-level', 'co2', '', '__proto__', 'constructor', 'toString'])(
    'refuses the unknown name %j',
    (name) => {
      const sent = `{"ph":{"default_disposition":1},"${name}":{"default_disposition":0}}`;
      expect(register(`{"privacyPolicy":${sent}}`).success).toBe(false);
    },
  );

  it.each([
    '{}',
    '{"default_disposition":3}',
    '{"default_disposition":"1"}',
    '{"default_disposition":null}',
    '{"default_disposition":1,"per_destination":null}',
    '{"default_disposition":1,"per_destination":[]}',
    '{"default_disposition":1,"per_destination":{"a":3}}',
    '{"default_disposition":1,"per_destination":{"a":"OMIT"}}',
    '1',
    'null',
  ])('refuses the field policy %s', (policy) => {
    expect(register(`{"privacyPolicy":{"ph":${policy}}}`).success).toBe(false);
  });

  it('lowercases public keys of destinations and leaves topics as they are', () => {
    const sent = `{"ph":{"default_disposition":1,"per_destination":{"${KEY.toUpperCase()}":0,"Topic/A":2}}}`;
    expect(policyOf(sent).ph?.per_destination).toEqual({ [KEY]: 0, 'Topic/A': 2 });
  });

  it('refuses one destination twice in different case if the two differ', () => {
    const twice = (other: number) => `{"${KEY}":0,"${KEY.toUpperCase()}":${other}}`;
    const sent = (map: string) => `{"privacyPolicy":{"ph":{"default_disposition":1,"per_destination":${map}}}}`;
    expect(issuesOf(sent(twice(1)))).toEqual([
      `privacyPolicy.ph.per_destination: names destination ${KEY} twice with different dispositions`,
    ]);
    expect(registered(sent(twice(0))).privacyPolicy?.ph?.per_destination).toEqual({ [KEY]: 0 });
  });

  it('refuses a destination named __proto__, which would get lost otherwise', () => {
    const rules = '{"ph":{"default_disposition":1,"per_destination":{"__proto__":0,"a":2}}}';
    expect(issuesOf(`{"privacyPolicy":${rules}}`)).toEqual([
      'privacyPolicy.ph.per_destination.__proto__: is no name of a destination',
    ]);
  });
});

describe('dispositionFor', () => {
  const policy = policyOf(
    `{"ph":{"default_disposition":2,"per_destination":{"${KEY}":0}},"ec":{"default_disposition":0}}`,
  );

  it("uses the destination's own rule first, then the default", () => {
    expect(dispositionFor(policy, 'ph', KEY)).toBe(Disposition.OMIT);
    expect(dispositionFor(policy, 'ph', OWNER)).toBe(Disposition.ENCRYPTED);
    expect(dispositionFor(policy, 'ec', KEY)).toBe(Disposition.OMIT);
  });

  it('is PLAIN for a field that the policy leaves out', () => {
    expect(dispositionFor(policy, 'humidity', KEY)).toBe(Disposition.PLAIN);
    expect(dispositionFor({}, 'ph', KEY)).toBe(Disposition.PLAIN);
  });

  it.each(['constructor', 'toString', '__proto__'])('treats %s as no rule', (destination) => {
    expect(dispositionFor(policy, 'ph', destination)).toBe(Disposition.ENCRYPTED);
  });
});

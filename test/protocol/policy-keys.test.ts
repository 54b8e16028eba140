import { describe, expect, test } from 'vitest';
import { SENSOR_FIELDS } from '../../src/shared/protocol/fields.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, handWritten, onlyReadingOf, register } from '../support/client.ts';
import { send } from '../support/http.ts';
import { ENDPOINTS, runningNode } from '../support/node-process.ts';

const node = runningNode();
const OMIT = { default_disposition: 0 };
const PLAIN = { default_disposition: 1 };

/** As the protocol has them: the name in telemetry, and the two names that a policy may use. */
const OF_PROTOCOL = [
  ['ph', 'ph', 'ph'],
  ['ec', 'ec', 'ec'],
  ['waterLevel', 'water_level', 'waterLevel'],
  ['tempWater', 'temp_water', 'tempWater'],
  ['tempAmbient', 'temp_ambient', 'tempAmbient'],
  ['humidity', 'humidity', 'humidity'],
] as const;

const NAMES = SENSOR_FIELDS.map(({ name, policyName }) => [name, policyName, name] as const);
const ALIASES = NAMES.filter(([, snake, camel]) => snake !== camel);

test('the fields have the protocol’s names', () => {
  expect(NAMES).toEqual(expect.arrayContaining([...OF_PROTOCOL]));
});

describe.each(ENDPOINTS)('the keys of privacyPolicy, %s endpoint', (endpoint) => {
  const url = () => node.url(endpoint);

  async function registerWith(privacyPolicy: unknown) {
    const device = new SimulatedDevice();
    const reply = await register(url(), { ...device.registration(), privacyPolicy });
    return { device, reply };
  }

  /** A block with every field in plain. */
  function everyField(device: SimulatedDevice) {
    const tail = NAMES.map(([name], index) => `|${name}=${index + 1}.5`).join('');
    const json = Object.fromEntries(NAMES.map(([name], index) => [name, { plain: index + 1.5 }]));
    return handWritten(device, { tail, json });
  }

  const spellings = NAMES.flatMap(([name, snake, camel]) =>
    [...new Set([snake, camel])].map((spelling) => [spelling, name] as const),
  );

  test.each(spellings)('%s rules %s and no other field', async (spelling, name) => {
    const { device, reply } = await registerWith({ [spelling]: OMIT });
    expect(reply.status, reply.text).toBe(201);
    await accept(url(), everyField(device));
    const reading = await onlyReadingOf(url(), device.id);
    for (const [index, [other]] of NAMES.entries()) {
      expect(reading[other], other).toEqual(other === name ? null : { value: index + 1.5 });
    }
  });

  test.each(ALIASES)('both names of %s at once are refused', async (_name, snake, camel) => {
    const { device, reply } = await registerWith({ [snake]: PLAIN, [camel]: PLAIN });
    expect(reply.status).toBe(400);
    expect(reply.json).toMatchObject({ error: 'validation_error' });
    expect((await send(`${url()}/v1/devices/${device.id}`)).status).toBe(404);
  });

  test.each(['pH', 'PH', 'water-level', 'temp_watr', 'waterlevel', 'default_disposition', '', 'constructor'])(
    'an unknown key is refused: %o',
    async (key) => {
      const { reply } = await registerWith({ ph: PLAIN, [key]: OMIT });
      expect(reply.status, reply.text).toBe(400);
      expect(reply.json).toMatchObject({ error: 'validation_error' });
    },
  );

  test('__proto__ is refused like any unknown key', async () => {
    const device = new SimulatedDevice();
    const body = JSON.stringify({ ...device.registration(), privacyPolicy: { KEY: OMIT } }).replace('KEY', '__proto__');
    const reply = await send(`${url()}/v1/devices`, { method: 'POST', body });
    expect(reply.status, reply.text).toBe(400);
  });

  test('__proto__ is not a destination, and a rule for it is not dropped silently', async () => {
    const device = new SimulatedDevice();
    const rule = { ...PLAIN, per_destination: { KEY: 0, 'a/topic': 0 } };
    const body = JSON.stringify({ ...device.registration(), privacyPolicy: { ph: rule } }).replace('KEY', '__proto__');
    const reply = await send(`${url()}/v1/devices`, { method: 'POST', body });
    expect(reply.status, reply.text).toBe(400);
    const path = ['privacyPolicy', 'ph', 'per_destination', '__proto__'];
    expect(reply.json).toMatchObject({ error: 'validation_error', details: [expect.objectContaining({ path })] });
    expect((await send(`${url()}/v1/devices/${device.id}`)).status).toBe(404);
  });

  test.each(['constructor', 'toString', 'hasOwnProperty'])('the topic %s is an ordinary topic', async (topic) => {
    const { reply } = await registerWith({ ph: { ...PLAIN, per_destination: { [topic]: 0 } } });
    expect(reply.status, reply.text).toBe(201);
  });

  test('unknown members of a field policy are ignored', async () => {
    const { reply } = await registerWith({ ph: { ...PLAIN, note: 'x' } });
    expect(reply.status, reply.text).toBe(201);
  });

  test('an empty policy, and a policy of one field, are whole policies', async () => {
    expect((await registerWith({})).reply.status).toBe(201);
    expect((await registerWith({ humidity: PLAIN })).reply.status).toBe(201);
  });
});

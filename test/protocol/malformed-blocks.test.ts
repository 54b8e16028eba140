import { describe, expect, test } from 'vitest';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, handWritten, postBatchText, postBlocks, readingsOf, registeredDevice } from '../support/client.ts';
import { ENDPOINTS, runningNode } from '../support/node-process.ts';

const node = runningNode();
const NONCE = '22'.repeat(12);
const CIPHER = 'ab'.repeat(20);
const TOO_LARGE = '18446744073709551616';

/** The member that the error names (a part of it may follow after a dot), and the value that it is given. */
const WRONG: readonly (readonly [string, unknown])[] = [
  ['deviceId', undefined],
  ['deviceId', 5],
  ['deviceId', null],
  ['deviceId', 'ab'.repeat(31)],
  ['deviceId', 'zz'.repeat(32)],
  ['seq', undefined],
  ['seq', 1],
  ['seq', null],
  ['seq', ''],
  ['seq', '01'],
  ['seq', '-1'],
  ['seq', '+1'],
  ['seq', '1.0'],
  ['seq', '1e3'],
  ['seq', ' 1'],
  ['seq', '0x1'],
  ['seq', TOO_LARGE],
  ['seq', '９'],
  ['timestamp', undefined],
  ['timestamp', 1_700_000_000_000],
  ['timestamp', '00'],
  ['timestamp', 'now'],
  ['timestamp', TOO_LARGE],
  ['keyVersion', -1],
  ['keyVersion', 0.5],
  ['keyVersion', 4_294_967_296],
  ['keyVersion', '0'],
  ['signature', undefined],
  ['signature', 5],
  ['signature', 'zz'.repeat(64)],
  ['signature', `${'ab'.repeat(63)}a`],
  ['raw', undefined],
  ['raw', 5],
  ['raw', 'xy'],
  ['raw', 'abc'],
  ['raw', '7c'.repeat(1025)],
  ['ph', 6.2],
  ['ph', '6.2'],
  ['ph', true],
  ['ph', []],
  ['ph', {}],
  ['ec', { value: 5 }],
  ['ec', { plain: null }],
  ['ec', { plain: '5' }],
  ['waterLevel', { plain: 5, cipher: CIPHER, nonce: NONCE }],
  ['waterLevel', { plain: 5, nonce: NONCE }],
  ['waterLevel', { plain: 5, cipher: CIPHER }],
  ['tempWater', { cipher: CIPHER }],
  ['tempWater', { nonce: NONCE }],
  ['tempWater', { cipher: CIPHER, nonce: '22'.repeat(11) }],
  ['tempWater', { cipher: CIPHER, nonce: '22'.repeat(13) }],
  ['tempWater', { cipher: CIPHER, nonce: '' }],
  ['tempAmbient', { cipher: CIPHER, nonce: 5 }],
  ['tempAmbient', { cipher: CIPHER, nonce: 'zz'.repeat(12) }],
  ['tempAmbient', { cipher: 'ab'.repeat(15), nonce: NONCE }],
  ['humidity', { cipher: 'ab'.repeat(257), nonce: NONCE }],
  ['humidity', { cipher: `${CIPHER}a`, nonce: NONCE }],
  ['humidity', { cipher: 'zz'.repeat(20), nonce: NONCE }],
  ['humidity', { cipher: 5, nonce: NONCE }],
];

describe.each(ENDPOINTS)('malformed blocks, %s endpoint', (endpoint) => {
  const url = () => node.url(endpoint);

  test.each(WRONG)('%s: %o fails alone, with the field and the reason', async (name, value) => {
    const device = await registeredDevice(url());
    const bad = handWritten(device, { seq: 41, json: { [name]: value } });
    const result = await postBlocks(url(), [handWritten(device, { seq: 1 }), bad, handWritten(device, { seq: 2 })]);
    expect(result).toMatchObject({ status: 207, accepted: 2 });
    expect(result.errors).toHaveLength(1);
    expect(result.errors[0]!.error).toMatch(new RegExp(`^Invalid block: ${name}(\\.\\w+)?: \\S`));
    const sentSeq: unknown = bad.seq;
    expect(result.errors[0]!.seq).toBe(typeof sentSeq === 'string' ? sentSeq : '');
    expect((await readingsOf(url(), device.id)).map(({ seq }) => seq).sort()).toEqual([1n, 2n]);
  });

  test.each([[null], [5], ['block'], [[]], [[{}]], [true]])('%o in place of a block', async (bad) => {
    const device = await registeredDevice(url());
    const result = await postBlocks(url(), [bad, handWritten(device)]);
    expect(result).toMatchObject({ status: 207, accepted: 1 });
    expect(result.errors).toEqual([{ seq: '', error: expect.stringMatching(/^Invalid block: [^:]+: \S/) }]);
  });

  test('an empty object in place of a block', async () => {
    const device = await registeredDevice(url());
    const result = await postBlocks(url(), [{}, handWritten(device)]);
    expect(result).toMatchObject({ status: 207, accepted: 1 });
    expect(result.errors).toEqual([{ seq: '', error: expect.stringMatching(/^Invalid block: deviceId: \S/) }]);
  });

  test.each(['1e400', '-1e400'])('%s is not finite', async (number) => {
    const device = await registeredDevice(url());
    const block = JSON.stringify(handWritten(device, { json: { ph: { plain: 'NUMBER' } } }));
    const result = await postBatchText(url(), `{"blocks":[${block.replace('"NUMBER"', number)}]}`);
    expect(result).toMatchObject({ status: 207, accepted: 0 });
    expect(result.errors[0]!.error).toMatch(/^Invalid block: ph(\.plain)?: \S/);
    expect(await readingsOf(url(), device.id)).toEqual([]);
  });

  test('the shape is checked first', async () => {
    const stranger = new SimulatedDevice();
    const result = await postBlocks(url(), [handWritten(stranger, { json: { ph: {}, signature: '00' } })]);
    expect(result.errors[0]!.error).toMatch(/^Invalid block: ph: /);
  });
});

describe.each(ENDPOINTS)('valid blocks at their limits, %s endpoint', (endpoint) => {
  const url = () => node.url(endpoint);

  test.each([
    ['a null field', { ph: null, ec: null, humidity: null }],
    ['a missing keyVersion', { keyVersion: undefined }],
    ['a cipher of 16 bytes', { ph: { cipher: 'ab'.repeat(16), nonce: NONCE } }],
    ['a cipher of 256 bytes', { ph: { cipher: 'ab'.repeat(256), nonce: NONCE } }],
    ['unknown members', { colour: 'green', soil: { plain: 'x' }, receivedAt: 'never' }],
    ['an unknown member of a field', { ph: { plain: 6.2, unit: 'pH' } }],
    ['a very large number', { ph: { plain: 1e308 } }],
    ['a very small number', { ph: { plain: -5e-324 } }],
  ])('%s', async (_what, json) => {
    const device = await registeredDevice(url());
    await accept(url(), handWritten(device, { json }));
    expect(await readingsOf(url(), device.id)).toHaveLength(1);
  });

  test('keyVersion 2^32-1', async () => {
    const device = await registeredDevice(url());
    await accept(url(), handWritten(device, { keyVersion: 4_294_967_295 }));
  });

  test('raw of 1 KiB', async () => {
    const device = await registeredDevice(url());
    await accept(url(), handWritten(device, { raw: 'x'.repeat(1024) }));
  });

  test('members with a meaning in JavaScript are ordinary members', async () => {
    const device = await registeredDevice(url());
    const block = JSON.stringify(handWritten(device, { json: { constructor: 1, toString: 2 } }));
    const text = block.replace(/^\{/, '{"__proto__":{"ph":{"plain":5}},');
    expect(await postBatchText(url(), `{"blocks":[${text}]}`)).toEqual({ status: 200, accepted: 1, errors: [] });
    expect((await readingsOf(url(), device.id))[0]).toMatchObject({ ph: null });
  });
});

import { describe, expect, test } from 'vitest';
import {
  accept,
  type HandWritten,
  handWritten,
  onlyReadingOf,
  readingsOf,
  refuse,
  registeredDevice,
} from '../support/client.ts';
import { ENDPOINTS, runningNode } from '../support/node-process.ts';

const node = runningNode();
const NONCE = '22'.repeat(12);
const CIPHER = 'ab'.repeat(20);
const plain = (value: number) => ({ plain: value });

/** The signed string, the JSON beside it, and the stored reading. */
const AGREEING: readonly (readonly [string, HandWritten, object])[] = [
  ['the same text', { tail: '|ph=6.20', json: { ph: plain(6.2) } }, { ph: { value: 6.2 } }],
  ['a 32-bit float', { tail: '|ph=6.20', json: { ph: plain(6.199999809) } }, { ph: { value: 6.2 } }],
  ['half of the last decimal above', { tail: '|ph=6.20', json: { ph: plain(6.205) } }, { ph: { value: 6.2 } }],
  ['half of the last decimal below', { tail: '|ph=6.20', json: { ph: plain(6.195) } }, { ph: { value: 6.2 } }],
  ['half of a whole number', { tail: '|ec=1800', json: { ec: plain(1799.5) } }, { ec: { value: 1800 } }],
  ['one decimal', { tail: '|tempAmbient=24.5', json: { tempAmbient: plain(24.46) } }, { tempAmbient: { value: 24.5 } }],
  ['six decimals', { tail: '|ph=6.123457', json: { ph: plain(6.1234568) } }, { ph: { value: 6.123457 } }],
  ['a padded digit', { tail: '|ec= 0', json: { ec: plain(0) } }, { ec: { value: 0 } }],
  ['spaces around', { tail: '|ec=  12  ', json: { ec: plain(12) } }, { ec: { value: 12 } }],
  ['minus zero in raw', { tail: '|tempAmbient=-0.00', json: { tempAmbient: plain(0) } }, { tempAmbient: { value: 0 } }],
  [
    'a rounded minus zero',
    { tail: '|tempAmbient=-0.00', json: { tempAmbient: plain(-0.004) } },
    { tempAmbient: { value: 0 } },
  ],
  [
    'a negative value',
    { tail: '|tempWater=-3.25', json: { tempWater: plain(-3.25) } },
    { tempWater: { value: -3.25 } },
  ],
  [
    'another order',
    { tail: '|humidity=60.00|ph=6.20', json: { ph: plain(6.2), humidity: plain(60) } },
    { ph: { value: 6.2 }, humidity: { value: 60 } },
  ],
  ['an unknown name beside', { tail: '|ph=6.20|soil=3', json: { ph: plain(6.2) } }, { ph: { value: 6.2 } }],
  [
    'a sealed field beside',
    { tail: '|ph=6.20', json: { ph: plain(6.2), ec: { cipher: CIPHER, nonce: NONCE } } },
    { ph: { value: 6.2 }, ec: { encrypted: CIPHER } },
  ],
  ['a null field beside', { tail: '|ph=6.20', json: { ph: plain(6.2), ec: null } }, { ph: { value: 6.2 }, ec: null }],
  ['the header alone, no values', {}, { ph: null, ec: null }],
  ['the header alone binds no value', { json: { ph: plain(7.125) } }, { ph: { value: 7.125 } }],
  ['another key version', { keyVersion: 7, tail: '|ph=6.20', json: { ph: plain(6.2) } }, { ph: { value: 6.2 } }],
  [
    'key version 0, left out of the JSON',
    { tail: '|ph=6.20', json: { ph: plain(6.2), keyVersion: undefined } },
    { ph: { value: 6.2 } },
  ],
];

const DISAGREEING: readonly (readonly [string, HandWritten])[] = [
  ['seq', { json: { seq: '2' } }],
  ['timestamp', { json: { timestamp: '1700000000001' } }],
  ['key version', { json: { keyVersion: 1 } }],
  ['key version 1, left out of the JSON', { keyVersion: 1, json: { keyVersion: undefined } }],
  ['seq, beside values that agree', { tail: '|ph=6.20', json: { seq: '2', ph: plain(6.2) } }],
  ['a value beyond the rounding', { tail: '|ph=6.20', json: { ph: plain(6.206) } }],
  ['a value below the rounding', { tail: '|ph=6.20', json: { ph: plain(6.194) } }],
  ['a whole number beyond the rounding', { tail: '|ec=1800', json: { ec: plain(1800.6) } }],
  ['the sign', { tail: '|tempAmbient=3.00', json: { tempAmbient: plain(-3) } }],
  ['a value that only raw has', { tail: '|ph=6.20|ec=900', json: { ph: plain(6.2) } }],
  ['a value that only raw has, null in the JSON', { tail: '|ph=6.20', json: { ph: null } }],
  [
    'a value that only raw has, sealed in the JSON',
    { tail: '|ph=6.20', json: { ph: { cipher: CIPHER, nonce: NONCE } } },
  ],
  ['a value that only the JSON has', { tail: '|ph=6.20', json: { ph: plain(6.2), ec: plain(900) } }],
  ['a value beside raw of another name', { tail: '|soil=3', json: { ph: plain(6.2) } }],
  ['swapped names', { tail: '|ph=6.20|ec=7', json: { ph: plain(7), ec: plain(6.2) } }],
  ['a name twice', { tail: '|ph=6.20|ph=6.20', json: { ph: plain(6.2) } }],
  ['a name twice, with two values', { tail: '|ph=6.20|ph=7.20', json: { ph: plain(6.2) } }],
  ['an unknown name twice', { tail: '|ph=6.20|soil=3|soil=3', json: { ph: plain(6.2) } }],
];

/** Signed text that does not follow the grammar. */
const OTHER_COMPOSITIONS: readonly (readonly [string, string | Uint8Array])[] = [
  ['free text', 'hello'],
  ['JSON', '{"seq":99}'],
  ['three parts', `${'ab'.repeat(32)}|99|5`],
  ['a short id', 'abcd|99|5|0'],
  ['a value that is no number', `${'ab'.repeat(32)}|99|5|0|ph=nan`],
  ['an empty part at the end', `${'ab'.repeat(32)}|99|5|0|`],
  ['a part without a value', `${'ab'.repeat(32)}|99|5|0|ph`],
  ['bytes that are no UTF-8', Uint8Array.of(0xff, 0xfe, 0x00)],
];

describe.each(ENDPOINTS)('RAW_BINDING=known, %s endpoint', (endpoint) => {
  const url = () => node.url(endpoint);

  test.each(AGREEING)('%s: agrees, and raw’s number is stored', async (_what, content, stored) => {
    const device = await registeredDevice(url());
    await accept(url(), handWritten(device, content));
    expect(await onlyReadingOf(url(), device.id)).toMatchObject(stored);
  });

  test.each(DISAGREEING)('%s: disagrees, and nothing is stored', async (_what, content) => {
    const device = await registeredDevice(url());
    expect(await refuse(url(), handWritten(device, content))).toBe(`Raw/JSON mismatch for device ${device.id}`);
    expect(await readingsOf(url(), device.id)).toEqual([]);
  });

  test('raw of another device: disagrees', async () => {
    const device = await registeredDevice(url());
    const other = await registeredDevice(url());
    const block = handWritten(device, { raw: `${other.id}|1|1700000000000|0` });
    expect(await refuse(url(), block)).toBe(`Raw/JSON mismatch for device ${device.id}`);
  });

  test.each(OTHER_COMPOSITIONS)('raw of another composition (%s): only the signature counts', async (_what, raw) => {
    const device = await registeredDevice(url());
    const block = handWritten(device, { seq: 5, raw, json: { ph: plain(6.206) } });
    expect(await refuse(url(), { ...block, signature: '00'.repeat(64) })).toBe(
      `Invalid signature for device ${device.id}`,
    );
    await accept(url(), block);
    expect(await onlyReadingOf(url(), device.id)).toMatchObject({ seq: 5n, ph: { value: 6.206 } });
  });
});

describe('RAW_BINDING=strict', () => {
  const strict = runningNode({ env: { RAW_BINDING: 'strict' } });

  describe.each(ENDPOINTS)('%s endpoint', (endpoint) => {
    test.each(OTHER_COMPOSITIONS)('raw of another composition (%s) is refused', async (_what, raw) => {
      const device = await registeredDevice(strict.url(endpoint));
      const block = handWritten(device, { raw, json: { ph: plain(6.2) } });
      expect(await refuse(strict.url(endpoint), block)).toBe(`Raw/JSON mismatch for device ${device.id}`);
      expect(await readingsOf(strict.url(endpoint), device.id)).toEqual([]);
    });

    test.each(AGREEING)('%s: agrees as under known', async (_what, content, stored) => {
      const device = await registeredDevice(strict.url(endpoint));
      await accept(strict.url(endpoint), handWritten(device, content));
      expect(await onlyReadingOf(strict.url(endpoint), device.id)).toMatchObject(stored);
    });

    test.each(DISAGREEING)('%s: disagrees as under known', async (_what, content) => {
      const device = await registeredDevice(strict.url(endpoint));
      expect(await refuse(strict.url(endpoint), handWritten(device, content))).toBe(
        `Raw/JSON mismatch for device ${device.id}`,
      );
    });
  });
});

describe('RAW_BINDING=off', () => {
  const off = runningNode({ env: { RAW_BINDING: 'off' } });

  describe.each(ENDPOINTS)('%s endpoint', (endpoint) => {
    test.each(DISAGREEING)('%s: only the signature counts', async (_what, content) => {
      const device = await registeredDevice(off.url(endpoint));
      await accept(off.url(endpoint), handWritten(device, content));
      const seq = (content.json?.seq as string | undefined) ?? '1';
      expect((await onlyReadingOf(off.url(endpoint), device.id)).seq).toBe(BigInt(seq));
    });

    test.each(OTHER_COMPOSITIONS)('raw of another composition (%s) is accepted', async (_what, raw) => {
      const device = await registeredDevice(off.url(endpoint));
      await accept(off.url(endpoint), handWritten(device, { raw, json: { ph: plain(6.2) } }));
      expect((await onlyReadingOf(off.url(endpoint), device.id)).ph).toEqual({ value: 6.2 });
    });

    test('a signature is still needed', async () => {
      const device = await registeredDevice(off.url(endpoint));
      const block = handWritten(device, { json: { signature: '00'.repeat(64) } });
      expect(await refuse(off.url(endpoint), block)).toBe(`Invalid signature for device ${device.id}`);
    });
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseKeyImport } from './key-import.ts';

const DEVICE = 'd0'.repeat(32);
const KEY = 'ab'.repeat(32);
const OTHER = 'cd'.repeat(32);
const context = { deviceId: DEVICE, keyVersion: 4 };
const two = [
  { deviceId: DEVICE, keyVersion: 1, keyHex: KEY },
  { deviceId: DEVICE, keyVersion: 2, keyHex: OTHER },
];
const wrong = (...errors: [number, string][]) => {
  return { ok: false, errors: errors.map(([position, problem]) => ({ position, problem })) };
};

describe('one key in hex', () => {
  it.each([
    ['plain', KEY],
    ['in upper case with a prefix', `0x${KEY.toUpperCase()}`],
    ['in groups', `\n ${KEY.match(/../g)!.join(':')} `],
    ['over two lines', `${KEY.slice(0, 32)}\n${KEY.slice(32)}`],
  ])('is taken for the device and version at hand: %s', (_name, text) => {
    expect(parseKeyImport(text, context)).toEqual({ ok: true, keys: [{ ...context, keyHex: KEY }] });
  });

  it.each(['', 'ab', `${KEY}00`, `${KEY.slice(2)}zz`, 'hello'])('is refused as %j', (text) => {
    expect(parseKeyImport(text, context)).toEqual(wrong([1, 'key']));
  });

  it('is refused without its device', () => {
    expect(parseKeyImport(KEY, null)).toEqual(wrong([1, 'columns']));
  });
});

describe('a list', () => {
  const rows = two.map(({ deviceId, keyVersion, keyHex }) => [deviceId, keyVersion, keyHex] as const);

  it.each([
    ['JSON', JSON.stringify(two.map(({ keyHex, ...rest }) => ({ ...rest, key: keyHex })))],
    [
      'JSON after spaces, with spaces in its values',
      `\ufeff ${JSON.stringify(
        two.map((key) => ({ id: ` ${key.deviceId}`, version: ` ${key.keyVersion} `, key: `${key.keyHex}\n` })),
      )}`,
    ],
    ['JSON within keys', JSON.stringify({ keys: two })],
    [
      'JSON in snake case',
      JSON.stringify(
        two.map((key) => ({ device_id: key.deviceId, key_version: String(key.keyVersion), key: key.keyHex })),
      ),
    ],
    ['CSV', rows.map((row) => row.join(',')).join('\n')],
    ['CSV with a heading', `deviceId,keyVersion,key\r\n${rows.map((row) => row.join(', ')).join('\r\n')}\r\n\r\n`],
    ['CSV in another order', `Key;Device ID;Key version\n${rows.map(([a, b, c]) => [c, a, b].join(';')).join('\n')}`],
    ['CSV from a spreadsheet', `\ufeff${rows.map((row) => row.map((cell) => `"${cell}"`).join('\t')).join('\r\n')}`],
    ['with an item twice', [...rows, rows[0]!].map((row) => row.join(',')).join('\n')],
    ['in upper case', rows.map((row) => row.join(',').toUpperCase()).join('\n')],
  ])('is read: %s', (_name, text) => {
    expect(parseKeyImport(text, null)).toEqual({ ok: true, keys: two });
  });

  it('of one object is read, with the first and the last version', () => {
    for (const keyVersion of [0, 2 ** 32 - 1]) {
      const one = { ...two[0], keyVersion };
      expect(parseKeyImport(JSON.stringify(one), null)).toEqual({ ok: true, keys: [one] });
    }
  });

  it('with errors reports each by its place, and imports no key', () => {
    const lines = [
      'device,version,key',
      `${DEVICE},1,${KEY}`,
      `${DEVICE},1,${OTHER}`,
      '',
      `nobody,1,${KEY}`,
      `${DEVICE},-1,${KEY}`,
      `${DEVICE},4294967296,${KEY}`,
      `${DEVICE},2,${KEY}00`,
      `${DEVICE},2`,
      `${DEVICE},2,${KEY},${OTHER}`,
      `${DEVICE},02,${KEY}`,
    ];
    expect(parseKeyImport(lines.join('\n'), context)).toEqual(
      wrong(
        [3, 'twice'],
        [5, 'device'],
        [6, 'version'],
        [7, 'version'],
        [8, 'key'],
        [9, 'columns'],
        [10, 'columns'],
        [11, 'version'],
      ),
    );
  });

  it.each([
    ['[', [[1, 'columns']]],
    ['[]', [[1, 'columns']]],
    ['{"keys":[]}', [[1, 'columns']]],
    [
      '[null,7,"x"]',
      [
        [1, 'columns'],
        [2, 'columns'],
        [3, 'columns'],
      ],
    ],
    ['{}', [[1, 'device']]],
    [
      JSON.stringify([
        { ...two[0], keyVersion: 1.5 },
        { ...two[0], keyVersion: null },
      ]),
      [
        [1, 'version'],
        [2, 'version'],
      ],
    ],
    [JSON.stringify([{ ...two[0], keyVersion: -1 }]), [[1, 'version']]],
    [JSON.stringify([{ ...two[0], keyHex: 7 }]), [[1, 'key']]],
    [`${DEVICE},1,[${KEY}]`, [[1, 'key']]],
    [`${DEVICE},1,ab"${KEY.slice(2)}"`, [[1, 'key']]],
    [`${DEVICE},1,${KEY}\n,2,${KEY}`, [[2, 'device']]],
    [',,', [[1, 'columns']]],
  ] as [string, [number, string][]][])('is refused as %s', (text, errors) => {
    expect(parseKeyImport(text, null)).toEqual(wrong(...errors));
  });
});

it('never throws, and quotes no input in its errors', () => {
  const word = fc.constantFrom(KEY, DEVICE, ',', ';', '\n', '"', '[', '{', '}', ']', ':', '0x', '1', 'key', 'deviceId');
  fc.assert(
    fc.property(fc.array(fc.oneof(word, fc.string()), { maxLength: 12 }), (parts) => {
      const read = parseKeyImport(parts.join(''), null);
      if (!read.ok) expect(JSON.stringify(read)).toMatch(/^[^0-9a-f]*("ok"|[a-z":,{}[\]]|\d{1,3}(?!\d))*$/);
      else for (const { keyHex } of read.keys) expect(keyHex).toMatch(/^[0-9a-f]{64}$/);
    }),
  );
});

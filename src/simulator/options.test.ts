import { expect, test } from 'vitest';
import { parseOptions, UsageError } from './options.ts';

test('without flags: three devices that post to the local endpoint', () => {
  const options = parseOptions([]);
  expect(options).toMatchObject({ url: 'http://127.0.0.1:3001', devices: 3, intervalMs: 60_000, backfill: 500 });
  expect(options).toMatchObject({ speed: 60, keyVersion: 0, publishTo: 2, once: false, hasClock: true });
  expect(options?.encrypt.size).toBe(0);
  expect(options?.state).toMatch(/simulator\.json$/);
});

test('reads every flag', () => {
  const flags = '--url http://[::1]:8/ --devices 2 --interval 0.5 --backfill 0 --speed 1.5 --encrypt ph,ec --once';
  const more = '--key-version 4294967295 --publish-to 0 --state /x/y --no-clock --drift ph=low,ec=high';
  const phrase = Array(12).fill('abandon').join('  ');
  const options = parseOptions([...flags.split(' '), ...more.split(' '), '--owner-phrase', phrase]);
  expect(options).toEqual({
    url: 'http://[::1]:8',
    devices: 2,
    intervalMs: 500,
    backfill: 0,
    speed: 1.5,
    encrypt: new Set(['ph', 'ec']),
    keyVersion: 4294967295,
    publishTo: 0,
    state: '/x/y',
    once: true,
    hasClock: false,
    drift: new Map([
      ['ph', 'low'],
      ['ec', 'high'],
    ]),
    ownerPhrase: Array(12).fill('abandon').join(' '),
    portal: null,
  });
});

test('--portal: one device with a page of its own', () => {
  expect(parseOptions(['--portal'])).toMatchObject({
    devices: 1,
    portal: { host: '127.0.0.1', port: 8090, battery: 87, failed: new Set() },
  });
  expect(parseOptions(['--portal', '--portal-address', '10.78.0.3:80'])?.portal).toMatchObject({
    host: '10.78.0.3',
    port: 80,
  });
  const flags = '--portal --portal-address [::1]:0 --battery 9 --failed-sensors tds,dht --devices 2';
  expect(parseOptions(flags.split(' '))).toMatchObject({
    devices: 2,
    portal: { host: '::1', port: 0, battery: 9, failed: new Set(['tds', 'dht']) },
  });
});

test('--help asks for help', () => {
  expect(parseOptions(['--help', '--devices', '2'])).toBe(null);
});

test.each([
  [['--colour', 'red'], "Unknown option '--colour'"],
  [['extra'], "Unexpected argument 'extra'"],
  [['--devices'], "Option '--devices <value>' argument missing"],
  [['--once=yes'], "Option '--once' does not take an argument"],
  [['--devices', '0'], '--devices must be a whole number from 1 to 1000, not "0"'],
  [['--devices', '2.5'], '--devices must be'],
  [['--devices', ''], '--devices must be'],
  [['--interval', '0'], '--interval must be'],
  [['--interval', '1e3'], '--interval must be'],
  [['--backfill=-1'], '--backfill must be'],
  [['--speed', 'fast'], '--speed must be'],
  [['--speed', 'Infinity'], '--speed must be'],
  [['--key-version', '4294967296'], '--key-version must be'],
  [['--publish-to', '3'], '--publish-to must be'],
  [['--publish-to', '02'], '--publish-to must be'],
  [['--encrypt', 'ph,colour'], 'not "colour"'],
  [['--drift', 'ph'], 'not "ph"'],
  [['--drift', 'ph=up'], '--drift takes fields with low or high'],
  [['--encrypt', 'water_level'], '--encrypt names fields of'],
  [['--url', '127.0.0.1:3001'], '--url must be'],
  [['--url', 'ftp://127.0.0.1'], '--url must be'],
  [['--portal', '--url', 'http://127.0.0.1:1'], '--portal: servers are entered at the device'],
  [['--portal', '--portal-address', 'http://x'], '--portal-address must be an address with a port'],
  [['--portal', '--battery', '101'], '--battery must be'],
  [['--portal', '--failed-sensors', 'ph'], '--failed-sensors names sensors of'],
  [['--state', ''], '--state must not be empty'],
  [['--owner-phrase', 'too few'], '--owner-phrase must have 12, 15, 18, 21 or 24 words, not 2'],
])('%j is an error in one line', (args, message) => {
  expect(() => parseOptions(args)).toThrow(UsageError);
  expect(() => parseOptions(args)).toThrow(message);
  expect(() => parseOptions(args)).toThrow(/^[^\n]*$/);
});

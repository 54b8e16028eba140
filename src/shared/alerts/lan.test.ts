import { expect, it } from 'vitest';
import { isOnLan, isPlainBeyondLan } from './lan.ts';

it.each([
  ...['localhost', 'LOCALHOST', 'nas', 'nas.local', 'well.lan', 'pi.fritz.home.arpa', 'a.internal', 'nas.local.'],
  ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.20', '169.254.1.1', '100.64.0.1'],
  ...['[::1]', '::1', '[fd00::1]', 'fe80::1', '::ffff:192.168.1.2', '[::ffff:c0a8:102]'],
])('%s is on this network', (host) => {
  expect(isOnLan(host)).toBe(true);
});

it.each([
  ...['ntfy.sh', 'example.local.com', 'mylan.example', '8.8.8.8', '172.15.0.1', '172.32.0.1', '192.169.0.1'],
  ...[
    '100.63.0.1',
    '100.128.0.1',
    '[2001:db8::1]',
    '::ffff:8.8.8.8',
    '[::ffff:808:808]',
    '10.0.0.256.example',
    '11.0.0.1',
    '10.0.0.256',
    '[fec0::1]',
  ],
])('%s is beyond it', (host) => {
  expect(isOnLan(host)).toBe(false);
});

it('warns of plain HTTP beyond this network alone', () => {
  const warns = (url: string) => isPlainBeyondLan(new URL(url));
  expect(warns('http://ntfy.sh')).toBe(true);
  expect(warns('https://ntfy.sh')).toBe(false);
  expect(warns('http://192.168.1.20:8080/hook')).toBe(false);
  // A plain number that is a public address.
  expect(warns('http://134744072/')).toBe(true);
  expect(warns('http://0x7f.1/')).toBe(false);
});

import { describe, expect, it } from 'vitest';
import { isOwnMachine, isPrivateAddress } from './private-address.ts';

describe('a private address', () => {
  it.each([
    ...['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.254', '192.168.1.5', '100.64.0.1', '100.127.255.255'],
    ...['169.254.3.4', '127.0.0.1', '127.9.9.9', '::1', 'fc00::1', 'fd12:3456::1', 'FD00::A', 'fe80::1', 'febf::1'],
    ...['fe80::1%eth0', 'fe80::1%12', '0:0:0:0:0:0:0:1'],
  ])('is %s', (address) => expect(isPrivateAddress(address)).toBe(true));

  it.each([
    ...[
      '0.0.0.0',
      '::',
      '0:0:0:0:0:0:0:0',
      '8.8.8.8',
      '11.0.0.1',
      '172.15.0.1',
      '172.32.0.1',
      '192.169.0.1',
      '192.167.1.1',
    ],
    ...[
      '100.63.0.1',
      '100.128.0.1',
      '169.253.0.1',
      '126.0.0.1',
      '2001:db8::1',
      'fb00::1',
      'fe00::1',
      'fec0::1',
      'ff02::1',
    ],
    ...[
      '::ffff:10.0.0.1',
      '::10.0.0.1',
      '10.0.0',
      '10.0.0.1.2',
      '010.0.0.1',
      '10.0.0.256',
      'localhost',
      'node.lan',
      '',
    ],
    ...[
      ' 10.0.0.1',
      '10.0.0.1 ',
      '10.0.0.1:8080',
      '[fe80::1]',
      'fe80::1%',
      'fe80::1%a%b',
      'fd00::1%eth0',
      'fe80::1%a b',
    ],
  ])('is not %s', (address) => expect(isPrivateAddress(address)).toBe(false));
});

it.each([
  ...['127.0.0.1', '127.9.9.9', '0.0.0.0', '::', '::1', '0:0:0:0:0:0:0:1', 'localhost', 'LOCALHOST.', 'a.localhost'],
  ...['169.254.1.1', 'fe80::1', 'fe80::1%eth0', '::ffff:127.0.0.1', '::ffff:7f00:1'],
])('recognises %j as this machine or its own network', (host) => {
  expect(isOwnMachine(host)).toBe(true);
});

it.each([
  '192.168.1.5',
  '10.0.0.1',
  '8.8.8.8',
  'fd00::1',
  '2001:db8::1',
  'shed.local',
  '::ffff:192.168.1.5',
  'x.example',
])('does not recognise %j as such', (host) => {
  expect(isOwnMachine(host)).toBe(false);
});

import { expect, it } from 'vitest';
import { clientKey } from '../../common/client-key.ts';
import { Patience } from './patience.ts';

it('an address waits twice as long after each wrong try, up to a minute, and starts over after a right one', () => {
  let now = 0;
  const patience = new Patience(() => now);
  const waits = Array.from({ length: 9 }, () => {
    patience.wrong('192.168.1.5');
    const wait = patience.wait('192.168.1.5');
    expect(patience.wait('192.168.1.6')).toBe(0);
    now += wait * 1000;
    expect(patience.wait('192.168.1.5')).toBe(0);
    return wait;
  });
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  patience.right('192.168.1.5');
  patience.wrong('192.168.1.5');
  expect(patience.wait('192.168.1.5')).toBe(1);
  now += 16 * 60_000;
  patience.wrong('192.168.1.5');
  expect(patience.wait('192.168.1.5')).toBe(1);
});

it('an address that waits out its delay does not start over, but one without a wrong try for a quarter of an hour does', () => {
  let now = 0;
  const patience = new Patience(() => now);
  for (let tries = 0; tries < 7; tries += 1) patience.wrong('192.168.1.5');
  now += 15 * 60_000;
  patience.wrong('192.168.1.5');
  expect(patience.wait('192.168.1.5')).toBe(60);
  now += 15 * 60_000 + 1;
  patience.wrong('192.168.1.5');
  expect(patience.wait('192.168.1.5')).toBe(1);
});

it('a right try from one address of an IPv6 network ends the wait of the whole network', () => {
  const patience = new Patience(() => 0);
  patience.wrong('fd00:1:2:3::7');
  expect(patience.wait('fd00:1:2:3::8')).toBe(1);
  patience.right('fd00:1:2:3::8');
  expect(patience.wait('fd00:1:2:3::7')).toBe(0);
});

it('a thousand addresses wait; a further one replaces the address whose last wrong try is oldest', () => {
  const patience = new Patience(() => 0);
  const addresses = Array.from({ length: 1000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
  for (const address of addresses) patience.wrong(address);
  expect(addresses.every((address) => patience.wait(address) === 1)).toBe(true);
  patience.wrong(addresses[0]!);
  patience.wrong('10.1.0.0');
  expect(['10.1.0.0', ...addresses.slice(0, 3)].map((address) => patience.wait(address))).toEqual([1, 2, 0, 1]);
});

it.each([
  ['10.0.0.1', '10.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['fd00:1:2:3::7', 'fd00:1:2:3'],
  ['fd00:1:2:3:aaaa:bbbb:cccc:dddd', 'fd00:1:2:3'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
])('%s counts as %s', (address, key) => {
  expect(clientKey(address)).toBe(key);
});

import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { TrustedProxies } from './trusted-proxies.ts';

const proxies = new TrustedProxies(['10.0.0.0/8', '192.0.2.1', 'fd00::/8', '2001:db8::1']);

/** Sends a request from an address through the guard. Returns the refusal and the remaining client address. */
function guarded(
  remoteAddress: string | undefined,
  headers: Record<string, string>,
): [string | null, string | undefined] {
  const request = { socket: { remoteAddress }, headers: { ...headers } } as unknown as IncomingMessage;
  return [proxies.guard(request), request.headers['x-forwarded-for'] as string | undefined];
}

describe('trusted proxies', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['198.51.100.7, 203.0.113.9', '203.0.113.9'],
    ['127.0.0.1, 203.0.113.9, 10.1.2.3', '203.0.113.9'],
    ['203.0.113.9:4711', '203.0.113.9'],
    ['[2001:db8::5]:4711', '2001:db8::5'],
    ['[2001:db8::5]', '2001:db8::5'],
    ['2001:db8::5', '2001:db8::5'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::FFFF:203.0.113.9', '203.0.113.9'],
    ['[::ffff:203.0.113.9]:4711', '203.0.113.9'],
    ['::ffff:5', '::ffff:5'],
    ['1::ffff:203.0.113.9', '1::ffff:203.0.113.9'],
    ['  203.0.113.9 , 10.0.0.5:80 ,[fd00::7]:80', '203.0.113.9'],
    ['203.0.113.9:', undefined],
    ['203.0.113.9:80x', undefined],
    ['203.0.113.9:80:80', undefined],
    ['[203.0.113.9', undefined],
    ['[2001:db8::5]x', undefined],
    ['x[2001:db8::5]', undefined],
    ['', undefined],
    ['nonsense', undefined],
    ['203.0.113.9, nonsense', undefined],
    ['10.0.0.5', undefined],
  ])('X-Forwarded-For: %s is from %s', (told, client) => {
    for (const from of ['10.9.9.9', '::ffff:10.9.9.9', '192.0.2.1', 'fd00::1', '2001:db8::1']) {
      expect(guarded(from, { 'x-forwarded-for': told })).toEqual([null, client]);
    }
  });

  it('may be a network: every sender in it counts as a proxy', () => {
    expect(guarded('10.0.0.1', { 'x-forwarded-for': '203.0.113.1, 10.0.0.5' })).toEqual([null, '203.0.113.1']);
    expect(guarded('192.0.2.1', { 'x-forwarded-for': '203.0.113.1, 192.0.2.77' })).toEqual([null, '192.0.2.77']);
  });

  it('may omit their client', () => {
    expect(guarded('10.0.0.1', { via: '1.1 proxy' })).toEqual([null, undefined]);
    expect(guarded('10.0.0.1', {})).toEqual([null, undefined]);
  });
});

it.each([
  ...['10.0.0.0', '10.255.255.255', '::ffff:10.0.0.1', '::FFFF:192.0.2.1', '192.0.2.1', 'fd00::', 'fdff::1'],
  '2001:db8::1',
])('%s is a trusted proxy', (address) => {
  expect(proxies.has(address)).toBe(true);
  expect(new TrustedProxies([]).has(address)).toBe(false);
});

it.each([
  ...['9.255.255.255', '11.0.0.0', '192.0.2.0', '192.0.2.2', 'fc00::1', 'fe00::1', '2001:db8::', '2001:db8::2'],
  ...['', '10', '10.0.0', 'nonsense', '10.0.0.1:80', '[fd00::1]', '::ffff:11.0.0.1'],
])('%s is not', (address) => {
  expect(proxies.has(address)).toBe(false);
});

it('refuses requests that any other sender forwarded', () => {
  for (const from of ['192.0.2.2', '2001:db8::2', '', undefined]) {
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) {
      const told = name === 'x-forwarded-for' ? '10.0.0.1' : undefined;
      expect(guarded(from, { [name]: '10.0.0.1' })).toEqual(['forwarded_request', told]);
    }
    expect(guarded(from, {})).toEqual([null, undefined]);
  }
});

import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { TrustedProxies } from './trusted-proxies.ts';

const proxies = new TrustedProxies(['10.0.0.0/8', '192.0.2.1', 'fd00::/8']);

/** Sends a request from an address through the guard. Returns the refusal and the remaining client address. */
function guarded(remoteAddress: string, headers: Record<string, string>): [string | null, string | undefined] {
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
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['nonsense', undefined],
    ['203.0.113.9, nonsense', undefined],
    ['10.0.0.5', undefined],
  ])('X-Forwarded-For: %s is from %s', (told, client) => {
    for (const from of ['10.9.9.9', '::ffff:10.9.9.9', '192.0.2.1', 'fd00::1']) {
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

it('refuses requests that any other sender forwarded', () => {
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) {
    expect(guarded('192.0.2.2', { [name]: '10.0.0.1' })[0]).toBe('forwarded_request');
  }
  expect(guarded('192.0.2.2', {})).toEqual([null, undefined]);
});

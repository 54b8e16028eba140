import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import {
  guardDoorRequest,
  guardGateRequest,
  guardLocalRequest,
  hostName,
  isForwarded,
  isListedHost,
  isLiteral,
  isLoopbackName,
} from './guards.ts';

type Headers = readonly (readonly [name: string, value: string])[];

/** Returns a request as Node hands it over: names in lowercase, and of a repeated header the first value. */
function request(sent: Headers, method = 'GET'): IncomingMessage {
  const values = Map.groupBy(sent, ([name]) => name.toLowerCase());
  const headersDistinct = Object.fromEntries([...values].map(([name, all]) => [name, all.map(([, value]) => value)]));
  const headers = Object.fromEntries([...values].map(([name, [first]]) => [name, first![1]]));
  return { method, headers, headersDistinct } as unknown as IncomingMessage;
}

const LISTED = ['well.lan', '203.0.113.7', '2001:db8::7'];
const local = (...headers: Headers) => guardLocalRequest(request(headers), LISTED);
const HERE = ['Host', 'localhost:3001'] as const;
const THERE = ['Host', 'well.lan'] as const;
const PROXIED = ['Via', '1.1 proxy'] as const;

describe('the name of a host', () => {
  it.each([
    ['localhost', 'localhost'],
    ['LocalHost:3001', 'localhost'],
    ['127.0.0.1:', '127.0.0.1'],
    ['[FD00::2]', '[fd00::2]'],
    ['[::1]:65535', '[::1]'],
    ['a', 'a'],
  ])('%s is %s', (host, name) => {
    expect(hostName(request([['Host', host]]))).toBe(name);
  });

  it.each([
    ...['', ':3001', '::1', 'a:80:80', 'a:80x', 'a:x', 'a]', '[::1', '[::1]x', 'x[::1]', '[[::1]]', '[::1]3001', 'a[b'],
  ])('%s is none', (host) => {
    expect(hostName(request([['Host', host]]))).toBeNull();
  });

  it('is none without the header, and if there are two', () => {
    expect(hostName(request([['Accept', '*/*']]))).toBeNull();
    expect(hostName(request([HERE, THERE]))).toBeNull();
    expect(hostName(request([HERE, HERE]))).toBeNull();
  });
});

describe('Host, on the local endpoint', () => {
  it.each([
    ...['localhost', 'LOCALHOST:3001', '127.0.0.1', '127.255.1.2:3001', '[::1]', '[0:0:0:0:0:0:0:1]:3001'],
    ...['10.1.2.3', '192.168.0.1', '172.16.0.1', '172.31.255.255', '100.64.0.1', '169.254.1.1', '[fd00::1]'],
    ...['[fe80::1]', '[::ffff:127.0.0.1]', '[::FFFF:7f00:1]', '[::ffff:192.168.5.6]', '[::ffff:ac1f:fffe]'],
    ...['well.lan', 'WELL.lan:8080', '203.0.113.7:80', '[2001:db8::7]', '[2001:DB8:0::0007]:80'],
  ])('%s is allowed', (host) => {
    expect(local(['Host', host])).toBeNull();
  });

  it.each([
    ...['', 'evil.example', 'localhost.', 'localhost.evil.example', 'xlocalhost', 'user@localhost', '::1', '127.1'],
    ...['0.0.0.0', '[::]', '[::ffff:0.0.0.0]', '8.8.8.8', '172.32.0.1', '[2001:db8::8]', '[::ffff:8.8.8.8]'],
    ...[
      '[::ffff:ac20:1]',
      '[fe80::1%eth0]',
      '[fe80::1%25eth0]',
      '[127.0.0.1]',
      '[zz::1]',
      '[]',
      '[::ffff:203.0.113.7]',
    ],
    ...['2130706433', '0177.0.0.1', '127.0.0.1.', '127.0.0.1.evil.example', '127.evil.example', 'sub.well.lan'],
  ])('%s is not allowed', (host) => {
    expect(local(['Host', host])).toBe('host_not_allowed');
  });

  it('is not allowed if it is missing or repeated, nor with an address that is not listed', () => {
    expect(local()).toBe('host_not_allowed');
    expect(local(HERE, THERE)).toBe('host_not_allowed');
    expect(guardLocalRequest(request([THERE]), [])).toBe('host_not_allowed');
    expect(guardLocalRequest(request([['Host', '10.0.0.1']]), [])).toBeNull();
  });
});

describe('a forwarded request, on the local endpoint', () => {
  it('is refused after its host is checked and before its origin, unless the host is listed', () => {
    const evil = ['Origin', 'http://evil.example'] as const;
    expect(local(HERE, PROXIED)).toBe('forwarded_request');
    expect(local(HERE, PROXIED, evil)).toBe('forwarded_request');
    expect(local(['Host', '10.0.0.1'], PROXIED)).toBe('forwarded_request');
    expect(local(['Host', 'evil.example'], PROXIED)).toBe('host_not_allowed');
    expect(local(THERE, PROXIED)).toBeNull();
    expect(local(['Host', '203.0.113.7'], PROXIED)).toBeNull();
    expect(local(['Host', '[2001:db8:0::7]'], PROXIED)).toBeNull();
    expect(local(THERE, PROXIED, evil)).toBe('origin_not_allowed');
  });
});

describe('Origin, on the local endpoint', () => {
  it.each([
    ['localhost:3001', 'http://localhost:3001'],
    ['LocalHost:3001', 'http://LOCALHOST:3001'],
    ['localhost', 'http://localhost:80'],
    ['localhost:', 'http://localhost'],
    ['localhost:80', 'http://localhost'],
    ['localhost:443', 'https://localhost'],
    ['[0::1]:3001', 'http://[::1]:3001'],
    ['well.lan:8443', 'https://well.lan:8443'],
  ])('of %s may be %s', (host, origin) => {
    expect(local(['Host', host], ['Origin', origin])).toBeNull();
  });

  it.each([
    ['localhost:3001', 'http://localhost:3002'],
    ['localhost:3001', 'http://localhost'],
    ['localhost:3001', 'http://127.0.0.1:3001'],
    ['localhost:80', 'https://localhost'],
    ['localhost', 'https://localhost'],
    ['localhost', 'http://localhost:443'],
    ['127.0.0.1', 'http://127.0.0.1.evil.example'],
    ['localhost:3001', 'http://localhost:3001, http://evil.example'],
    ['localhost:3001', 'http://evil.example'],
    ['localhost:3001', ''],
    ['localhost:3001', 'null'],
    ['localhost:3001', 'nonsense'],
    ['localhost:3001', 'file://'],
    // A host that is no URL has no authority either.
    ['localhost:99999', 'null'],
    ['localhost:99999', ''],
  ])('of %s must not be %s', (host, origin) => {
    expect(local(['Host', host], ['Origin', origin])).toBe('origin_not_allowed');
  });

  it.each([
    ['cross-site', 'origin_not_allowed'],
    ['same-origin', null],
    ['same-site', null],
    ['none', null],
    ['', null],
  ])('Sec-Fetch-Site: %s is answered with %s', (site, refusal) => {
    const mark = ['Sec-Fetch-Site', site] as const;
    expect(local(HERE, mark)).toBe(refusal);
    expect(local(HERE, mark, ['Origin', 'http://localhost:3001'])).toBe(refusal);
  });
});

describe('the door', () => {
  const door = (headers: Headers, method = 'GET') =>
    guardDoorRequest(request(headers, method), (name) => ['home.example', '0.0.0.0'].includes(name));
  const AT_HOME = ['Host', 'home.example:3443'] as const;
  const CROSS = ['Sec-Fetch-Site', 'cross-site'] as const;
  const LINK = ['Sec-Fetch-Mode', 'navigate'] as const;

  it.each([
    ...['home.example', 'HOME.example:3443', 'localhost:3443', '192.168.1.5', '203.0.113.9:3443', '[2001:db8::5]'],
    ...['127.0.0.1', '[::1]:3443', '[::ffff:203.0.113.9]'],
  ])('is open to %s', (host) => {
    expect(door([['Host', host]])).toBeNull();
  });

  it.each([
    ...['evil.example', 'sub.home.example', '0.0.0.0', '0.0.0.0:3443', '[::]', '[0:0::0]', '[::ffff:0:0]', ''],
    ...['[fe80::1%eth0]', 'home.example:x', 'localhost.evil.example', '1.2.3', '[1.2.3.4]'],
  ])('is closed to %s', (host) => {
    expect(door([['Host', host]])).toBe('host_not_allowed');
  });

  it('is closed to a request without a host, with two of them, and to one that a proxy forwarded', () => {
    expect(door([])).toBe('host_not_allowed');
    expect(door([AT_HOME, AT_HOME])).toBe('host_not_allowed');
    expect(door([AT_HOME, PROXIED])).toBe('forwarded_request');
    expect(door([['Host', 'evil.example'], PROXIED])).toBe('host_not_allowed');
    expect(door([AT_HOME, PROXIED, ['Origin', 'null']])).toBe('forwarded_request');
  });

  it('is open to its own page, which names it with the port and by TLS', () => {
    const from = (origin: string, host: string = AT_HOME[1]) =>
      door(
        [
          ['Host', host],
          ['Origin', origin],
        ],
        'POST',
      );
    expect(from('https://home.example:3443')).toBeNull();
    expect(from('https://Home.Example:3443', 'HOME.example:3443')).toBeNull();
    for (const origin of ['http://home.example:3443', 'https://home.example', 'https://evil.example', 'null', ''])
      expect(from(origin)).toBe('origin_not_allowed');
  });

  it('is open from another site only for a link that is followed', () => {
    expect(door([AT_HOME, CROSS, LINK])).toBeNull();
    expect(door([AT_HOME, CROSS, LINK], 'POST')).toBe('origin_not_allowed');
    expect(door([AT_HOME, CROSS])).toBe('origin_not_allowed');
    expect(door([AT_HOME, CROSS, ['Sec-Fetch-Mode', 'no-cors']])).toBe('origin_not_allowed');
    expect(door([AT_HOME, ['Sec-Fetch-Site', 'same-origin']], 'POST')).toBeNull();
    expect(door([AT_HOME, ['Sec-Fetch-Site', 'none']])).toBeNull();
    expect(door([AT_HOME, CROSS, LINK, ['Origin', 'https://evil.example']])).toBe('origin_not_allowed');
  });
});

it.each([
  ['POST', 'https://gate.lan', 'origin_not_allowed'],
  ['POST', '', 'origin_not_allowed'],
  ['POST', null, null],
  ['GET', 'https://gate.lan', null],
  ['GET', null, null],
])('the gate answers a %s with the origin %s: %s', (method, origin, refusal) => {
  expect(guardGateRequest(request(origin === null ? [] : [['Origin', origin]], method))).toBe(refusal);
});

describe('an address in the host', () => {
  it.each([
    ...['localhost', '127.0.0.1', '127.9.9.9', '[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f09:1]'],
  ])('%s is this machine', (name) => {
    expect(isLoopbackName(name)).toBe(true);
  });

  it.each([
    ...['10.0.0.1', '128.0.0.1', '12.7.0.1', '[::2]', '[::]', '[::ffff:10.0.0.1]', 'xlocalhost', 'well.lan'],
    ...['127.evil.example', '[127::1]'],
  ])('%s is not', (name) => {
    expect(isLoopbackName(name)).toBe(false);
  });

  it('is a literal, except the unspecified one', () => {
    const literals = ['1.2.3.4', '0.0.0.1', '[::1]', '[2001:db8::5]', '[::ffff:1.2.3.4]', '[::ffff:0:1]'];
    expect(literals.filter((name) => !isLiteral(name))).toEqual([]);
    const others = ['0.0.0.0', '[::]', '[0:0:0:0:0:0:0:0]', '[::ffff:0.0.0.0]', '[::ffff:0:0]'];
    const names = ['localhost', '1.2.3', '256.1.1.1', '::1', '[fe80::1%eth0]', '[1.2.3.4]', '(::1)', ''];
    expect([...others, ...names].filter((name) => isLiteral(name))).toEqual([]);
  });

  it('is listed in any spelling of IPv6', () => {
    const listed = (...names: string[]) => names.map((name) => isListedHost(LISTED, name));
    expect(listed('well.lan', '203.0.113.7', '[2001:db8::7]', '[2001:db8:0:0:0:0:0:7]')).toEqual(Array(4).fill(true));
    expect(listed('lan', '203.0.113.8', '[2001:db8::8]', '2001:db8:0::7', '[::]', '[]')).toEqual(Array(6).fill(false));
    expect(isListedHost(['::FFFF:1.2.3.4'], '[::ffff:102:304]')).toBe(true);
    expect(isListedHost(['1.2.3.4'], '[::ffff:102:304]')).toBe(false);
    expect(isListedHost(['::ffff:1.2.3.4'], '1.2.3.4')).toBe(false);
    expect(isListedHost(['2001:db8::8', '2001:db8:0::7'], '[2001:db8::7]')).toBe(true);
    // An entry that is no address is like no other one that is none.
    for (const name of ['evil.example', '[zz]']) expect(isListedHost(['well.lan:8080'], name)).toBe(false);
    expect(isListedHost([], '[::1]')).toBe(false);
  });
});

describe('the header', () => {
  const CLIENTS = [
    ...['client', 'user', 'proxyuser', 'viewer', 'remote', 'real', 'source', 'src', 'originating', 'origin'],
    ...['connecting', 'connection', 'socket', 'external', 'public', 'peer'],
  ];

  it.each([
    ...['Forwarded', 'X-Forwarded', 'X-Forwarded-For', 'x-forwarded-proto', 'X-Forwarded-', 'X_Forwarded_For', 'Via'],
    ...['X-Original-Forwarded-For', 'X-Original-Host', 'X-Original-Remote-Addr', 'X-Real-IP', 'X_Real_IP', 'CDN-Loop'],
    ...['Forwarded-For', 'Forward-For', 'X-Forward-For', 'X-Proxy-Forward-For', 'Http-X-Forwarded-For'],
    ...['Tailscale-User-Login', 'CF-Ray', 'CloudFront-Viewer-Country', 'X-Amz-Cf-Id', 'X-Amzn-Trace-Id', 'X-ARR-SSL'],
    ...['X-Appengine-Country', 'X-Vercel-Id', 'X-Azure-SocketIP', 'X-Envoy-External-Address', 'Ali-CDN-Real-IP'],
    ...CLIENTS.flatMap((who) => [`${who}-ip`, `${who}IP`, `X-${who}-Addr`, `True_${who}_Address`]),
  ])('%s marks a forwarded request, even if it is empty', (name) => {
    expect(isForwarded(request([['Accept', '*/*'], HERE, [name, '']]))).toBe(true);
  });

  it.each([
    ...['Host', 'Connection', 'User-Agent', 'Origin', 'Referer', 'Content-Type', 'Authorization', 'X-Wellhouse-Probe'],
    ...['X-Forwarder', 'Forwarded-By', 'XForwarded', 'A-Forwarded', 'Forwarded_', 'Forwards-For', 'Xforwarded-For'],
    ...['Viable', 'X-Via', 'CDN-Loops', 'X-CDN-Loop', 'Tailscale', 'X-Tailscale-User', 'CF', 'CFO-Ray', 'CloudFront'],
    ...['X-Amz-Date', 'X-Amz-Cf', 'X-Amzn-Trace', 'X-Amzn-Trace-Ids', 'X-Arr', 'X-Array-1', 'X-Appengine', 'X-Vercel'],
    ...['X-Original', 'Original-Host', 'X-Real', 'Real', 'Client', 'Client-Port', 'Client-IP-X', 'Client--IP', 'Ip'],
    ...['MyClient-IP', 'Clients-IP', 'Address', 'Server-IP', 'Client-Addresses', 'X_Forwarder'],
  ])('%s does not', (name) => {
    expect(isForwarded(request([HERE, [name, '1.2.3.4']]))).toBe(false);
  });

  it('need not be there', () => {
    expect(isForwarded(request([]))).toBe(false);
  });
});

import { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Caller, LOCAL_OWNER } from '../owner/caller.ts';
import { cookieIn, doorAccess, forgettingCookie, keepingCookie, pageTokenOf } from './door-access.ts';
import type { Pairings } from './pairing/pairings.ts';

/** Two tokens with all kinds of characters that a token has. */
const [BEARER, COOKIE] = ['aZ0_-'.repeat(8), 'bY9-_'.repeat(8)].map((start) => `${start}xyz`) as [string, string];
const UNKNOWN = 'A'.repeat(43);
const NO_TOKENS = ['', 'a'.repeat(42), 'a'.repeat(44), `${'a'.repeat(42)}+`, `${'a'.repeat(42)}.`];
const cookie = (token: string) => `__Host-wellhouse=${token}`;
const socket = new Socket();

/** Returns a request to https://door.lan:3443. */
function request(headers: FastifyRequest['headers']): FastifyRequest {
  return { headers, host: 'door.lan:3443', ip: '192.168.1.5', raw: { socket } } as unknown as FastifyRequest;
}
const page = (token: string, origin = 'https://door.lan:3443') => request({ origin, cookie: cookie(token) });
const program = (token: string) => request({ authorization: `Bearer ${token}` });

let asked: string[][];
let letIn: Socket[];
beforeEach(() => {
  asked = [];
  letIn = [];
});
/** Knows the caller of every token but one. */
const pairings: Pick<Pairings, 'callerOf'> = {
  callerOf: (token, address) => {
    asked.push([token, address]);
    return token === UNKNOWN ? null : callerOf(token);
  },
};
const callerOf = (token: string): Caller => ({ ...LOCAL_OWNER, by: 'pairing', pairing: { id: token, name: 'Ana' } });
const access = doorAccess(pairings as Pairings, (each) => letIn.push(each));

describe('the caller of a request', () => {
  it.each([
    ['a program by its token', program(BEARER), BEARER],
    ['a program, whatever the case of its scheme', request({ authorization: `bEARER ${BEARER}` }), BEARER],
    ['the door’s own page by its cookie', page(COOKIE), COOKIE],
    [
      'a page that also has a token, by the token',
      request({ ...page(COOKIE).headers, authorization: `Bearer ${BEARER}` }),
      BEARER,
    ],
    [
      'a page whose other header is of another scheme',
      request({ ...page(COOKIE).headers, authorization: 'Basic eDp5' }),
      COOKIE,
    ],
  ])('is %s', (_name, sent, token) => {
    const caller = access.callerOf(sent);
    expect([caller?.pairing?.id, asked, letIn]).toEqual([token, [[token, '192.168.1.5']], [socket]]);
    expect(access.ofSocket(sent, '')?.pairing?.id).toBe(token);
    expect(letIn).toEqual([socket, socket]);
  });

  const strangers: (readonly [string, FastifyRequest])[] = [
    ['a request without a token', request({})],
    ['a page of another origin', page(COOKIE, 'https://door.lan')],
    ['a page of another scheme', page(COOKIE, 'http://door.lan:3443')],
    ['a request without an origin', request({ cookie: cookie(COOKIE) })],
    ['a page without a cookie', request({ origin: 'https://door.lan:3443' })],
    ...NO_TOKENS.map((token) => [`a program with the token "${token}"`, program(token)] as const),
    ...NO_TOKENS.map((token) => [`a page with the token "${token}"`, page(token)] as const),
    ['a token of another scheme', request({ authorization: `XBearer ${BEARER}` })],
    ['two tokens', request({ authorization: `Bearer ${BEARER} ${BEARER}` })],
    ['a token after two spaces', request({ authorization: `Bearer  ${BEARER}` })],
  ];
  it.each(strangers)('is null for %s', (_name, sent) => {
    expect([access.callerOf(sent), access.ofSocket(sent, ''), asked, letIn]).toEqual([null, null, [], []]);
  });

  it('is nobody if the token is unknown', () => {
    expect([access.callerOf(program(UNKNOWN)), access.callerOf(page(UNKNOWN))]).toEqual([null, null]);
    expect([asked.length, letIn]).toEqual([2, []]);
  });

  it('over a socket is that of the token in its first message, before any other', () => {
    const both = request({ ...page(COOKIE).headers, authorization: `Bearer ${COOKIE}` });
    expect(access.ofSocket(both, BEARER)?.pairing?.id).toBe(BEARER);
    expect(access.ofSocket(request({}), BEARER)?.pairing?.id).toBe(BEARER);
    expect(access.ofSocket(both, UNKNOWN)).toBeNull();
    for (const token of NO_TOKENS.slice(1)) expect(access.ofSocket(both, token)).toBeNull();
    expect(letIn).toEqual([socket, socket]);
  });
});

describe('a cookie', () => {
  it('is kept for 400 days, for this host alone, out of reach of scripts and other pages', () => {
    const bounds = 'HttpOnly; Secure; SameSite=Strict';
    expect(keepingCookie(COOKIE)).toBe(`__Host-wellhouse=${COOKIE}; Path=/; Max-Age=34560000; ${bounds}`);
    expect(forgettingCookie()).toBe(`__Host-wellhouse=; Path=/; Max-Age=0; ${bounds}`);
  });

  const headers: (readonly [string | undefined, string | null])[] = [
    [cookie(COOKIE), COOKIE],
    [`a=1; ${cookie(COOKIE)}; b=2`, COOKIE],
    [`a=1;${cookie(COOKIE)};b`, COOKIE],
    [`${cookie('short')}; ${cookie(COOKIE)}; ${cookie(BEARER)}`, COOKIE],
    [`__Host-wellhouse; ${cookie(COOKIE)}`, COOKIE],
    [undefined, null],
    ['', null],
    ['__Host-wellhouse', null],
    [`x${cookie(COOKIE)}`, null],
    [`__Host-other=${COOKIE}`, null],
    [COOKIE, null],
    [`a=${cookie(COOKIE)}`, null],
    ...NO_TOKENS.map((token) => [cookie(token), null] as const),
  ];
  it.each(headers)('is found in "%s"', (header, token) => {
    expect(cookieIn(header)).toBe(token);
  });

  it('counts as the page’s own only with the door’s origin', () => {
    const pages = [page(COOKIE), page(COOKIE, 'https://evil.example'), page('short'), program(BEARER)];
    expect(pages.map(pageTokenOf)).toEqual([COOKIE, null, null, null]);
  });
});

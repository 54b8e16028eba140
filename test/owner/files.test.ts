import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exchange, send } from '../support/http.ts';
import { runningNode } from '../support/node-process.ts';

const node = runningNode({ args: ['--ui'] });
const ui = () => `${node.url('local')}/ui`;
const ASSETS = readdirSync('out/renderer/assets');

async function nonceOf(url: string): Promise<string> {
  const reply = await send(url);
  expect(reply.status).toBe(200);
  expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(reply.headers['cache-control']).toBe('no-store');
  const policy = String(reply.headers['content-security-policy']);
  const nonce = /style-src 'self' 'nonce-([A-Za-z0-9+/]{22}==)'/.exec(policy)?.[1];
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[^;]*; /);
  expect(policy).not.toContain('unsafe');
  expect(policy).not.toMatch(/https?:|\*/);
  for (const rule of ["connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"]) {
    expect(policy.split('; ')).toContain(rule);
  }
  expect(reply.text).not.toContain('__CSP_NONCE__');
  expect(reply.text).toContain(nonce);
  return nonce!;
}

describe('the page', () => {
  it('comes with a strict policy and a nonce of its own each time', async () => {
    const nonces = [await nonceOf(`${ui()}/`), await nonceOf(`${ui()}/`), await nonceOf(`${ui()}/index.html`)];
    expect(new Set(nonces).size).toBe(3);
  });

  it('is where /ui leads, on whatever name and port it was asked for', async () => {
    const reply = await send(ui());
    expect([reply.status, reply.headers.location]).toEqual([308, '/ui/']);
  });

  it('asks for nothing of another origin', async () => {
    const { text } = await send(`${ui()}/`);
    expect(text).not.toMatch(/(?:src|href)="(?:[a-z]+:)?\/\//);
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=)/);
  });
});

describe('its files', () => {
  it('are served with their types, kept by the browser where their name holds a hash, and guarded', async () => {
    const types = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', svg: 'image/svg+xml' };
    for (const name of ASSETS) {
      const reply = await send(`${ui()}/assets/${name}`);
      expect(reply.status, name).toBe(200);
      const type = types[name.slice(name.lastIndexOf('.') + 1) as keyof typeof types];
      if (type !== undefined) expect(reply.headers['content-type'], name).toBe(type);
      expect(reply.headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(reply.headers['set-cookie']).toBeUndefined();
      expect(reply.headers['access-control-allow-origin']).toBeUndefined();
    }
    expect(ASSETS.some((name) => name.endsWith('.js'))).toBe(true);
  });

  it.each([
    '/ui/../package.json',
    '/ui/../main/headless.js',
    '/ui/assets/../../main/headless.js',
    '/ui/%2e%2e/main/headless.js',
    '/ui/..%2fmain%2fheadless.js',
    '/ui/..%5cmain%5cheadless.js',
    '/ui/%252e%252e/main/headless.js',
    '/ui//etc/passwd',
    '/ui/file:///etc/passwd',
    '/ui/assets',
    '/ui/assets/',
    '/ui/index.html%00.js',
    '/ui/%',
    '/ui/INDEX.HTML',
    '/ui/constructor',
    '/ui/__proto__',
    '/ui/nothing.js',
    '/ui/api/',
    '/ui/api/nothing',
  ])('%s is not one of them', async (path) => {
    const { host } = new URL(node.url('local'));
    const response = await exchange(
      node.url('local'),
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 404 /);
    expect(response).toContain('{"error":"not_found"}');
  });

  it('are as many as were built, and are the same by HEAD', async () => {
    const built = readdirSync('out/renderer', { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    for (const { name, parentPath } of built) {
      const path = join(parentPath, name).replaceAll('\\', '/').replace('out/renderer/', '');
      const [got, head] = [await send(`${ui()}/${path}`), await send(`${ui()}/${path}`, { method: 'HEAD' })];
      expect([got.status, head.status], path).toEqual([200, 200]);
      expect(head.text).toBe('');
    }
  });
});

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { exchange, send } from '../support/http.ts';
import { runningNode } from '../support/node-process.ts';

const node = runningNode({ args: ['--ui'] });
const ui = () => `${node.url('local')}/ui`;
/** The names whose files are kept compressed, beside the files themselves. */
const COMPRESSED = /\.(br|gz)$/;
const ASSETS = readdirSync('out/renderer/assets').filter((name) => !COMPRESSED.test(name));

async function nonceOf(url: string): Promise<string> {
  const reply = await send(url);
  expect(reply.status).toBe(200);
  expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(reply.headers['cache-control']).toBe('no-store');
  const policy = String(reply.headers['content-security-policy']);
  const nonce = /style-src 'self' 'nonce-([A-Za-z0-9+/]{22}==)'/.exec(policy)?.[1];
  expect(policy).toMatch(
    /^default-src 'none'; script-src 'self' 'sha256-[A-Za-z0-9+/]{43}='; style-src 'self' 'nonce-[^;]*; /,
  );
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

  it('is where /ui redirects, for any name and port', async () => {
    const reply = await send(ui());
    expect([reply.status, reply.headers.location]).toEqual([308, '/ui/']);
  });

  it('requests nothing from another origin', async () => {
    const { text } = await send(`${ui()}/`);
    expect(text).not.toMatch(/(?:src|href)="(?:[a-z]+:)?\/\//);
    expect(text).not.toMatch(/<script(?! type="importmap">)(?![^>]*\ssrc=)/);
  });

  it('pins every script to its content, in a map that its policy names', async () => {
    const { text, headers } = await send(`${ui()}/`);
    const map = /<script type="importmap">(.*?)<\/script>/.exec(text)![1]!;
    const hash = (algorithm: string, bytes: string | Buffer) =>
      `${algorithm}-${createHash(algorithm).update(bytes).digest('base64')}`;
    expect(String(headers['content-security-policy'])).toContain(`'${hash('sha256', map)}'`);
    expect(text.indexOf('<script')).toBe(text.indexOf('<script type="importmap">'));
    const scripts = ASSETS.filter((name) => name.endsWith('.js'));
    expect((JSON.parse(map) as { integrity: unknown }).integrity).toEqual(
      Object.fromEntries(
        scripts.map((name) => [`./assets/${name}`, hash('sha384', readFileSync(join('out/renderer/assets', name)))]),
      ),
    );
    const tags = text.match(/<script [^>]*src=[^>]*>/g)!;
    expect(tags.length).toBeGreaterThan(0);
    for (const tag of tags) {
      const file = /src="\.\/([^"]+)"/.exec(tag)![1]!;
      expect(tag).toContain(`integrity="${hash('sha384', readFileSync(join('out/renderer', file)))}"`);
    }
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
    '/ui/index.html.gz',
    '/ui/index.html.br',
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

  it('are as many as were built, and have the same headers by HEAD', async () => {
    const built = readdirSync('out/renderer', { recursive: true, withFileTypes: true }).filter(
      (file) => file.isFile() && !COMPRESSED.test(file.name),
    );
    for (const { name, parentPath } of built) {
      const path = join(parentPath, name).replaceAll('\\', '/').replace('out/renderer/', '');
      const [got, head] = [await send(`${ui()}/${path}`), await send(`${ui()}/${path}`, { method: 'HEAD' })];
      expect([got.status, head.status], path).toEqual([200, 200]);
      expect(head.text).toBe('');
      expect(head.headers['content-length'], path).toBe(String(got.bytes.length));
    }
  });
});

describe('its files, compressed,', () => {
  const asset = (name: string, headers: Record<string, string>, method = 'GET') =>
    send(`${ui()}/assets/${name}`, { headers, method });
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
  const script = ASSETS.find(
    (name) => name.endsWith('.js') && readFileSync(`out/renderer/assets/${name}`).length > 1e5,
  )!;

  it.each(['br', 'gzip'] as const)('by %s are the same bytes, and never more', async (coding) => {
    let [plainBytes, codedBytes] = [0, 0];
    for (const name of ASSETS) {
      const plain = readFileSync(`out/renderer/assets/${name}`);
      const reply = await asset(name, { 'accept-encoding': coding });
      const isCoded = reply.headers['content-encoding'] !== undefined;
      expect((isCoded ? decoders[coding](reply.bytes) : reply.bytes).equals(plain), name).toBe(true);
      if (isCoded) expect(reply.headers['content-encoding']).toBe(coding);
      if (isCoded || /\.(js|css|json)$/.test(name)) expect(isCoded, name).toBe(plain.length >= 1000);
      if (isCoded) expect(reply.headers.vary).toBe('accept-encoding');
      plainBytes += plain.length;
      codedBytes += reply.bytes.length;
    }
    expect(codedBytes).toBeLessThan(plainBytes / 2);
  });

  it.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZIP;Q=0.5', 'gzip'],
    ['gzip;q=1.0, br;q=0.9', 'gzip'],
    ['gzip;q=0.5, br;q=0.50', 'br'],
    ['br;q=0, gzip;q=0.001', 'gzip'],
    ['br;q=0, gzip;q=0', undefined],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['*;q=0', undefined],
    ['*;q=0, gzip', 'gzip'],
    ['identity;q=1, br;q=0.5', undefined],
    ['identity;q=0.5, br', 'br'],
    ['br;q=2, gzip;q=nothing', undefined],
    ['deflate, zstd', undefined],
    ['br;level=11;q=0.4, gzip;q=0.3', 'br'],
    [',;,=;q', undefined],
  ])('for Accept-Encoding %s come as %s', async (accepted, coding) => {
    const reply = await asset(script, accepted === undefined ? {} : { 'accept-encoding': accepted });
    expect([reply.status, reply.headers['content-encoding']]).toEqual([200, coding]);
    expect(reply.headers.vary).toBe('accept-encoding');
  });

  it('have different ETags, and are not sent to a client that has them', async () => {
    const codings = ['', 'gzip', 'br'];
    const tags: string[] = [];
    for (const coding of codings) {
      const headers = { 'accept-encoding': coding };
      const first = await asset(script, headers);
      tags.push(first.headers.etag!);
      for (const known of [first.headers.etag!, `W/${first.headers.etag}`, `"other", ${first.headers.etag}`, '*']) {
        const again = await asset(script, { ...headers, 'if-none-match': known });
        expect([again.status, again.bytes.length, again.headers.etag], known).toEqual([304, 0, first.headers.etag]);
        const { vary, 'cache-control': caching } = again.headers;
        expect([vary, caching]).toEqual(['accept-encoding', first.headers['cache-control']]);
      }
      expect((await asset(script, { ...headers, 'if-none-match': '"other"' })).status).toBe(200);
    }
    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/);
  });

  it('answer HEAD with the length of what GET would send', async () => {
    for (const coding of ['', 'gzip', 'br']) {
      const headers = { 'accept-encoding': coding };
      const [got, head] = [await asset(script, headers), await asset(script, headers, 'HEAD')];
      expect([head.status, head.bytes.length]).toEqual([200, 0]);
      expect(head.headers['content-length']).toBe(String(got.bytes.length));
      expect(head.headers['content-encoding']).toBe(got.headers['content-encoding']);
    }
  });

  it('can’t be requested themselves', async () => {
    const compressed = readdirSync('out/renderer/assets').filter((name) => COMPRESSED.test(name));
    expect(compressed.length).toBeGreaterThan(20);
    for (const name of compressed) {
      const reply = await asset(name, {});
      expect([reply.status, reply.json], name).toEqual([404, { error: 'not_found' }]);
    }
  });
});

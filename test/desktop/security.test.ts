import { expect, test } from 'vitest';
import type { OwnerBridge } from '../../src/shared/desktop-api.ts';
import { DesktopApp, eventually } from '../support/desktop-app.ts';

const PAGE = 'app://wellhouse/';

const shared = DesktopApp.shared();

/** Whether the app refuses what the page calls. */
async function isRefused(app: DesktopApp): Promise<boolean> {
  const page = await app.page();
  return page.evaluate(() => {
    const { owner } = globalThis as unknown as { owner: OwnerBridge };
    return owner.callDesktop('desktopInfo', {}).then(
      () => false,
      () => true,
    );
  });
}

test.each([
  '/assets/none.js',
  '/index.html',
  '/?a=1',
  'https://example.org/',
  'http://127.0.0.1:1/',
  'file:///etc/hostname',
])('the page and its frames can’t navigate to %s', async (url) => {
  const page = await shared().opened();
  expect(await page.navigate(url)).toBe(false);
  expect(await page.navigate(url, { isMainFrame: false })).toBe(false);
  expect([page.url(), page.loads]).toEqual([PAGE, 1]);
});

test('an external link opens only if it is https and the owner agrees', async () => {
  const app = shared();
  const page = await app.opened();
  const asked = () => app.operate<{ detail: string }[]>('dialogs');
  const opened = () => app.operate<string[]>('opened');

  page.open('https://example.org/one');
  await eventually(asked).toMatchObject([{ detail: 'https://example.org/one' }]);
  await app.operate('answer', 1);
  expect(await opened()).toEqual([]);

  page.open('https://example.org/two');
  await eventually(asked).toMatchObject([{ detail: 'https://example.org/two' }]);
  await app.operate('answer', 0);
  await eventually(opened).toEqual(['https://example.org/two']);

  page.open('http://example.org/three');
  page.open('mailto:someone@example.org');
  page.open('https://example.org/four');
  await eventually(asked).toMatchObject([{ detail: 'https://example.org/four' }]);
  await app.operate('answer', 1);
});

test('the filter of requests allows only the app’s own files', async () => {
  const app = shared();
  await app.opened();
  const local = await app.url('local');
  for (const url of ['https://example.org/', `${local}/health`, 'ws://127.0.0.1:1/', 'file:///etc/hostname']) {
    expect(await app.operate('isCancelled', url), url).toBe(true);
  }
  expect(await app.operate('isCancelled', `${PAGE}index.html`)).toBe(false);
});

test('the page’s only permission is to copy', async () => {
  const app = shared();
  await app.page();
  for (const permission of ['clipboard-read', 'media', 'geolocation', 'notifications', 'fileSystem', 'openExternal']) {
    expect(await app.operate('permission', permission)).toEqual({ isRequestGranted: false, isCheckGranted: false });
  }
  const copying = await app.operate('permission', 'clipboard-sanitized-write');
  expect(copying).toEqual({ isRequestGranted: true, isCheckGranted: true });
});

test('the window is made with the sandbox and isolation on, and Node off', async () => {
  const app = shared();
  await app.page();
  expect(await app.window()).toMatchObject({
    webRtc: 'disable_non_proxied_udp',
    options: {
      webPreferences: {
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webSecurity: true,
        webviewTag: false,
      },
    },
  });
  const { privileges } = await app.operate<{ privileges: Record<string, Record<string, boolean>> }>('session');
  expect(privileges.app).toMatchObject({ standard: true, secure: true });
  expect(privileges.app?.bypassCSP ?? false).toBe(false);
});

test('no redirect of a server moves the page', async () => {
  const app = shared();
  await app.page();
  for (const url of [
    'https://example.org/',
    'app://elsewhere/',
    'app://wellhouse/assets/x.js',
    'file:///etc/hostname',
  ]) {
    expect(await app.operate('redirect', url)).toEqual({ isAllowed: false });
  }
  expect(await app.operate('redirect', PAGE)).toEqual({ isAllowed: true });
});

test('the scheme serves only the built files, with the policy', async () => {
  const app = shared();
  await app.page();
  interface Fetched {
    readonly status: number;
    readonly headers: Record<string, string>;
    readonly text: string;
  }
  const get = (url: string) => app.operate<Fetched>('fetch', url);
  const [first, second] = [await get(PAGE), await get(`${PAGE}index.html`)];
  const nonce = (fetched: Fetched) => /'nonce-([^']+)'/.exec(fetched.headers['content-security-policy'] ?? '')?.[1];
  expect(first.status).toBe(200);
  expect(nonce(first)).toBeDefined();
  expect(nonce(second)).not.toBe(nonce(first));
  expect(first.text).toContain(nonce(first));
  expect(first.headers['content-security-policy']).toContain("default-src 'none'");
  expect(first.headers['content-security-policy']).not.toContain('unsafe');
  const outside = [
    'app://wellhouse/../main/index.js',
    'app://wellhouse/..%2fmain%2findex.js',
    'app://wellhouse/%2e%2e/package.json',
    'app://wellhouse/assets/..%5c..%5cpackage.json',
    'app://wellhouse//etc/passwd',
    'app://elsewhere/index.html',
  ];
  for (const url of outside) expect((await get(url)).status, url).toBe(404);
});

test('a call that the contract does not allow is refused with its code', async () => {
  const app = shared();
  const page = await app.opened();
  const answers = await page.evaluate(async () => {
    /** The bridge as the page has it, for what no page of ours calls. */
    interface Bridge {
      call(method: string, input: unknown): Promise<{ error?: string }>;
      callDesktop(method: string, input: unknown): Promise<{ error?: string }>;
    }
    const { owner } = globalThis as unknown as { owner: Bridge };
    return {
      method: await owner.call('dropTables', {}),
      inherited: await owner.call('constructor', {}),
      input: await owner.call('overview', { dayStart: 'today' }),
      device: await owner.call('device', { id: '0'.repeat(64) }),
      desktop: await owner.callDesktop('toString', {}),
      link: await owner.callDesktop('openLink', { url: 'file:///etc/passwd' }),
    };
  });
  expect(answers.method).toMatchObject({ ok: false, error: 'unknown_method' });
  expect(answers.inherited).toMatchObject({ ok: false, error: 'unknown_method' });
  expect(answers.input).toMatchObject({ ok: false, error: 'invalid_input' });
  expect(answers.device).toMatchObject({ ok: false, error: 'not_found' });
  expect(answers.desktop).toMatchObject({ ok: false, error: 'unknown_method' });
  expect(answers.link).toMatchObject({ ok: false, error: 'invalid_input' });
});

test('a page at another address gets no answer, and a reload restores it', async () => {
  const app = shared();
  const page = await app.opened();
  expect(await isRefused(app)).toBe(false);
  page.pushState('/assets/none.js');
  expect(await isRefused(app)).toBe(true);
  await app.operate('pressMenu', 'reload');
  await eventually(() => page.url()).toBe(PAGE);
  expect(await isRefused(app)).toBe(false);
  page.pushState('#/settings');
  await app.operate('pressMenu', 'reload');
  await eventually(() => page.loads).toBe(3);
  expect(page.url()).toBe(`${PAGE}#/settings`);
});

import { expect, isReal, test } from '../support/desktop-app.ts';

interface SeenWindow {
  readonly options: { readonly webPreferences: Readonly<Record<string, unknown>> };
}

test('the page can not leave: navigation, new windows and other schemes are refused', async ({ launch }) => {
  const app = await launch();
  const page = await app.page();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const address = page.url();
  for (const url of ['https://example.org/', 'http://127.0.0.1:1/', 'file:///etc/hostname']) {
    await page.evaluate((target) => {
      window.location.href = target;
    }, url);
  }
  await page.evaluate(() => {
    const link = document.createElement('a');
    Object.assign(link, { href: 'https://example.org/', rel: 'noopener' });
    document.body.append(link);
    link.click();
    window.open('http://example.org/');
  });
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  expect(page.url()).toBe(address);
  expect(
    page
      .context()
      .pages()
      .filter((each) => /example/.test(each.url())),
  ).toEqual([]);
});

test('the page stays the page: no other file of the app is shown in its place, and a reload brings it back', async ({
  launch,
}) => {
  const app = await launch();
  const page = await app.page();
  const live = page.getByText('Live', { exact: true });
  await expect(live).toBeVisible();
  const address = page.url();
  for (const path of ['/assets/none.js', '/index.html', '/?a=1']) {
    await page.evaluate((target) => {
      window.location.href = target;
    }, path);
  }
  await expect(live).toBeVisible();
  expect(page.url()).toBe(address);
  // An address that the page gave itself, and at which there is nothing.
  await page.evaluate(() => history.pushState(null, '', '/assets/none.js'));
  const isRefused = () =>
    page.evaluate(() => {
      const { owner } = window as unknown as {
        owner: { callDesktop(method: string, input: unknown): Promise<unknown> };
      };
      return owner.callDesktop('desktopInfo', {}).then(
        () => false,
        () => true,
      );
    });
  expect(await isRefused()).toBe(true);
  await app.operate('pressMenu', 'reload');
  await expect.poll(() => page.url()).toBe(address);
  await expect(live).toBeVisible();
  expect(await isRefused()).toBe(false);
  await page.evaluate(() => Object.assign(window, { isStillThis: true }));
  await app.operate('pressMenu', 'reload');
  await expect.poll(() => page.evaluate(() => 'isStillThis' in window).catch(() => true)).toBe(false);
  await expect(live).toBeVisible();
});

test('a link out of the app is opened only when it is https and the owner agrees', async ({ launch }) => {
  const app = await launch();
  const page = await app.page();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const open = (url: string) => page.evaluate((target) => void window.open(target), url);
  const asked = () => app.operate<{ detail: string }[]>('dialogs');
  const opened = () => app.operate<string[]>('opened');

  await open('https://example.org/one');
  await expect.poll(asked).toHaveLength(1);
  expect((await asked())[0]!.detail).toBe('https://example.org/one');
  await app.operate('answer', 1);
  expect(await opened()).toEqual([]);

  await open('https://example.org/two');
  await expect.poll(asked).toHaveLength(1);
  await app.operate('answer', 0);
  await expect.poll(opened).toEqual(['https://example.org/two']);

  await open('http://example.org/three');
  await open('mailto:someone@example.org');
  await open('https://example.org/four');
  await expect.poll(asked).toHaveLength(1);
  expect((await asked())[0]!.detail).toBe('https://example.org/four');
});

test('no request leaves the page but for its own files', async ({ launch }) => {
  const app = await launch();
  const page = await app.page();
  const local = await app.url('local');
  const reached = await page.evaluate(
    async (urls) => {
      const tries = urls.map((url) =>
        fetch(url).then(
          () => url,
          () => null,
        ),
      );
      return (await Promise.all(tries)).filter((url) => url !== null);
    },
    ['https://example.org/', `${local}/health`, 'http://[::1]:1/'],
  );
  expect(reached).toEqual([]);
  const violations = await page.evaluate(async () => {
    const seen: string[] = [];
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => seen.push(effectiveDirective));
    const image = new Image();
    const failed = new Promise((resolve) => image.addEventListener('error', resolve));
    image.src = 'https://example.org/pixel.png';
    await failed;
    const script = document.createElement('script');
    script.textContent = 'window.wasRun = true';
    document.body.append(script);
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return { seen, wasRun: 'wasRun' in window };
  });
  expect(violations.seen).toContain('img-src');
  expect(violations.seen).toContain('script-src-elem');
  expect(violations.wasRun).toBe(false);
  test.skip(isReal, 'what the policy let through can be asked of the filter in the stand-in alone');
  for (const url of ['https://example.org/', `${local}/health`, 'ws://127.0.0.1:1/', 'file:///etc/hostname']) {
    expect(await app.operate('isCancelled', url), url).toBe(true);
  }
  expect(await app.operate('isCancelled', 'app://wellhouse/index.html')).toBe(false);
});

test('the page gets no permission but to copy', async ({ launch }) => {
  const app = await launch();
  const page = await app.page();
  const denied = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        navigator.geolocation.getCurrentPosition(
          () => resolve(0),
          ({ code }) => resolve(code),
        );
      }),
  );
  expect(denied).toBe(GeolocationPositionErrorCode.permissionDenied);
  expect(await page.evaluate(() => Notification.requestPermission())).not.toBe('granted');
  test.skip(isReal, 'the handlers themselves can only be asked in the stand-in');
  for (const permission of ['clipboard-read', 'media', 'geolocation', 'notifications', 'fileSystem', 'openExternal']) {
    expect(await app.operate('permission', permission)).toEqual({ isRequestGranted: false, isCheckGranted: false });
  }
  const copying = await app.operate('permission', 'clipboard-sanitized-write');
  expect(copying).toEqual({ isRequestGranted: true, isCheckGranted: true });
});

const GeolocationPositionErrorCode = { permissionDenied: 1 } as const;

test('the window is made with the sandbox and isolation on, and Node off', async ({ launch }) => {
  const app = await launch();
  await app.page();
  const { options } = await app.operate<SeenWindow>('window');
  expect(options.webPreferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webSecurity: true,
    webviewTag: false,
  });
  test.skip(isReal, 'the rest is told by the stand-in alone');
  expect(await app.operate('window')).toMatchObject({ webRtc: 'disable_non_proxied_udp' });
  const { privileges } = await app.operate<{ privileges: Record<string, Record<string, boolean>> }>('session');
  expect(privileges.app).toMatchObject({ standard: true, secure: true });
  expect(privileges.app?.bypassCSP ?? false).toBe(false);
});

test('a server leads the page nowhere else', async ({ launch }) => {
  test.skip(isReal, 'no server answers the page: the redirect is made by the stand-in');
  const app = await launch();
  await expect((await app.page()).getByText('Live', { exact: true })).toBeVisible();
  for (const url of [
    'https://example.org/',
    'app://elsewhere/',
    'app://wellhouse/assets/x.js',
    'file:///etc/hostname',
  ]) {
    expect(await app.operate('redirect', url)).toEqual({ isAllowed: false });
  }
  expect(await app.operate('redirect', 'app://wellhouse/')).toEqual({ isAllowed: true });
});

test('the scheme serves the built files with the policy, and nothing else', async ({ launch }) => {
  test.skip(isReal, 'the scheme is asked through the stand-in; in the real one the page itself would not load');
  const app = await launch();
  await app.page();
  interface Fetched {
    readonly status: number;
    readonly headers: Record<string, string>;
    readonly text: string;
  }
  const get = (url: string) => app.operate<Fetched>('fetch', url);
  const [first, second] = [await get('app://wellhouse/'), await get('app://wellhouse/index.html')];
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

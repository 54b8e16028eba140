import { expect, isReal, test } from '../support/desktop-app.ts';

/** The code of a GeolocationPositionError. */
const PERMISSION_DENIED = 1;

test('the page reaches only named functions, can’t navigate away, requests only its own files, and gets no permission', async ({
  launch,
}) => {
  const app = await launch();
  const page = await app.page();
  await test.step('the page has no access to Node or Electron except named functions', async () => {
    // Before its scripts have run, no page has globals of its own.
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    const found = await page.evaluate(() => {
      const { owner } = window as unknown as { owner: object };
      const members = (object: object, path: string): string[] =>
        Object.entries(object).flatMap(([name, value]) =>
          typeof value === 'object' ? members(value, `${path}${name}.`) : `${path}${name}: ${typeof value}`,
        );
      // A page in the page, which has what any browser gives.
      const frame = document.createElement('iframe');
      document.body.append(frame);
      const plain = frame.contentWindow!;
      const globals = Object.getOwnPropertyNames(window).filter((name) => !(name in plain) && !/^\d+$/.test(name));
      frame.remove();
      return { globals, bridge: members(owner, '').sort(), isFrozen: Object.isFrozen(owner) };
    });
    // Of the tools of this test, and of a library that comes with a part of the page, now or a moment later.
    const known = /^(standIn|__playwright|__pw|__zod_global)/;
    expect(found.globals.filter((name) => !known.test(name))).toEqual(['owner']);
    expect(found.bridge).toEqual([
      'call: function',
      'callDesktop: function',
      'listen: function',
      'listenDesktop: function',
      'osWrap.available: function',
      'osWrap.unwrap: function',
      'osWrap.wrap: function',
    ]);
    // By Electron's own bridge; a stand-in's would prove nothing.
    if (isReal) expect(found.isFrozen).toBe(true);
  });
  await test.step('navigation, new windows and other schemes are refused', async () => {
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
  await test.step('the page requests only its own files, and gets no permission', async () => {
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
    // The app refuses it, and so does the browser of the stand-in.
    const denied = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          navigator.geolocation.getCurrentPosition(
            () => resolve(0),
            ({ code }) => resolve(code),
          );
        }),
    );
    expect(denied).toBe(PERMISSION_DENIED);
    // Chromium asks for nothing behind the refused windows.
    await page.bringToFront();
    expect(await page.evaluate(() => Notification.requestPermission())).not.toBe('granted');
  });
});

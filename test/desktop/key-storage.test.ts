import { expect, test } from 'vitest';
import type { BarePage } from '../../e2e/stand-in/bare-page.ts';
import type { OwnerBridge } from '../../src/shared/desktop-api.ts';
import { DesktopApp } from '../support/desktop-app.ts';

const RENEW = { key: null, advice: 'renew' };
const KEY = Array.from({ length: 32 }, (_, index) => index * 7);

const available = (page: BarePage) =>
  page.evaluate(() => (globalThis as unknown as { owner: OwnerBridge }).owner.osWrap.available());
const wrap = (page: BarePage, key: number[]) =>
  page.evaluate(async (bytes) => {
    const { owner } = globalThis as unknown as { owner: OwnerBridge };
    const wrapped = await owner.osWrap.wrap(Uint8Array.from(bytes));
    return wrapped === null ? null : [...wrapped];
  }, key);
const unwrap = (page: BarePage, wrapped: number[]) =>
  page.evaluate(async (bytes) => {
    const { owner } = globalThis as unknown as { owner: OwnerBridge };
    const { dataKey, advice } = await owner.osWrap.unwrap(Uint8Array.from(bytes));
    return { key: dataKey === null ? null : [...dataKey], advice };
  }, wrapped);

test('the system’s key storage seals a data key and opens it, also after a restart', async () => {
  const first = await DesktopApp.launch();
  const page = await first.page();
  expect(await available(page)).toBe(true);
  const wrapped = (await wrap(page, KEY))!;
  expect(await unwrap(page, wrapped)).toEqual({ key: KEY, advice: 'keep' });
  await first.dispose();
  const again = await DesktopApp.launch({ home: first.home });
  expect(await unwrap(await again.page(), wrapped)).toEqual({ key: KEY, advice: 'keep' });
});

test('a changed or missing keyring gives nothing, without an error, and can be used again', async () => {
  const app = await DesktopApp.launch();
  const page = await app.page();
  const wrapped = (await wrap(page, KEY))!;
  await app.operate('keyring', { secret: 'another' });
  expect(await unwrap(page, wrapped)).toEqual(RENEW);
  const renewed = (await wrap(page, KEY))!;
  expect(await unwrap(page, renewed)).toEqual({ key: KEY, advice: 'keep' });
  await app.operate('keyring', { backend: 'none' });
  expect(await available(page)).toBe(false);
  expect(await unwrap(page, renewed)).toEqual(RENEW);
  expect(await wrap(page, KEY)).toBeNull();
  await app.operate('keyring', { backend: 'gnome_libsecret' });
  expect(await unwrap(page, renewed)).toEqual({ key: KEY, advice: 'keep' });
});

test('a key that the keyring replaced still opens, and is marked to be sealed again', async () => {
  const app = await DesktopApp.launch();
  const page = await app.page();
  const wrapped = (await wrap(page, KEY))!;
  await app.operate('keyring', { isRotated: true });
  expect(await unwrap(page, wrapped)).toEqual({ key: KEY, advice: 'renew' });
});

test('a keyring is used on a desktop that Chromium does not know, judged by the sealed text', async () => {
  const app = await DesktopApp.launch({ env: { STAND_IN_KEYRING: 'drawer' } });
  const page = await app.page();
  expect(await available(page)).toBe(true);
  expect(await unwrap(page, (await wrap(page, KEY))!)).toEqual({ key: KEY, advice: 'keep' });
});

test.each([{ STAND_IN_KEYRING: 'basic_text' }, { STAND_IN_KEYRING_GONE: '1' }])(
  'nothing is sealed without a keyring, for example on Linux with %o',
  async (env) => {
    const app = await DesktopApp.launch({ system: 'linux', env });
    const page = await app.page();
    expect(await available(page)).toBe(false);
    expect(await wrap(page, KEY)).toBeNull();
  },
);

test('only a possible data key is sealed', async () => {
  const app = await DesktopApp.launch({ system: 'linux' });
  const page = await app.page();
  expect(await wrap(page, KEY.slice(1))).toBeNull();
  expect(await wrap(page, [])).toBeNull();
  expect(await unwrap(page, [])).toEqual(RENEW);
  const tagged = (tag: string) => [...Buffer.from(tag), 1, 2, 3];
  expect(await unwrap(page, tagged('v11'))).toEqual(RENEW);
  for (const sealed of [[1, 2, 3], tagged('v10')]) {
    expect(await unwrap(page, sealed)).toEqual({ key: null, advice: 'drop' });
  }
});

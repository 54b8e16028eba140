import { describe, expect, test } from 'vitest';
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

test('the system’s key storage seals a data key and opens it, also after a restart, until the keyring changes', async () => {
  const first = await DesktopApp.launch();
  const firstPage = await first.page();
  expect(await available(firstPage)).toBe(true);
  const wrapped = (await wrap(firstPage, KEY))!;
  expect(await unwrap(firstPage, wrapped)).toEqual({ key: KEY, advice: 'keep' });
  await first.dispose();
  const app = await DesktopApp.launch({ home: first.home });
  const page = await app.page();
  expect(await unwrap(page, wrapped)).toEqual({ key: KEY, advice: 'keep' });

  // A key that the keyring replaced still opens, and is marked to be sealed again.
  await app.operate('keyring', { isRotated: true });
  expect(await unwrap(page, wrapped)).toEqual({ key: KEY, advice: 'renew' });
  await app.operate('keyring', { isRotated: false });

  // A changed or missing keyring gives nothing, without an error, and can be used again.
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

describe('on Linux', () => {
  const shared = DesktopApp.shared({ system: 'linux' });

  test('a keyring is used on a desktop that Chromium does not know, judged by the sealed text', async () => {
    const app = shared();
    const page = await app.page();
    await app.operate('keyring', { backend: 'drawer' });
    expect(await available(page)).toBe(true);
    expect(await unwrap(page, (await wrap(page, KEY))!)).toEqual({ key: KEY, advice: 'keep' });
  });

  test('only a possible data key is sealed', async () => {
    const page = await shared().page();
    expect(await wrap(page, KEY.slice(1))).toBeNull();
    expect(await wrap(page, [])).toBeNull();
    expect(await unwrap(page, [])).toEqual(RENEW);
    const tagged = (tag: string) => [...Buffer.from(tag), 1, 2, 3];
    expect(await unwrap(page, tagged('v11'))).toEqual(RENEW);
    for (const sealed of [[1, 2, 3], tagged('v10')]) {
      expect(await unwrap(page, sealed)).toEqual({ key: null, advice: 'drop' });
    }
  });

  test.each([
    { backend: 'basic_text', isRunning: true },
    { backend: 'gnome_libsecret', isRunning: false },
  ])('nothing is sealed without a keyring: %o', async (keyring) => {
    const app = shared();
    const page = await app.page();
    await app.operate('keyring', keyring);
    expect(await available(page)).toBe(false);
    expect(await wrap(page, KEY)).toBeNull();
  });
});

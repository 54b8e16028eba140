import type { Page } from '@playwright/test';
import { expect, isReal, test } from '../support/desktop-app.ts';

interface Bridge {
  readonly osWrap: {
    available(): Promise<boolean>;
    wrap(key: Uint8Array): Promise<Uint8Array | null>;
    unwrap(bytes: Uint8Array): Promise<Uint8Array | null>;
  };
}

const KEY = Array.from({ length: 32 }, (_, index) => index * 7);

const available = (page: Page) =>
  page.evaluate(() => (window as unknown as { owner: Bridge }).owner.osWrap.available());
const wrap = (page: Page, key: number[]) =>
  page.evaluate(async (bytes) => {
    const wrapped = await (window as unknown as { owner: Bridge }).owner.osWrap.wrap(Uint8Array.from(bytes));
    return wrapped === null ? null : [...wrapped];
  }, key);
const unwrap = (page: Page, wrapped: number[]) =>
  page.evaluate(async (bytes) => {
    const key = await (window as unknown as { owner: Bridge }).owner.osWrap.unwrap(Uint8Array.from(bytes));
    return key === null ? null : [...key];
  }, wrapped);

test.skip(isReal, 'a keyring of the test’s own needs the stand-in');

test('the system’s key storage seals a data key and opens it, also after a new start', async ({ launch }) => {
  const first = await launch();
  const page = await first.page();
  expect(await available(page)).toBe(true);
  const wrapped = (await wrap(page, KEY))!;
  expect(await unwrap(page, wrapped)).toEqual(KEY);
  await first.operate('quit');
  await first.exited;
  const again = await (await launch({ home: first.home })).page();
  expect(await unwrap(again, wrapped)).toEqual(KEY);
});

test('a changed or missing keyring gives nothing, without an error, and can be used anew', async ({ launch }) => {
  const app = await launch();
  const page = await app.page();
  const wrapped = (await wrap(page, KEY))!;
  await app.operate('keyring', { secret: 'another' });
  expect(await unwrap(page, wrapped)).toBeNull();
  const renewed = (await wrap(page, KEY))!;
  expect(await unwrap(page, renewed)).toEqual(KEY);
  await app.operate('keyring', { backend: 'none' });
  expect(await available(page)).toBe(false);
  expect(await unwrap(page, renewed)).toBeNull();
  expect(await wrap(page, KEY)).toBeNull();
});

for (const backend of ['basic_text', 'unknown']) {
  test(`nothing is sealed with the backend ${backend}`, async ({ launch }) => {
    test.skip(process.platform !== 'linux', 'only Linux has backends');
    const page = await (await launch({ env: { STAND_IN_KEYRING: backend } })).page();
    expect(await available(page)).toBe(false);
    expect(await wrap(page, KEY)).toBeNull();
  });
}

test('only what can be a data key is sealed', async ({ launch }) => {
  const page = await (await launch()).page();
  expect(await wrap(page, KEY.slice(1))).toBeNull();
  expect(await wrap(page, [])).toBeNull();
  expect(await unwrap(page, [1, 2, 3])).toBeNull();
});

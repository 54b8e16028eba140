import type { Page } from '@playwright/test';
import type { OwnerBridge } from '../../src/shared/desktop-api.ts';
import { expect, isReal, SYSTEM, test } from '../support/desktop-app.ts';

type Bridge = Pick<OwnerBridge, 'osWrap'>;

const RENEW = { key: null, advice: 'renew' };
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
    const { owner } = window as unknown as { owner: Bridge };
    const { dataKey, advice } = await owner.osWrap.unwrap(Uint8Array.from(bytes));
    return { key: dataKey === null ? null : [...dataKey], advice };
  }, wrapped);

test.skip(isReal, 'a keyring of the test’s own needs the stand-in');

test('the system’s key storage seals a data key and opens it, also after a new start', async ({ launch }) => {
  const first = await launch();
  const page = await first.page();
  expect(await available(page)).toBe(true);
  const wrapped = (await wrap(page, KEY))!;
  expect(await unwrap(page, wrapped)).toEqual({ key: KEY, advice: 'keep' });
  await first.operate('quit');
  await first.exited;
  const again = await (await launch({ home: first.home })).page();
  expect(await unwrap(again, wrapped)).toEqual({ key: KEY, advice: 'keep' });
});

test('a changed or missing keyring gives nothing, without an error, and can be used again', async ({ launch }) => {
  const app = await launch();
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
});

test('a keyring is used on a desktop that Chromium does not know, too: what it seals tells', async ({ launch }) => {
  const page = await (await launch({ env: { STAND_IN_KEYRING: 'drawer' } })).page();
  expect(await available(page)).toBe(true);
  expect(await unwrap(page, (await wrap(page, KEY))!)).toEqual({ key: KEY, advice: 'keep' });
});

for (const env of [{ STAND_IN_KEYRING: 'basic_text' }, { STAND_IN_KEYRING_GONE: '1' }]) {
  test(`nothing is sealed without a keyring, as with ${JSON.stringify(env)}`, async ({ launch }) => {
    test.skip(SYSTEM !== 'linux', 'only Linux has backends');
    const page = await (await launch({ env })).page();
    expect(await available(page)).toBe(false);
    expect(await wrap(page, KEY)).toBeNull();
  });
}

test('only what can be a data key is sealed', async ({ launch }) => {
  const page = await (await launch()).page();
  expect(await wrap(page, KEY.slice(1))).toBeNull();
  expect(await wrap(page, [])).toBeNull();
  expect(await unwrap(page, [])).toEqual(RENEW);
  test.skip(SYSTEM !== 'linux', 'elsewhere nothing tells what bears no tag');
  const tagged = (tag: string) => [...Buffer.from(tag), 1, 2, 3];
  expect(await unwrap(page, tagged('v11'))).toEqual(RENEW);
  for (const sealed of [[1, 2, 3], tagged('v10')]) {
    expect(await unwrap(page, sealed)).toEqual({ key: null, advice: 'drop' });
  }
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConsoleMessage, Page, Request } from '@playwright/test';
import { bytesToHex, hexToBytes } from '../src/shared/crypto/hex.ts';
import { deriveFieldKey } from '../src/shared/crypto/keyring/field-key.ts';
import { deriveOwner } from '../src/shared/crypto/phrase/owner-key.ts';
import { sealedField } from '../src/simulator/block-source.ts';
import type { SimulatedDevice } from '../src/simulator/device.ts';
import { MINUTE_MS, registered, send } from './support/devices.ts';
import {
  giveKeystore,
  keepAs,
  locked,
  OTHER_PHRASE,
  openUnlocked,
  PASSPHRASE,
  PHRASE,
  phraseSecret,
  removeSecret,
  typePassphrase,
  typePhrase,
  unlocked,
} from './support/keys.ts';
import { ownerNode } from './support/owner-node.ts';
import { expect, test } from './support/owner-test.ts';
import { heapTexts, inPageProcesses, toldByWorkers } from './support/page-memory.ts';

const KEPT = {
  deviceId: 'cd'.repeat(32),
  keyVersion: 3,
  // No byte comes twice in a row: a picture in memory may repeat one.
  keyHex: '5ea7c3196bf04d82'.repeat(4),
  source: 'imported',
  addedAt: 1,
} as const;
const [, FIRMWARE] = deriveOwner('test', { kind: 'phrase', phrase: PHRASE }).keys;

let device: SimulatedDevice;
let fieldKey: Uint8Array;
const node = ownerNode(async (started) => {
  device = await registered(started, ['local'], { name: 'Well', ownerPubkey: FIRMWARE!.publicKey }, { publishTo: 0 });
  fieldKey = deriveFieldKey(FIRMWARE!.seed, hexToBytes(device.id), 1);
  const end = Date.now();
  const blocks = Array.from({ length: 10 }, (_, index) =>
    device.block({
      seq: index + 1,
      timestamp: end - (10 - index) * MINUTE_MS,
      keyVersion: 1,
      sealed: { ph: sealedField(fieldKey, 7.875) },
    }),
  );
  await send(started, 'local', blocks);
  // The field key was exported, the phrase was not.
  await giveKeystore(started, { secrets: [phraseSecret(PHRASE, 'Kept')], fieldKeys: [KEPT], exportedAt: 2 });
});

/** The secrets that must never be found outside the keystore and the worker. */
function secrets(): string[] {
  const seeds = [PHRASE, OTHER_PHRASE].flatMap((phrase) =>
    deriveOwner('test', { kind: 'phrase', phrase }).keys.map(({ seed }) => bytesToHex(seed)),
  );
  return [PHRASE, OTHER_PHRASE, PASSPHRASE, ...seeds, KEPT.keyHex, bytesToHex(fieldKey)];
}

/** Which secrets stand in a text, in any case, also as a URL or JSON would carry them. */
function foundIn(text: string): string[] {
  const forms = [text, text.replaceAll('+', ' ').replaceAll('%20', ' ')].map((form) => form.toLowerCase());
  return secrets().filter((secret) => forms.some((form) => form.includes(secret)));
}

/** Everything that a page keeps or shows where others could read it. */
function kept(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const databases = (await indexedDB.databases()).map(({ name }) => name);
    const cached = 'caches' in window ? await caches.keys() : [];
    return JSON.stringify([
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
      location.href,
      databases,
      cached,
    ]);
  });
}

interface Fiber {
  readonly memoizedProps: { readonly client?: Client } | null;
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
}
interface Client {
  getQueryCache?(): { getAll(): readonly { readonly queryKey: unknown; readonly state: unknown }[] };
}

/** The query cache, found by way of React's own tree. */
function queryCache(page: Page): Promise<string> {
  return page.evaluate(() => {
    const root = document.getElementById('root')!;
    const name = Object.keys(root).find((key) => key.startsWith('__reactContainer$'))!;
    const container = (root as unknown as Record<string, { readonly stateNode: { readonly current: Fiber } }>)[name]!;
    const waiting: (Fiber | null)[] = [container.stateNode.current];
    while (waiting.length > 0) {
      const fiber = waiting.pop();
      if (fiber === null || fiber === undefined) continue;
      const cache = fiber.memoizedProps?.client?.getQueryCache?.();
      if (cache !== undefined) return JSON.stringify(cache.getAll().map(({ queryKey, state }) => [queryKey, state]));
      waiting.push(fiber.sibling, fiber.child);
    }
    throw new Error('the query cache was not found');
  });
}

/** Every form that secrets can have in a process's memory, each under a name. */
function keptForms(hidden: readonly string[]): Map<string, Buffer> {
  const forms = hidden.flatMap((secret): [string, Buffer][] => [
    [`${secret} as text`, Buffer.from(secret, 'latin1')],
    [`${secret} as wide text`, Buffer.from(secret, 'utf16le')],
    ...(/^[0-9a-f]{64}$/.test(secret) ? [[`${secret} as bytes`, Buffer.from(secret, 'hex')] as [string, Buffer]] : []),
  ]);
  return new Map(forms);
}

/** Locks by the keyboard, from the page of the device. */
async function lockOnDevicePage(page: Page): Promise<void> {
  await page.keyboard.press('Control+Shift+L');
  await expect(page.getByRole('button', { name: 'Unlock the keys' })).toBeVisible();
  await expect(page.getByText('7.88')).toHaveCount(0);
  await expect.poll(() => page.workers()).toHaveLength(0);
}

async function goToDevice(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Well', exact: true }).first().click();
  await expect(page.getByRole('grid', { name: 'Readings' })).toBeVisible();
  await expect(page.getByText('7.88').first()).toBeVisible();
}

test('locking ends the worker with the keys, and no secret is in memory, storage, requests, the console or the node’s files', async ({
  page,
  browser,
  watch,
}) => {
  const sent: string[] = [];
  page.on('request', (request: Request) =>
    sent.push(request.url(), request.postData() ?? '', JSON.stringify(request.headers())),
  );
  page.on('console', (message: ConsoleMessage) => sent.push(message.text()));
  const nothingKept = async () => {
    for (const text of [await kept(page), await queryCache(page), await page.content()])
      expect(foundIn(text)).toEqual([]);
  };
  await test.step('locking leaves no kept secret in the page’s memory', async () => {
    const told = await toldByWorkers(page);
    await openUnlocked(page, node());
    // Another one, which looks at the file, ends by itself.
    await expect.poll(() => page.workers().length).toBe(1);
    await goToDevice(page);
    const hidden = secrets().filter((secret) => secret !== PASSPHRASE && secret !== OTHER_PHRASE);
    // The worker shares the process with the page, so a search of its memory finds them.
    const wanted = keptForms(hidden);
    const surelyOpen = [`${PHRASE} as text`, `${bytesToHex(FIRMWARE!.seed)} as bytes`, `${KEPT.keyHex} as text`];
    // The key of the fields is derived again for each opening, and some of its forms may be collected by now.
    const isOfFields = (form: string) => form.startsWith(bytesToHex(fieldKey));
    const there = [...wanted].filter(([form]) => surelyOpen.includes(form) || isOfFields(form));
    const open = await inPageProcesses(browser, new Map(there));
    if (open !== null) {
      expect(open).toEqual(expect.arrayContaining(surelyOpen));
      expect(open.filter(isOfFields)).not.toEqual([]);
    }
    // Not even while they are open: they are in the worker, which doesn't hand them out.
    const texts = [await heapTexts(page), await told()];
    expect(texts[0]).toContain(device.id);
    expect(texts[1]).toContain('7.875');
    for (const text of texts) expect(hidden.filter((secret) => text.includes(secret))).toEqual([]);
    await lockOnDevicePage(page);
    const after = await heapTexts(page);
    expect(hidden.filter((secret) => after.includes(secret))).toEqual([]);
    // V8 keeps the pages of the worker's heap for some seconds after its end.
    await expect
      .poll(() => inPageProcesses(browser, wanted, 1), { timeout: 90_000 })
      .toEqual(open === null ? null : []);
  });
  await test.step('says why the keys are locked, and opens them again', async () => {
    await page.getByRole('link', { name: /^Keys/ }).click();
    await locked(page);
    await expect(page.getByText('You locked the keys.')).toBeVisible();
    await typePassphrase(page);
    await unlocked(page);
  });
  await test.step('the worker with the keys can send no request', async () => {
    watch.tolerate(/Content Security Policy/);
    const [worker] = page.workers();
    const reached = await worker!.evaluate(
      (url) =>
        fetch(url).then(
          () => 'reached',
          () => 'refused',
        ),
      node().url('local'),
    );
    expect(reached).toBe('refused');
  });
  await test.step('locking removes a shown phrase from the page', async () => {
    await page.getByRole('button', { name: 'New phrase' }).click();
    await page.getByRole('button', { name: 'Make the phrase' }).click();
    const items = page.getByRole('dialog').getByRole('listitem');
    await expect(items).toHaveCount(12);
    const words = (await items.allTextContents()).map((text) => text.replace(/^\d+/, ''));
    await page.keyboard.press('Control+Shift+L');
    await locked(page);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const left = await page.evaluate(() => document.documentElement.textContent);
    // A word or two may be ordinary ones; all twelve are the phrase.
    expect(words.filter((word) => left!.includes(word)).length).toBeLessThan(12);
    await expect(page.locator('[data-print-sheet]')).toHaveCount(0);
  });
  await typePassphrase(page);
  await unlocked(page);
  await test.step('nothing that was typed or opened is kept where others could read it', async () => {
    await typePhrase(page, OTHER_PHRASE);
    await removeSecret(page, await keepAs(page, 'Typed'));
    await goToDevice(page);
    await nothingKept();
    // What was opened is no query's result: the cache holds what the node gave.
    expect(await queryCache(page)).not.toContain('7.875');
    await page.getByRole('banner').getByRole('button', { name: 'Lock the keys' }).click();
    await expect(page.getByText('7.88')).toHaveCount(0);
    await expect.poll(() => page.workers()).toHaveLength(0);
    await nothingKept();
    expect(foundIn(sent.join('\n'))).toEqual([]);
    const files = readdirSync(node().dataDir).map((name) => readFileSync(join(node().dataDir, name)));
    const log = Buffer.from(node().process.stdout + node().process.stderr);
    const inHex = secrets().filter((each) => /^[0-9a-f]{64}$/.test(each));
    for (const bytes of [...files, log]) {
      expect(foundIn(bytes.toString('latin1'))).toEqual([]);
      expect(inHex.filter((each) => bytes.includes(Buffer.from(each, 'hex')))).toEqual([]);
    }
  });
});

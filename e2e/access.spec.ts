import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { post, send as request } from '../test/support/http.ts';
import { startProcess } from '../test/support/node-process.ts';
import { ownerNode } from './support/owner-node.ts';
import { expect, openOwner, test } from './support/owner-test.ts';

const node = ownerNode();
const REFUSED = /status of 40[13]/;

test('the page asks for the link, accepts a pasted one, and keeps its secret out of the address and of cookies', async ({
  page,
  watch,
  context,
}) => {
  await test.step('without the link the page asks for it, and accepts a pasted one', async () => {
    await page.goto(`${node().url('local')}/ui/`);
    await expect(page.getByRole('heading', { name: 'Open the link of your node' })).toBeVisible();
    await page.getByLabel('The link', { exact: true }).fill('http://127.0.0.1:3001/ui/');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await expect(page.getByText('This is not the link')).toBeVisible();
    await page.getByLabel('The link', { exact: true }).fill(`  ${node().link}  `);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
  });
  await test.step('an old link does not replace a working one', async () => {
    watch.tolerate(REFUSED);
    await openOwner(page, node());
    await page.goto('about:blank');
    await page.goto(`${node().url('local')}/ui/#token=${'A'.repeat(43)}`);
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeHidden();
  });
  await test.step('the link’s secret leaves the address at once, opens the page, and works after a reload and in a new tab', async () => {
    await openOwner(page, node());
    expect(page.url()).toBe(`${node().url('local')}/ui/#/`);
    await page.reload();
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    const tab = await context.newPage();
    await tab.goto(`${node().url('local')}/ui/#/connect`);
    await expect(tab.getByRole('heading', { name: 'Connect a device' })).toBeVisible();
    expect(await context.cookies()).toEqual([]);
    expect(await page.evaluate(() => document.cookie)).toBe('');
    await page.goBack();
    expect(page.url()).not.toContain('token');
  });
});

test.describe('a page of another site', () => {
  let site: Server;
  test.beforeAll(async () => {
    site = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>elsewhere</title><link rel="icon" href="data:,">');
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  });
  test.afterAll(() => {
    site.close();
  });

  test('can’t read the node’s answers, even with the token, and can’t put the page into a frame', async ({
    page,
    watch,
  }) => {
    watch.tolerate(REFUSED);
    // `localhost` is another site than 127.0.0.1 to a browser; the other port of 127.0.0.1 is another origin.
    for (const host of ['localhost', '127.0.0.1']) {
      await test.step(`on ${host} it gets 403 for a call and for the events, even with the token`, async () => {
        watch.tolerate(/blocked by CORS policy|ERR_FAILED|ERR_BLOCKED_BY_RESPONSE|WebSocket .* response code: 403/);
        watch.allow(node().url('local'));
        const statuses: number[] = [];
        page.on('response', (response) => {
          if (response.url().startsWith(node().url('local'))) statuses.push(response.status());
        });
        await page.goto(`http://${host}:${(site.address() as AddressInfo).port}/`);
        const outcomes = await page.evaluate(
          async ([api, token]) => {
            const tries: [string, RequestInit][] = [
              ['overview', { method: 'POST', body: '{"dayStart":0}', mode: 'no-cors' }],
              ['overview', { method: 'POST', body: '{"dayStart":0}' }],
              ['overview', { method: 'POST', body: '{}', headers: { authorization: `Bearer ${token}` } }],
              ['events', { headers: { authorization: `Bearer ${token}` } }],
            ];
            return Promise.all(
              tries.map(([method, init]) =>
                fetch(`${api}${method}`, init).then(
                  ({ type, status }) => `${type} ${status}`,
                  () => 'refused',
                ),
              ),
            );
          },
          [`${node().url('local')}/ui/api/`, node().token] as const,
        );
        expect(outcomes).toEqual(['refused', 'refused', 'refused', 'refused']);
        const heard = await page.evaluate(
          ([url, token]) =>
            new Promise<string[]>((resolve) => {
              const events: string[] = [];
              const socket = new WebSocket(url);
              for (const name of ['open', 'message', 'error', 'close']) {
                socket.addEventListener(name, ({ type }) => {
                  events.push(type);
                  if (type === 'open') socket.send(JSON.stringify({ token }));
                  if (type === 'close') resolve(events);
                });
              }
            }),
          [`${node().url('local').replace('http', 'ws')}/ui/api/events`, node().token] as const,
        );
        expect(heard).toEqual(['error', 'close']);
        // The browser keeps most answers to itself, as they are for no page of another origin.
        expect(statuses.filter((status) => status !== 403)).toEqual([]);
        const { status } = await request(`${node().url('local')}/ui/api/overview`, {
          method: 'POST',
          headers: { origin: `http://${host}:1`, authorization: `Bearer ${node().token}` },
          body: '{"dayStart":0}',
        });
        expect(status).toBe(403);
      });
    }

    await test.step('it cannot put the view into a frame', async () => {
      watch.tolerate(/ERR_BLOCKED_BY_RESPONSE|frame/);
      watch.allow(node().url('local'));
      await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
      await page.evaluate((url) => {
        const frame = document.createElement('iframe');
        frame.src = url;
        const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
        document.body.append(frame);
        return loaded;
      }, node().link);
      await expect(page.frameLocator('iframe').getByText('Wellhouse')).toHaveCount(0);
    });
  });
});

test('the page has a strict policy, its calls need the token, and a node without --ui has no page', async ({
  page,
  watch,
}) => {
  await test.step('a call without the token gets 401, from a page and from a program', async () => {
    watch.tolerate(REFUSED);
    const url = `${node().url('local')}/ui/api/overview`;
    const reply = await post(url, { dayStart: 0 });
    expect([reply.status, reply.json]).toEqual([401, { ok: false, error: 'unauthorized' }]);
    await page.goto(`${node().url('local')}/ui/`);
    const fromPage = await page.evaluate(async () => {
      const call = await fetch('api/overview', { method: 'POST', body: '{"dayStart":0}' });
      const events = await fetch('api/events');
      return [call.status, events.status, await call.text()];
    });
    expect(fromPage).toEqual([401, 401, '{"ok":false,"error":"unauthorized"}']);
  });
  await test.step('the page has a strict policy with a new nonce each time', async () => {
    const policies = await Promise.all(
      [1, 2].map(async () => String((await request(`${node().url('local')}/ui/`)).headers['content-security-policy'])),
    );
    for (const policy of policies) {
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain('unsafe');
      expect(policy).not.toMatch(/https?:|\*/);
    }
    expect(policies[0]).not.toBe(policies[1]);
  });
  await test.step('a node without --ui has no owner route, and a browser finds no page', async () => {
    watch.tolerate(/status of 404/);
    const plain = await startProcess();
    try {
      const response = await page.goto(`${plain.url('local')}/ui/`);
      expect(response?.status()).toBe(404);
      expect((await post(`${plain.url('local')}/ui/api/overview`, { dayStart: 0 })).status).toBe(404);
      expect((await request(`${plain.url('local')}/ui/api/events`)).status).toBe(404);
    } finally {
      await plain.dispose();
    }
  });
});

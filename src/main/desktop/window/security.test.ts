import type { IpcMainInvokeEvent, WebContents } from 'electron';
import { describe, expect, it } from 'vitest';
import { guardedHandler } from '../../owner/transports/ipc.ts';
import { answerTo, isOwnUrl, isPageUrl } from './app-url.ts';
import { isAllowedRequest, isFromPage, WEB_PREFERENCES } from './security.ts';

describe('an address', () => {
  it.each(['app://wellhouse/', 'app://wellhouse/index.html#/device/1', 'app://wellhouse/assets/a.js'])(
    'is our own: %s',
    (url) => expect(isOwnUrl(url)).toBe(true),
  );

  it.each([
    'app://elsewhere/',
    'app://wellhouse.example.org/',
    'app://user@wellhouse/',
    'https://wellhouse/',
    'file:///wellhouse',
    'about:blank',
    'app:wellhouse',
    '',
  ])('is not: %j', (url) => {
    expect(isOwnUrl(url)).toBe(false);
    if (url !== '') expect(isAllowedRequest(url)).toBe(false);
  });

  it('is the page’s if it is not another file’s', () => {
    for (const url of ['app://wellhouse/', 'app://wellhouse/#/settings']) expect(isPageUrl(url)).toBe(true);
    const others = [
      'app://wellhouse/assets/a.js',
      'app://wellhouse/index.html',
      'app://wellhouse/?a',
      'https://a/',
      '',
    ];
    for (const url of others) expect(isPageUrl(url)).toBe(false);
  });

  it('is allowed if the page created it', () => {
    expect(isAllowedRequest('blob:app://wellhouse/2f3c')).toBe(true);
    expect(isAllowedRequest('blob:https://example.org/2f3c')).toBe(false);
    expect(isAllowedRequest('data:image/png;base64,AAAA')).toBe(true);
    expect(isAllowedRequest('http://127.0.0.1:3001/health')).toBe(false);
    expect(isAllowedRequest('ws://127.0.0.1:3001/')).toBe(false);
  });
});

describe('a call', () => {
  const page = { id: 1 } as WebContents;
  const call = (senderFrame: object | null, sender = page) =>
    ({ sender, senderFrame }) as unknown as IpcMainInvokeEvent;
  const frame = { parent: null, url: 'app://wellhouse/' };

  it('is accepted only from the main frame of our page', () => {
    expect(isFromPage(call(frame), page)).toBe(true);
    expect(isFromPage(call({ ...frame, url: 'https://example.org/' }), page)).toBe(false);
    expect(isFromPage(call({ ...frame, url: 'app://wellhouse/assets/a.svg' }), page)).toBe(false);
    expect(isFromPage(call({ ...frame, parent: frame }), page)).toBe(false);
    expect(isFromPage(call(null), page)).toBe(false);
    expect(isFromPage(call(frame, { id: 2 } as WebContents), page)).toBe(false);
    expect(isFromPage(call(frame), null)).toBe(false);
  });

  it('reaches no handler from elsewhere', async () => {
    const handlers = new Map<string, (event: string, ...values: unknown[]) => unknown>();
    const ipc = { handle: (channel: string, handler: (event: string) => unknown) => handlers.set(channel, handler) };
    const calls: unknown[] = [];
    guardedHandler<string>(ipc, (event) => event === 'ours')('channel', (value) => calls.push(value));
    expect(() => handlers.get('channel')!('theirs', 1)).toThrow('refused');
    expect(handlers.get('channel')!('ours', 2)).toBe(1);
    expect(calls).toEqual([2]);
  });
});

it('the page is sandboxed and isolated', () => {
  expect(WEB_PREFERENCES).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    webviewTag: false,
  });
});

describe('the scheme', () => {
  const file = {
    bytes: Buffer.from('<p>__CSP_NONCE__</p>'),
    contentType: 'text/html; charset=utf-8',
    isImmutable: false,
    hash: 'x',
    encoded: {},
  };
  const files = new Map([['index.html', file]]);

  it('answers with the policy and a nonce of this answer', async () => {
    const answer = answerTo('app://wellhouse/', 'GET', files);
    const nonce = /'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy')!)![1];
    expect(await answer.text()).toBe(`<p>${nonce}</p>`);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it.each(['app://wellhouse/../index.html/x', 'app://wellhouse/%2e%2e%2fpackage.json', 'app://elsewhere/'])(
    'serves nothing at %s',
    (url) => expect(answerTo(url, 'GET', files).status).toBe(404),
  );

  it('accepts no other method', () => {
    expect(answerTo('app://wellhouse/', 'POST', files).status).toBe(405);
  });
});

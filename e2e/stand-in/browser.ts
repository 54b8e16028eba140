import { createServer } from 'node:net';
import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import { offer } from './control.ts';

let browser: Browser | null = null;
let context: BrowserContext | null = null;
let port = 0;

/** The origin that stands for app://wellhouse: Chromium opens no scheme that it does not know. */
export const PAGE_ORIGIN = 'https://app.stand-in.test';
const APP_ORIGIN = 'app://wellhouse';

/** The app's own address for one of the browser's, and back; other addresses stay as they are. */
export const toAppUrl = (url: string) => swapped(url, PAGE_ORIGIN, APP_ORIGIN);
export const toPageUrl = (url: string) => swapped(url, APP_ORIGIN, PAGE_ORIGIN);

function swapped(url: string, from: string, to: string): string {
  return url === from || url.startsWith(`${from}/`) ? to + url.slice(from.length) : url;
}

/** Starts Chromium, which the test attaches to as well. */
export async function openBrowser(): Promise<void> {
  if (browser !== null) return;
  port = await freePort();
  browser = await chromium.launch({
    executablePath: process.env.WELLHOUSE_E2E_CHROMIUM ?? '/usr/bin/chromium',
    args: [`--remote-debugging-port=${port}`],
  });
  context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    locale: 'en-US',
    timezoneId: 'America/Sao_Paulo',
  });
}

export async function closeBrowser(): Promise<void> {
  const closing = browser;
  browser = null;
  await closing?.close();
}

/** The one context that pages are opened in. */
export function browserContext(): BrowserContext {
  if (context === null) throw new Error('the app is not ready: no window before that');
  return context;
}

/** A fixed port could lead the test to the browser of an earlier run. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** null until Chromium runs. */
offer('debuggingUrl', () => (browser === null ? null : `http://127.0.0.1:${port}`));

import { EventEmitter } from 'node:events';
import type { Page, Request } from '@playwright/test';
import { openWindows, PreventableEvent } from './app.ts';
import { browserContext, toAppUrl, toPageUrl } from './browser.ts';
import { decode, encode } from './codec.ts';
import { offer } from './control.ts';
import { pageScript } from './page-side.ts';
import { answerRequest } from './session.ts';
import { strict } from './strict.ts';

interface Bounds {
  x: number;
  y: number;
  width: number;
  height: number;
}
interface WindowOptions extends Partial<Bounds> {
  readonly show?: boolean;
  readonly webPreferences: Readonly<Record<string, unknown>> & { readonly preload: string };
}
type IpcHandler = (event: object, ...values: unknown[]) => unknown;
type OpenHandler = (details: { url: string }) => { action: string };

const ipcHandlers = new Map<string, IpcHandler>();

export const ipcMain = strict('ipcMain', {
  handle(channel: string, handler: IpcHandler): void {
    if (ipcHandlers.has(channel)) throw new Error(`a second handler for ${channel}`);
    ipcHandlers.set(channel, handler);
  },
});

class Contents extends EventEmitter {
  page: Page | null = null;
  openHandler: OpenHandler = () => ({ action: 'allow' });
  readonly #pending: Promise<unknown>[] = [];

  send(channel: string, ...values: unknown[]): void {
    const text = encode(values);
    const sending = this.page?.evaluate(
      ([name, sent]) =>
        (window as unknown as { standInEmit?: (channel: string, values: string) => void }).standInEmit?.(name!, sent!),
      [channel, text],
    );
    // A page that is gone hears nothing, as in Electron.
    this.#pending.push(sending?.catch(() => {}) ?? Promise.resolve());
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler;
  }

  policy = 'default';
  setWebRTCIPHandlingPolicy(policy: string): void {
    this.policy = policy;
  }

  getURL(): string {
    return toAppUrl(this.page?.url() ?? '');
  }

  reload(): void {
    void this.page?.reload().catch(() => {});
  }

  /** Electron has one event for both frames and another for all; this app treats them alike. */
  mayNavigate(url: string): boolean {
    const event = Object.assign(new PreventableEvent(), { url });
    this.emit('will-navigate', event);
    return !event.defaultPrevented;
  }
}

export class RealWindow extends EventEmitter {
  readonly contents = new Contents();
  readonly webContents = strict('webContents', this.contents);
  readonly options: WindowOptions;
  bounds: Bounds;
  isShown: boolean;
  isFront = false;
  isMaximizedNow = false;
  isMinimizedNow = false;
  #isDestroyed = false;
  #isLoadingUrl = false;

  constructor(options: WindowOptions) {
    super();
    this.options = options;
    const { x = 100, y = 100, width = 800, height = 600 } = options;
    this.bounds = { x, y, width, height };
    this.isShown = options.show !== false;
    openWindows.add(this);
  }

  async loadURL(url: string): Promise<void> {
    const page = this.contents.page ?? (await this.#newPage());
    this.#isLoadingUrl = true;
    await page.goto(toPageUrl(url));
    this.#isLoadingUrl = false;
    this.emit('ready-to-show');
  }

  async #newPage(): Promise<Page> {
    const page = await browserContext().newPage();
    this.contents.page = page;
    page.on('console', (message) => {
      const { url: sourceId = '', lineNumber = 0 } = message.location();
      const level = message.type();
      this.contents.emit('console-message', {
        level,
        message: message.text(),
        sourceId: toAppUrl(sourceId),
        lineNumber,
      });
    });
    page.on('pageerror', (error) => {
      const message = `Uncaught ${error.name}: ${error.message}`;
      this.contents.emit('console-message', { level: 'error', message, sourceId: '', lineNumber: 0 });
    });
    await page.exposeBinding('standInInvoke', ({ frame }, channel: string, values: string) => {
      const parent = frame.parentFrame() === null ? null : {};
      return this.#invoke({ url: toAppUrl(frame.url()), parent }, channel, values);
    });
    await page.addInitScript({ content: pageScript(this.options.webPreferences.preload) });
    await browserContext().route('**/*', async (route) => {
      const verdict = this.#verdict(route.request());
      if (verdict === 'go') await answerRequest(route);
      else await route.abort('aborted');
      if (verdict === 'popup') await closeOthers(page);
    });
    return page;
  }

  #verdict(request: Request): 'go' | 'stay' | 'popup' {
    if (!request.isNavigationRequest()) return 'go';
    const url = toAppUrl(request.url());
    if (pageOf(request) === this.contents.page)
      return this.#isLoadingUrl || this.contents.mayNavigate(url) ? 'go' : 'stay';
    // Also while the window still loads: a page that is there can open another.
    if (this.contents.openHandler({ url }).action !== 'deny') throw new Error('the stand-in opens no second window');
    return 'popup';
  }

  async #invoke(senderFrame: object, channel: string, values: string): Promise<string> {
    const handler = ipcHandlers.get(channel);
    if (handler === undefined) return encode({ error: `No handler registered for '${channel}'` });
    try {
      const event = { sender: this.webContents, senderFrame };
      return encode({ value: await handler(event, ...(decode(values) as unknown[])) });
    } catch (error) {
      return encode({ error: String(error) });
    }
  }

  show(): void {
    this.isShown = true;
    this.isFront = true;
  }
  hide(): void {
    this.isShown = false;
    this.isFront = false;
  }
  focus(): void {
    this.isFront = true;
  }
  restore(): void {
    this.isMinimizedNow = false;
  }
  maximize(): void {
    this.isMaximizedNow = true;
    this.isShown = true;
  }
  isMaximized(): boolean {
    return this.isMaximizedNow;
  }
  isMinimized(): boolean {
    return this.isMinimizedNow;
  }
  isDestroyed(): boolean {
    return this.#isDestroyed;
  }
  getNormalBounds(): Bounds {
    return this.bounds;
  }

  /** What the window manager's button does. Whether it closed. */
  close(): boolean {
    const event = new PreventableEvent();
    this.emit('close', event);
    if (event.defaultPrevented) return false;
    this.#isDestroyed = true;
    openWindows.delete(this);
    void this.contents.page?.close().catch(() => {});
    this.emit('closed');
    return true;
  }

  closeForQuit(): boolean {
    return this.close();
  }
}

/** A popup is there before its address is known, so it is closed only when that was asked for and refused. */
async function closeOthers(page: Page): Promise<void> {
  for (const other of browserContext().pages()) if (other !== page) await other.close().catch(() => {});
}

/** null: the first request of a page that is only being made, a popup. */
function pageOf(request: Request): Page | null {
  try {
    return request.frame().page();
  } catch {
    return null;
  }
}

let current: RealWindow | null = null;
let count = 0;

/** `new BrowserWindow(…)`: strict, and known to the tests. */
export const BrowserWindow = new Proxy(RealWindow, {
  construct(target, [options]: [WindowOptions]) {
    current = new target(options);
    count += 1;
    return strict('BrowserWindow', current);
  },
});

const window = (): RealWindow => {
  if (current === null) throw new Error('there is no window');
  return current;
};

offer('window', () => {
  const { bounds, isShown, isFront, isMaximizedNow, options, contents } = window();
  return {
    webRtc: contents.policy,
    bounds,
    isShown,
    isFront,
    isMaximized: isMaximizedNow,
    isOpen: !window().isDestroyed(),
    options,
    count,
  };
});
offer('closeWindow', () => window().close());
offer('moveWindow', (bounds: Bounds) => {
  window().bounds = bounds;
});
offer('minimizeWindow', () => {
  Object.assign(window(), { isMinimizedNow: true, isFront: false });
});
offer('crashRenderer', () => {
  window().contents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 });
});

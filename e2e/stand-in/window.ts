import { EventEmitter } from 'node:events';
import type { Page, Request } from '@playwright/test';
import { openWindows, PreventableEvent } from './app.ts';
import { browserContext, toAppUrl, toPageUrl } from './browser.ts';
import { decode, encode } from './codec.ts';
import { offer } from './control.ts';
import { type PagePreferences, pageScript } from './page-side.ts';
import { answerRequest } from './session.ts';
import { emitAs, strict } from './strict.ts';

interface Bounds {
  x: number;
  y: number;
  width: number;
  height: number;
}
interface WindowOptions extends Partial<Bounds> {
  readonly show?: boolean;
  readonly webPreferences: PagePreferences & Readonly<Record<string, unknown>> & { readonly preload: string };
}
type IpcHandler = (event: object, ...values: unknown[]) => unknown;
type OpenHandler = (details: { url: string }) => { action: string };

const ipcHandlers = new Map<string, IpcHandler>();

export const ipcMain = strict('IpcMain', {
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

  /** As in Electron: every frame is asked about by one event, and the main frame by another besides. */
  mayNavigate(url: string, isMainFrame: boolean): boolean {
    return (
      this.#isAllowed('will-frame-navigate', url, isMainFrame) &&
      (!isMainFrame || this.#isAllowed('will-navigate', url, true))
    );
  }

  /** A server leads elsewhere while a page is being loaded. */
  mayRedirect(url: string): boolean {
    return this.#isAllowed('will-redirect', url, true);
  }

  #isAllowed(name: string, url: string, isMainFrame: boolean): boolean {
    const event = Object.assign(new PreventableEvent(), { url, isMainFrame });
    emitAs('WebContents', this, name, event);
    return !event.defaultPrevented;
  }
}

export class RealWindow extends EventEmitter {
  readonly contents = new Contents();
  readonly webContents = strict('WebContents', this.contents);
  readonly options: WindowOptions;
  bounds: Bounds;
  isShown: boolean;
  isFront = false;
  isMaximizedNow = false;
  isMinimizedNow = false;
  isFullScreenNow = false;
  /** What leaves a black screen behind on macOS. */
  isHiddenInFullScreen = false;
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
    emitAs('BrowserWindow', this, 'ready-to-show');
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
    await page.addInitScript({ content: pageScript(this.options.webPreferences.preload, this.options.webPreferences) });
    await this.#refusePopups(page);
    await browserContext().route('**/*', async (route) => {
      if (this.#mayLoad(route.request())) await answerRequest(route);
      else await route.abort('aborted');
    });
    return page;
  }

  /** Asks the app about each window that the page opens, as Electron does, and closes the popup that Chromium made. */
  async #refusePopups(page: Page): Promise<void> {
    browserContext().on('page', (popup) => void popup.close().catch(() => {}));
    const session = await browserContext().newCDPSession(page);
    // The event names the address; the popup's own request may never come, since the popup is closed at once.
    session.on('Page.windowOpen', ({ url }) => {
      const { action } = this.contents.openHandler({ url: toAppUrl(url) });
      if (action !== 'deny') throw new Error('the stand-in opens no second window');
    });
    await session.send('Page.enable');
  }

  #mayLoad(request: Request): boolean {
    if (!request.isNavigationRequest()) return true;
    const { page } = this.contents;
    if (pageOf(request) !== page) return false;
    const isMainFrame = request.frame() === page?.mainFrame();
    return this.#isLoadingUrl || this.contents.mayNavigate(toAppUrl(request.url()), isMainFrame);
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
    this.isHiddenInFullScreen ||= this.isFullScreenNow;
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
  isFullScreen(): boolean {
    return this.isFullScreenNow;
  }
  /** As on macOS, where the animation takes its time. */
  setFullScreen(isFullScreen: boolean): void {
    setImmediate(() => {
      this.isFullScreenNow = isFullScreen;
      emitAs('BrowserWindow', this, isFullScreen ? 'enter-full-screen' : 'leave-full-screen');
    });
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
    emitAs('BrowserWindow', this, 'close', event);
    if (event.defaultPrevented) return false;
    this.#isDestroyed = true;
    openWindows.delete(this);
    void this.contents.page?.close().catch(() => {});
    emitAs('BrowserWindow', this, 'closed');
    return true;
  }

  closeForQuit(): boolean {
    return this.close();
  }
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
  const { bounds, isShown, isFront, isMaximizedNow, isFullScreenNow, isHiddenInFullScreen, options, contents } =
    window();
  return {
    webRtc: contents.policy,
    bounds,
    isShown,
    isFront,
    isMaximized: isMaximizedNow,
    isFullScreen: isFullScreenNow,
    isHiddenInFullScreen,
    isOpen: !window().isDestroyed(),
    options,
    count,
  };
});
offer('closeWindow', () => window().close());
offer('fullScreen', () => window().setFullScreen(true));
/** Whether the page may be led elsewhere by a server. */
offer('redirect', (url: string) => ({ isAllowed: window().contents.mayRedirect(url) }));
offer('moveWindow', (bounds: Bounds) => {
  window().bounds = bounds;
});
offer('minimizeWindow', () => {
  Object.assign(window(), { isMinimizedNow: true, isFront: false });
});
offer('crashRenderer', () => {
  emitAs('WebContents', window().contents, 'render-process-gone', {}, { reason: 'crashed', exitCode: 5 });
});

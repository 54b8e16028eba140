import { EventEmitter } from 'node:events';
import { openWindows, PreventableEvent, shownPages } from './app.ts';
import { decode, encode } from './codec.ts';
import { offer } from './control.ts';
import type { PagePreferences } from './page-side.ts';
import type { PageOwner, ShownPage } from './pages.ts';
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
  page: ShownPage | null = null;
  openHandler: OpenHandler = () => ({ action: 'allow' });

  send(channel: string, ...values: unknown[]): void {
    this.page?.send(channel, encode(values));
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler;
  }

  policy = 'default';
  setWebRTCIPHandlingPolicy(policy: string): void {
    this.policy = policy;
  }

  getURL(): string {
    return this.page?.url() ?? '';
  }

  reload(): void {
    this.page?.reload();
  }

  /**
   * Returns whether a frame may navigate. As in Electron, one event asks about every frame, and another one also about
   * the main frame.
   */
  mayNavigate(url: string, isMainFrame: boolean): boolean {
    return (
      this.#isAllowed('will-frame-navigate', url, isMainFrame) &&
      (!isMainFrame || this.#isAllowed('will-navigate', url, true))
    );
  }

  /** Returns whether a server may redirect while a page is loading. */
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
  /** Whether the call was made that leaves a black screen on macOS. */
  isHiddenInFullScreen = false;
  #isDestroyed = false;

  constructor(options: WindowOptions) {
    super();
    this.options = options;
    const { x = 100, y = 100, width = 800, height = 600 } = options;
    this.bounds = { x, y, width, height };
    this.isShown = options.show !== false;
    openWindows.add(this);
  }

  async loadURL(url: string): Promise<void> {
    this.contents.page ??= await shownPages().make(this.#asOwner());
    await this.contents.page.load(url);
    emitAs('BrowserWindow', this, 'ready-to-show');
  }

  #asOwner(): PageOwner {
    return {
      preferences: this.options.webPreferences,
      mayLoad: (url, isMainFrame) => this.contents.mayNavigate(url, isMainFrame),
      mayOpen: (url) => this.contents.openHandler({ url }).action !== 'deny',
      invoke: (frame, channel, values) => this.#invoke(frame, channel, values),
      said: (message) => void this.contents.emit('console-message', message),
    };
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
  /** Asynchronous, like the animation on macOS. */
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

  /** Presses the window manager's button. Returns whether the window closed. */
  close(): boolean {
    const event = new PreventableEvent();
    emitAs('BrowserWindow', this, 'close', event);
    if (event.defaultPrevented) return false;
    this.#isDestroyed = true;
    openWindows.delete(this);
    this.contents.page?.close();
    emitAs('BrowserWindow', this, 'closed');
    return true;
  }

  closeForQuit(): boolean {
    return this.close();
  }
}

let current: RealWindow | null = null;
let count = 0;

/** `new BrowserWindow(…)`, made strict and available to the tests. */
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
/** Returns whether a server may redirect the page. */
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

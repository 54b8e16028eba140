import { join } from 'node:path';
import { app, BrowserWindow, dialog, nativeTheme, screen } from 'electron';
import type { Logger } from 'pino';
import type { DesktopTexts } from '../../common/texts.ts';
import { isOwnUrl, isPageUrl, PAGE_URL } from './app-url.ts';
import { pinContents, WEB_PREFERENCES } from './security.ts';
import { keepPlace, MIN_SIZE, placeFor, readPlace } from './window-place.ts';

export interface WindowOptions {
  readonly log: Logger;
  readonly logDir: string;
  /** The icon's file; null for the program's own icon. */
  readonly icon: string | null;
  /** The file with the window's position. */
  readonly placeFile: string;
  readonly texts: () => DesktopTexts;
  /** Called when a link to another place was followed. */
  readonly onLink: (url: string) => void;
  /** Called when the owner closes the window; false keeps it (it may be hidden meanwhile). */
  readonly mayClose: () => boolean;
}

/** A second crash of the renderer within this time is reported to the owner. */
const CRASH_WINDOW_MS = 60_000;
/** The page's background colours, so that the window does not flash before the page paints. */
const GROUND = { light: '#ffffff', dark: '#242424' };
const LOG_LEVEL_ERROR = 'error';
/** The path of the built preload, relative to this source or to the built main files. */
const PRELOAD = import.meta.url.endsWith('.ts') ? '../../../../out/preload/index.cjs' : '../preload/index.cjs';

/** The app's only window. It is created again if it is needed after it was closed. */
export class MainWindow {
  readonly #options: WindowOptions;
  #window: BrowserWindow | null = null;
  #crashedAt = Number.NEGATIVE_INFINITY;

  constructor(options: WindowOptions) {
    this.#options = options;
  }

  get browserWindow(): BrowserWindow | null {
    return this.#window;
  }

  /** Sends a message to the page, if there is one. */
  send(channel: string, ...values: unknown[]): void {
    if (this.#window !== null && !this.#window.isDestroyed()) this.#window.webContents.send(channel, ...values);
  }

  /** Shows and focuses the window. */
  show(): void {
    if (this.#window === null) {
      this.open();
      return;
    }
    if (this.#window.isMinimized()) this.#window.restore();
    this.#window.show();
    this.#window.focus();
  }

  /** Hides the window; the app continues. */
  hide(): void {
    const window = this.#window;
    if (window === null) return;
    if (process.platform !== 'darwin' || !window.isFullScreen()) {
      window.hide();
      return;
    }
    // A window that is hidden in full screen would leave an empty screen.
    window.once('leave-full-screen', () => window.hide());
    window.setFullScreen(false);
  }

  /** Creates the window if there is none. It appears when its page has painted, unless it is `hidden`. */
  open({ hidden = false } = {}): void {
    if (this.#window !== null) return;
    const kept = readPlace(this.#options.placeFile);
    const [primary, ...others] = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()];
    const window = new BrowserWindow({
      ...placeFor(
        kept,
        [primary, ...others].map(({ workArea }) => workArea),
      ),
      minWidth: MIN_SIZE.width,
      minHeight: MIN_SIZE.height,
      show: false,
      title: 'Wellhouse',
      ...(this.#options.icon === null ? {} : { icon: this.#options.icon }),
      backgroundColor: nativeTheme.shouldUseDarkColors ? GROUND.dark : GROUND.light,
      webPreferences: { ...WEB_PREFERENCES, preload: join(import.meta.dirname, PRELOAD) },
    });
    this.#window = window;
    if (kept?.isMaximized === true && !hidden) window.maximize();
    if (!hidden) window.once('ready-to-show', () => window.show());
    window.on('close', (event) => {
      keepPlace(this.#options.placeFile, { bounds: window.getNormalBounds(), isMaximized: window.isMaximized() });
      if (!this.#options.mayClose()) event.preventDefault();
    });
    window.on('closed', () => {
      this.#window = null;
    });
    this.#watch(window);
    this.#load(window);
  }

  /** Reloads the page; if the window shows something else, such as an error, loads the page from its beginning. */
  reload(): void {
    const window = this.#window;
    if (window === null || window.isDestroyed()) return;
    if (isPageUrl(window.webContents.getURL())) window.webContents.reload();
    else this.#load(window);
  }

  #load(window: BrowserWindow): void {
    void window.loadURL(PAGE_URL).catch((error: unknown) => {
      this.#options.log.error({ err: error }, 'the page did not load');
    });
  }

  #watch(window: BrowserWindow): void {
    const { log, onLink } = this.#options;
    const contents = window.webContents;
    pinContents(contents, onLink);
    contents.on('render-process-gone', (_event, { reason, exitCode }) => {
      if (reason === 'clean-exit') return;
      log.error({ reason, exitCode }, 'the renderer failed');
      void this.#afterCrash();
    });
    contents.on('console-message', ({ level, message, lineNumber, sourceId }) => {
      // Other messages may contain data of the page.
      if (level !== LOG_LEVEL_ERROR || !message.startsWith('Uncaught')) return;
      log.error(
        { message: message.slice(0, 1000), at: isOwnUrl(sourceId) ? `${sourceId}:${lineNumber}` : null },
        'renderer',
      );
    });
  }

  /** Reloads the page after a crash. After a second crash within a minute, asks the owner. */
  async #afterCrash(): Promise<void> {
    const isAgain = performance.now() - this.#crashedAt < CRASH_WINDOW_MS;
    this.#crashedAt = performance.now();
    if (isAgain) {
      const t = this.#options.texts();
      const { response } = await dialog.showMessageBox({
        type: 'error',
        message: t('crash.title'),
        detail: t('crash.detail', { folder: this.#options.logDir }),
        buttons: [t('crash.again'), t('crash.quit')],
        defaultId: 0,
        cancelId: 0,
      });
      if (response === 1) {
        app.quit();
        return;
      }
    }
    this.reload();
  }
}

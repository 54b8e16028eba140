import { EventEmitter } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { barePages } from './bare-page.ts';
import { offer } from './control.ts';
import type { Pages } from './pages.ts';
import { strict } from './strict.ts';

/** An event whose default a listener can prevent. */
export class PreventableEvent {
  defaultPrevented = false;
  preventDefault(): void {
    this.defaultPrevented = true;
  }
}

/** The open windows. Each closes when the app quits, unless it prevents that. */
export const openWindows = new Set<{ closeForQuit(): boolean }>();

let pages: Pages = barePages;
/** Sets where the pages of windows are shown; by default without a browser. */
export function showPagesIn(given: Pages): void {
  pages = given;
}
export const shownPages = (): Pages => pages;

let endProcess: (code: number) => void = (code) => process.exit(code);
/** Sets what happens when the app has ended with an exit code; by default its process ends. */
export function endBy(end: (code: number) => void): void {
  endProcess = end;
}

const paths = new Map<string, string>();
let lockFile: string | null = null;
let socketFolder: string | null = null;
interface LoginItem {
  readonly openAtLogin: boolean;
  readonly args?: readonly string[];
}
/** The resources of the running packed app; undefined if the build runs. */
const PACKED = process.env.STAND_IN_PACKED;
/** macOS reports no error if it does not register an app, such as one without a signature. */
const WORKING_LOGIN_ITEMS = process.env.STAND_IN_NO_LOGIN_ITEMS === undefined;
const loginItems: LoginItem[] = [];
let isOpenedAtLogin = false;
let userModelId: string | null = null;
let name = 'Electron';
let badgeCount = 0;

/** Returns the folder of this instance, with its lock. */
function userData(): string {
  const path = paths.get('userData');
  if (path === undefined) throw new Error('set userData first: the stand-in must not touch the real one');
  return path;
}

class App extends EventEmitter {
  readonly isPackaged = PACKED !== undefined || process.env.STAND_IN_IS_PACKAGED !== undefined;

  setName(value: string): void {
    name = value;
  }

  getName(): string {
    return name;
  }

  setPath(key: string, path: string): void {
    paths.set(key, path);
  }

  getAppPath(): string {
    return PACKED === undefined ? process.cwd() : join(PACKED, 'app.asar');
  }

  getPreferredSystemLanguages(): string[] {
    return (process.env.STAND_IN_LANGUAGES ?? 'en-US').split(',');
  }

  setAppUserModelId(id: string): void {
    userModelId = id;
  }

  setLoginItemSettings(settings: LoginItem): void {
    loginItems.push(settings);
    if (WORKING_LOGIN_ITEMS) isOpenedAtLogin = settings.openAtLogin;
  }

  getLoginItemSettings(): { openAtLogin: boolean; wasOpenedAtLogin?: boolean } {
    const wasOpenedAtLogin = process.env.STAND_IN_OPENED_AT_LOGIN !== undefined;
    return { openAtLogin: isOpenedAtLogin, ...(process.platform === 'darwin' ? { wasOpenedAtLogin } : {}) };
  }

  setBadgeCount(count: number): boolean {
    badgeCount = count;
    return true;
  }

  /**
   * Takes the lock, as in Electron: one instance for each user data folder. The first one is notified of the second.
   */
  requestSingleInstanceLock(): boolean {
    mkdirSync(userData(), { recursive: true });
    const path = join(userData(), 'stand-in.lock');
    const holder = holderOf(path);
    if (holder !== null) {
      connect(holder).on('error', () => {});
      return false;
    }
    lockFile = path;
    // A separate folder: a name with the process id may be left over from a killed process. Not in the user data
    // folder, whose path may be too long for a socket.
    socketFolder = mkdtempSync(join(tmpdir(), 'wellhouse-stand-in-'));
    const socket = join(socketFolder, 'lock.sock');
    writeFileSync(path, JSON.stringify({ pid: process.pid, socket }));
    createServer((peer) => {
      peer.destroy();
      this.emit('second-instance', new PreventableEvent(), [], '', null);
    })
      .listen(socket)
      .unref();
    return true;
  }

  /** Resolves when the module that called it has run to its end, as in Electron. */
  async whenReady(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    await pages.open();
    this.emit('ready');
  }

  /** Returns whether a listener or a window prevented it. */
  quit(): boolean {
    const before = new PreventableEvent();
    this.emit('before-quit', before);
    if (before.defaultPrevented) return true;
    for (const window of [...openWindows]) if (!window.closeForQuit()) return true;
    this.emit('will-quit', new PreventableEvent());
    this.emit('quit', new PreventableEvent(), 0);
    this.exit(0);
    return false;
  }

  exit(code = 0): void {
    if (lockFile !== null) rmSync(lockFile, { force: true });
    if (socketFolder !== null) rmSync(socketFolder, { recursive: true, force: true });
    void pages.close().finally(() => endProcess(code));
  }
}

function holderOf(path: string): string | null {
  try {
    const { pid, socket } = JSON.parse(readFileSync(path, 'utf8')) as { pid: number; socket: string };
    process.kill(pid, 0);
    return socket;
  } catch {
    return null;
  }
}

const real = new App();
export const app = strict('App', real);
/** Quits as the operating system does. Returns whether the app prevented it. */
export const quit = (): boolean => real.quit();

offer('app', () => ({
  name,
  userModelId,
  loginItems,
  userData: userData(),
  isPackaged: real.isPackaged,
  badgeCount,
  pid: process.pid,
}));
offer('quit', () => void real.quit());

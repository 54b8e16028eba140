import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EvaluatedModules } from 'vite/module-runner';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { BarePage } from '../../e2e/stand-in/bare-page.ts';
import type { OwnerBridge } from '../../src/shared/desktop-api.ts';
import type { NodeState } from '../../src/shared/node-state.ts';
import type { Input, MethodName, Output } from '../../src/shared/owner-api/contract.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { post } from './http.ts';
import { desktopFolderIn, isolatedHome } from './isolated-home.ts';
import { type Endpoint, removeFolder, temporaryFolder } from './node-process.ts';
import { play, type System } from './played-system.ts';
import { PrivateBus } from './private-bus.ts';

/** Waits until `look` returns the expected value, much longer than a quiet machine needs. */
export function eventually<T>(look: () => T): ReturnType<typeof expect.poll<T>> {
  return expect.poll(look, { timeout: 60_000, interval: 20 });
}

/** The simulated system if a test names none: this machine's, or that of WELLHOUSE_E2E_SYSTEM. */
export const SYSTEM = (process.env.WELLHOUSE_E2E_SYSTEM ?? process.platform) as System;

/** The options of a start of the app. */
export interface DesktopOptions {
  /** The user's folder; by default a new one. A given folder is not removed. */
  readonly home?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** The contents of the settings file. If given, they must ask for free ports themselves. */
  readonly settings?: object;
  /**
   * Whether the session has a tray; true by default. `late`: it has one after `startTray`. Only on Linux it may have
   * none.
   */
  readonly hasTray?: boolean | 'late';
  /** The simulated system; SYSTEM by default. */
  readonly system?: System;
  /** Whether the app believes that it is installed; by default it runs from a clone. */
  readonly isPackaged?: boolean;
}

type Operate = <T>(name: string, ...values: readonly unknown[]) => Promise<T>;

/** An item of a menu as the owner sees it. */
export interface SeenItem {
  readonly id: string | null;
  readonly role: string | null;
  readonly label: string | null;
  readonly accelerator: string | null;
  readonly enabled: boolean;
  readonly items: readonly SeenItem[];
}

/** The tray as the owner sees it. */
export interface SeenTray {
  readonly toolTip: string;
  readonly image: { readonly path: string };
  readonly items: readonly SeenItem[];
}

/** The window as the owner sees it. */
export interface SeenWindow {
  readonly bounds: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly isShown: boolean;
  readonly isFront: boolean;
  readonly isOpen: boolean;
  readonly isFullScreen: boolean;
  readonly isHiddenInFullScreen: boolean;
  /** The number of windows created so far. */
  readonly count: number;
}

/** One run of the app's own modules. No other run shares them. */
interface Start {
  readonly operate: Operate;
  readonly page: () => BarePage | null;
  /** Resolves with the exit code. */
  readonly exited: Promise<number>;
}

let running: DesktopApp | null = null;

/**
 * The desktop app's main process code from its entry on, in the process of the test, with the stand-in for Electron.
 * Its window has a page without a browser: the built preload script runs in it, and nothing of the renderer. Only one
 * app runs at a time, because it uses the whole process: its variables, its arguments, its system.
 */
export class DesktopApp {
  /** The folder with the app's files of this user. */
  readonly home: string;
  /** The folder of the app's own files. */
  readonly folder: string;
  readonly #bus: PrivateBus | null;
  readonly #leave: () => void;
  readonly #start: Start;
  #isOver = false;

  private constructor(
    home: string,
    system: System,
    parts: { bus: PrivateBus | null; leave: () => void; start: Start },
  ) {
    this.home = home;
    this.folder = desktopFolderIn(home, system);
    this.#bus = parts.bus;
    this.#leave = parts.leave;
    this.#start = parts.start;
    void this.exited.then(() => {
      this.#isOver = true;
    });
  }

  /**
   * Has all tests of the `describe` share one started app, which the returned function returns. The tests run in order
   * on what the ones before left. No other app can run meanwhile.
   */
  static shared(options: DesktopOptions = {}): () => DesktopApp {
    let app: DesktopApp;
    const ends: (() => void | Promise<void>)[] = [];
    beforeAll(async () => {
      app = await DesktopApp.launch(options, (end) => void ends.unshift(end));
    });
    afterAll(async () => {
      for (const end of ends) await end();
    });
    return () => app;
  }

  /** Starts the app. After the test, or when `atEnd` says, the app ends and its files are removed. */
  static async launch(
    options: DesktopOptions = {},
    atEnd: (end: () => void | Promise<void>) => void = onTestFinished,
  ): Promise<DesktopApp> {
    if (running !== null) throw new Error('another app still has this process: dispose of it first');
    const { system = SYSTEM, hasTray = true, args = [] } = options;
    const home = options.home ?? temporaryFolder();
    if (options.home === undefined) atEnd(() => removeFolder(home));
    const bus = system === 'linux' ? await PrivateBus.start() : null;
    if (hasTray === true) await bus?.showTray();
    if (options.settings !== undefined) {
      const folder = desktopFolderIn(home, system);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'settings.json'), JSON.stringify(options.settings));
    }
    const leave = play(system, args, {
      ...isolatedHome(home),
      ...(bus === null ? {} : { DBUS_SESSION_BUS_ADDRESS: bus.address, DBUS_SYSTEM_BUS_ADDRESS: bus.address }),
      ...(options.isPackaged ? { STAND_IN_IS_PACKAGED: '1' } : {}),
      ...(options.settings === undefined ? { LOCAL_PORT: '0', PUBLIC_PORT: '0' } : {}),
      ...options.env,
    });
    const app = new DesktopApp(home, system, { bus, leave, start: await start() });
    running = app;
    atEnd(() => app.dispose());
    return app;
  }

  get operate(): Operate {
    return this.#start.operate;
  }

  get exited(): Promise<number> {
    return this.#start.exited;
  }

  /** Returns the window's page after the preload script has run in it. Rejects if the app has ended. */
  async page(): Promise<BarePage> {
    await eventually(() => this.#isOver || (this.#start.page()?.isLoaded ?? false)).toBe(true);
    if (this.#isOver) throw new Error('the app has ended');
    return this.#start.page()!;
  }

  /** Returns the window's page when the node runs. */
  async opened(): Promise<BarePage> {
    const page = await this.page();
    await eventually(() => this.state()).toMatchObject({ state: 'running' });
    return page;
  }

  /** Returns the page when the tray is there too. The app asks the session for the tray. */
  async withTray(): Promise<BarePage> {
    const page = await this.opened();
    await eventually(() => this.operate('tray')).not.toBeNull();
    return page;
  }

  window(): Promise<SeenWindow> {
    return this.operate('window');
  }

  /** Returns the tray; null if there is none. */
  tray(): Promise<SeenTray | null> {
    return this.operate('tray');
  }

  /** Returns the node's state as the page gets it. */
  async state(): Promise<NodeState> {
    const page = await this.page();
    const json = await page.evaluate(async () => {
      const { owner } = globalThis as unknown as { owner: OwnerBridge };
      const answer = await owner.callDesktop('nodeState', {});
      return answer.ok ? answer.json : 'null';
    });
    return JSON.parse(json) as NodeState;
  }

  /** Calls the owner API as the page does. Rejects if the call is refused. */
  async call<M extends MethodName>(method: M, input: Input<M>): Promise<Output<M>> {
    const page = await this.page();
    const json = await page.evaluate(
      async ([name, value]) => {
        const { owner } = globalThis as unknown as { owner: OwnerBridge };
        const answer = await owner.call(name, value);
        if (!answer.ok) throw new Error(JSON.stringify(answer));
        return answer.json;
      },
      [method, input as unknown] as const,
    );
    return JSON.parse(json) as Output<M>;
  }

  /** Returns a function that returns the events that the page has received since this call, with their payloads. */
  async hears(): Promise<() => Promise<[string, unknown][]>> {
    const page = await this.page();
    await page.evaluate(() => {
      const heard: unknown[] = [];
      const { owner } = Object.assign(globalThis, { heard }) as unknown as { owner: OwnerBridge };
      owner.listenDesktop((...values) => heard.push(values));
    });
    return () => page.evaluate(() => (globalThis as unknown as { heard: [string, unknown][] }).heard);
  }

  /** Registers a device at the local endpoint. */
  async register(name: string): Promise<SimulatedDevice> {
    const device = new SimulatedDevice({ name });
    const { status } = await post(`${await this.url('local')}/v1/devices`, device.registration({ publishTo: 0 }));
    expect(status).toBe(201);
    return device;
  }

  /** Sends a reading of a device. Resolves with the status of the answer. */
  async sendReading(device: SimulatedDevice, seq: number, ph = 6.5): Promise<number> {
    const block = device.block({ seq, timestamp: Date.now(), plain: { ph } });
    return (await post(`${await this.url('local')}/v1/telemetry`, { blocks: [block] })).status;
  }

  /** Starts the app a second time for the same user. Resolves with the exit code of that second process. */
  async startOver(): Promise<number> {
    return (await start()).exited;
  }

  /** Starts the session's tray if it is `late`. */
  async startTray(): Promise<void> {
    await this.#bus?.showTray();
  }

  /** Locks the screen. The system announces it in its own way. */
  async lockScreen(): Promise<void> {
    if (this.#bus === null) await this.operate('power', 'lock-screen');
    else this.#bus.lockScreen();
  }

  /** Returns the contents of the settings file. */
  kept(): Record<string, unknown> {
    return JSON.parse(readFileSync(join(this.folder, 'settings.json'), 'utf8')) as Record<string, unknown>;
  }

  /** Asks the app to start the node again, as the page does. */
  async startNode(): Promise<void> {
    const page = await this.page();
    await page.evaluate(async () => {
      await (globalThis as unknown as { owner: OwnerBridge }).owner.callDesktop('startNode', {});
    });
  }

  /** Returns the records of the app's log so far. */
  log(): Record<string, unknown>[] {
    const path = join(this.folder, 'logs', 'wellhouse.log');
    const text = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
    return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** Returns the base address of an endpoint when the node runs. */
  async url(endpoint: Endpoint): Promise<string> {
    await eventually(() => this.state()).toHaveProperty('localUrl');
    const state = (await this.state()) as { localUrl: string; publicUrl: string | null };
    const said = endpoint === 'local' ? state.localUrl : state.publicUrl;
    if (said === null) throw new Error(`the ${endpoint} endpoint does not listen`);
    return `http://127.0.0.1:${new URL(said).port}`;
  }

  /** Quits the app as its menu does. Resolves with its exit code. */
  async quit(): Promise<number> {
    await this.operate('quit');
    return this.exited;
  }

  /** Ends the app if it still runs, and restores the process. */
  async dispose(): Promise<void> {
    if (running !== this) return;
    try {
      if (!this.#isOver) await this.quit();
    } finally {
      running = null;
      this.#leave();
      await this.#bus?.end();
    }
  }
}

/**
 * The modules of the app and of the stand-in for Electron, except those that only read Electron's typings and make the
 * page's script. Other modules have no state from one start to the next.
 */
const OWN_MODULES = /\/(?:src\/main\/(?:index\.ts$|desktop\/)|e2e\/stand-in\/(?!typings|page-side|codec))/;

/**
 * Makes the next import of the app run its own modules again. `vi.resetModules` would also run the node's modules
 * again, which takes most of the time of a start.
 */
function forgetApp(): void {
  const { evaluatedModules } = (globalThis as unknown as { __vitest_worker__: { evaluatedModules: EvaluatedModules } })
    .__vitest_worker__;
  for (const [path, module] of evaluatedModules.idToModuleMap) {
    if (!OWN_MODULES.test(path)) continue;
    Object.assign(module, { promise: undefined, exports: undefined, evaluated: false });
    module.importers.clear();
  }
}

/** Runs the app's entry with new instances of its own modules. */
async function start(): Promise<Start> {
  forgetApp();
  const [{ endBy }, { operate }, { barePage }] = await Promise.all([
    import('../../e2e/stand-in/app.ts'),
    import('../../e2e/stand-in/control.ts'),
    import('../../e2e/stand-in/bare-page.ts'),
  ]);
  const { promise: exited, resolve } = Promise.withResolvers<number>();
  endBy(resolve);
  await import('../../src/main/index.ts');
  return { operate: (name, ...values) => operate(name, values) as Promise<never>, page: barePage, exited };
}

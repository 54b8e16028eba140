import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as base, expect, type Page } from '@playwright/test';
import type { OwnerBridge } from '../../src/shared/desktop-api.ts';
import { desktopFolderIn, isolatedHome } from '../../test/support/isolated-home.ts';
import type { Endpoint } from '../../test/support/node-process.ts';
import { removeFolder, temporaryFolder } from '../../test/support/node-process.ts';
import { PrivateBus } from '../../test/support/private-bus.ts';
import { electronForTests } from './electron-for-tests.ts';
import { LEAN } from './find-chromium.ts';

import { launchReal, sessionVariables } from './real-electron.ts';
import type { DesktopOptions, Operate, RunningApp, System } from './running-app.ts';
import { launchStandIn, spawnStandIn } from './stand-in-process.ts';

/** Whether the suite runs in a real Electron. */
export const isReal = electronForTests().binary !== null;

/** The tested system: that of this machine, or the one that the stand-in simulates. */
export const SYSTEM = (process.env.WELLHOUSE_E2E_SYSTEM ?? process.platform) as System;

/** The built desktop app in its own process. */
export class DesktopApp {
  /** The folder with the app's files of this user. */
  readonly home: string;
  readonly #options: DesktopOptions;
  readonly #env: Record<string, string>;
  readonly #bus: PrivateBus | null;
  readonly #running: RunningApp;

  private constructor(
    home: string,
    options: DesktopOptions,
    parts: { env: Record<string, string>; bus: PrivateBus | null; running: RunningApp },
  ) {
    this.home = home;
    this.#options = options;
    this.#env = parts.env;
    this.#bus = parts.bus;
    this.#running = parts.running;
  }

  static async launch(given: DesktopOptions = {}): Promise<DesktopApp> {
    const options = { ...given, system: given.system ?? SYSTEM };
    const home = options.home ?? temporaryFolder();
    const bus = options.system === 'linux' ? await PrivateBus.start() : null;
    if ((options.hasTray ?? true) === true) await bus?.showTray();
    const env = environment(home, options, bus);
    const running = await (isReal ? launchReal(env, options) : launchStandIn(env, options));
    return new DesktopApp(home, options, { env, bus, running });
  }

  get operate(): Operate {
    return this.#running.operate;
  }

  get exited(): Promise<number | null> {
    return this.#running.exited;
  }

  /** Returns the window's page when it exists. */
  page(): Promise<Page> {
    return this.#running.page();
  }

  /** The folder of the app's own files. */
  get folder(): string {
    return desktopFolderIn(this.home, this.#options.system);
  }

  /** Starts the app a second time for the same user. Resolves with the exit code of that second process. */
  async startOver(): Promise<number | null> {
    const { child } = spawnStandIn(this.#env, this.#options);
    return new Promise((resolve) => child.on('close', resolve));
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

  /** Returns the records of the app's log so far. */
  log(): Record<string, unknown>[] {
    const text = readFileSync(join(this.folder, 'logs', 'wellhouse.log'), 'utf8');
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** Returns the base address of an endpoint when the node runs. The window exists before that. */
  async url(endpoint: Endpoint): Promise<string> {
    const page = await this.page();
    const ask = () =>
      page.evaluate(async () => {
        const { owner } = window as unknown as { owner: OwnerBridge };
        const answer = await owner.callDesktop('nodeState', {});
        return answer.ok ? (JSON.parse(answer.json) as { localUrl?: string; publicUrl?: string | null }) : {};
      });
    await expect.poll(async () => (await ask()).localUrl).toBeDefined();
    const state = await ask();
    const said = endpoint === 'local' ? state.localUrl : state.publicUrl;
    if (said == null) throw new Error(`the ${endpoint} endpoint does not listen`);
    return `http://127.0.0.1:${new URL(said).port}`;
  }

  /** Ends the app if it still runs, and removes its files. */
  async dispose(): Promise<void> {
    await this.#running.end();
    await this.#bus?.end();
    if (this.#options.home === undefined) removeFolder(this.home);
  }
}

function environment(home: string, options: DesktopOptions, bus: PrivateBus | null): Record<string, string> {
  const { PATH = '', WELLHOUSE_E2E_CHROMIUM = '/usr/bin/chromium' } = process.env;
  return {
    PATH,
    ...isolatedHome(home),
    ...(isReal ? sessionVariables() : {}),
    ...(bus === null ? {} : { DBUS_SESSION_BUS_ADDRESS: bus.address, DBUS_SYSTEM_BUS_ADDRESS: bus.address }),
    ...(options.system === undefined || options.system === process.platform ? {} : { STAND_IN_SYSTEM: options.system }),
    ...(options.isPackaged ? { STAND_IN_IS_PACKAGED: '1' } : {}),
    WELLHOUSE_E2E_CHROMIUM,
    STAND_IN_CHROMIUM_ARGS: LEAN.join(' '),
    LOCAL_PORT: '0',
    PUBLIC_PORT: '0',
    ...options.env,
  };
}

/** Playwright's test with an app that is started for only this test. */
export const test = base.extend<{ launch: (options?: DesktopOptions) => Promise<DesktopApp> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are used from the pattern.
  launch: async ({}, use) => {
    const apps: DesktopApp[] = [];
    await use(async (options) => {
      const app = await DesktopApp.launch(options);
      apps.push(app);
      return app;
    });
    for (const app of apps.reverse()) await app.dispose();
  },
});

export { expect };

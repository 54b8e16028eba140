import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, test as base, chromium, expect, type Page } from '@playwright/test';
import { findElectron } from '../../scripts/find-electron.ts';
import type { OwnerBridge } from '../../src/shared/desktop-api.ts';
import type { Endpoint } from '../../test/support/node-process.ts';
import { removeFolder, temporaryFolder } from '../../test/support/node-process.ts';
import { launchReal } from './real-electron.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const REGISTER = join(ROOT, 'e2e/stand-in/register.ts');
const MAIN = join(ROOT, 'out/main/index.js');
const START_WITHIN_MS = 15_000;
const STOP_WITHIN_MS = 10_000;

/** Whether the suite has a real Electron to run. */
export const isReal = findElectron() !== null;

/** How to start the app. */
export interface DesktopOptions {
  /** The user's folder; a fresh one by default. One that is given is not removed. */
  readonly home?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Whether the session shows a tray; yes by default. `late`: from when `startTray` is called. */
  readonly hasTray?: boolean | 'late';
}

/** What plays the owner and the operating system to the app: the stand-in's channel, or a probe in the real Electron. */
export type Operate = <T>(name: string, ...values: readonly unknown[]) => Promise<T>;

/** The built desktop app in a process of its own. */
export class DesktopApp {
  /** Holds what the app keeps of this user. */
  readonly home: string;
  readonly operate: Operate;
  readonly exited: Promise<number | null>;
  readonly #options: DesktopOptions;
  readonly #page: () => Promise<Page>;
  readonly #end: () => Promise<void>;

  private constructor(
    home: string,
    options: DesktopOptions,
    parts: { operate: Operate; exited: Promise<number | null>; page: () => Promise<Page>; end: () => Promise<void> },
  ) {
    this.home = home;
    this.#options = options;
    this.operate = parts.operate;
    this.exited = parts.exited;
    this.#page = parts.page;
    this.#end = parts.end;
  }

  static async launch(options: DesktopOptions = {}): Promise<DesktopApp> {
    const home = options.home ?? temporaryFolder();
    const env = environment(home, options);
    return new DesktopApp(home, options, isReal ? await launchReal(env, options) : await launchStandIn(env, options));
  }

  /** The window's page, once it is there. */
  page(): Promise<Page> {
    return this.#page();
  }

  /** The folder of the app's own files. */
  get folder(): string {
    return join(this.home, 'Wellhouse');
  }

  /** Starts the app once more for the same user; resolves with the exit code of the second. */
  async startAgain(): Promise<number | null> {
    const { child } = spawnStandIn(environment(this.home, this.#options), this.#options);
    return new Promise((resolve) => child.on('close', resolve));
  }

  /** The session's tray starts, where it is `late`. */
  startTray(): void {
    answerBus(this.home, true);
  }

  /** The app's log so far, as records. */
  log(): Record<string, unknown>[] {
    const text = readFileSync(join(this.folder, 'logs', 'wellhouse.log'), 'utf8');
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** The base address of an endpoint of the running node. */
  async url(endpoint: Endpoint): Promise<string> {
    const page = await this.page();
    const state = await page.evaluate(async () => {
      const { owner } = window as unknown as { owner: OwnerBridge };
      const answer = await owner.callDesktop('nodeState', {});
      return answer.ok ? (JSON.parse(answer.json) as { localUrl?: string; publicUrl?: string | null }) : {};
    });
    const said = endpoint === 'local' ? state.localUrl : state.publicUrl;
    if (said == null) throw new Error(`the ${endpoint} endpoint does not listen`);
    return `http://127.0.0.1:${new URL(said).port}`;
  }

  /** Ends the app if it still runs, and removes what it left. */
  async dispose(): Promise<void> {
    await this.#end();
    if (this.#options.home === undefined) removeFolder(this.home);
  }
}

function environment(home: string, options: DesktopOptions): Record<string, string> {
  const { PATH = '', HOME = '', DISPLAY = '', WELLHOUSE_E2E_CHROMIUM = '/usr/bin/chromium' } = process.env;
  const ports = { LOCAL_PORT: '0', PUBLIC_PORT: '0' };
  return {
    PATH: `${busFolder(home, options.hasTray ?? true)}${delimiter}${PATH}`,
    HOME,
    DISPLAY,
    XDG_CONFIG_HOME: home,
    WELLHOUSE_E2E_CHROMIUM,
    ...ports,
    ...options.env,
  };
}

/** A folder with what answers for the session bus: whether something shows tray icons. */
function busFolder(home: string, hasTray: boolean | 'late'): string {
  const folder = join(home, 'bus');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'dbus-send');
  writeFileSync(file, `#!/bin/sh\ncat '${join(folder, 'answer')}'\n`);
  chmodSync(file, 0o755);
  answerBus(home, hasTray === true);
  return folder;
}

function answerBus(home: string, hasTray: boolean): void {
  writeFileSync(join(home, 'bus', 'answer'), `   boolean ${hasTray}\n`);
}

function spawnStandIn(
  env: Record<string, string>,
  options: DesktopOptions,
): { child: ChildProcess; output: () => string } {
  let output = '';
  const child = spawn(process.execPath, ['--import', REGISTER, MAIN, ...(options.args ?? [])], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return { child, output: () => output };
}

async function launchStandIn(env: Record<string, string>, options: DesktopOptions) {
  const { child, output } = spawnStandIn(env, options);
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve));
  let isOver = false;
  void exited.then(() => {
    isOver = true;
  });
  const operate = channelOf(child, exited, output);
  let browser: Browser | null = null;
  const page = async (): Promise<Page> => {
    await expect.poll(() => operate('debuggingUrl'), { timeout: START_WITHIN_MS }).not.toBeNull();
    browser ??= await chromium.connectOverCDP(await operate<string>('debuggingUrl'));
    const found = () =>
      browser!
        .contexts()
        .flatMap((context) => context.pages())
        .find((each) => /stand-in/.test(each.url()));
    await expect.poll(() => found() !== undefined, { timeout: START_WITHIN_MS, message: output() }).toBe(true);
    return found()!;
  };
  const end = async () => {
    await browser?.close().catch(() => {});
    if (isOver) return;
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
    await exited;
    clearTimeout(timer);
  };
  return { operate, exited, page, end };
}

/** Calls over the channel of the child process; whoever waits hears of its end. */
function channelOf(child: ChildProcess, exited: Promise<number | null>, output: () => string): Operate {
  let last = 0;
  return async <T>(name: string, ...values: readonly unknown[]): Promise<T> => {
    last += 1;
    const id = last;
    const reply = new Promise<{ value?: unknown; error?: string }>((resolve) => {
      const listen = (message: { id: number; value?: unknown; error?: string }) => {
        if (message.id !== id) return;
        child.off('message', listen);
        resolve(message);
      };
      child.on('message', listen);
    });
    child.send({ id, name, values });
    const ended = exited.then((code) => ({ error: `the app has ended (${code}): ${output()}`, value: undefined }));
    const { value, error } = await Promise.race([reply, ended]);
    if (error !== undefined) throw new Error(error);
    return value as T;
  };
}

/** Playwright's test with an app that is started for the one test. */
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

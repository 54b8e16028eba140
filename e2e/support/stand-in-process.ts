import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, expect, type Page } from '@playwright/test';
import type { DesktopOptions, Operate, RunningApp } from './running-app.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const REGISTER = fileURLToPath(new URL('../stand-in/register.ts', import.meta.url));
const MAIN = fileURLToPath(new URL('../../out/main/index.js', import.meta.url));
/** Much longer than a quiet machine needs. */
const START_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 10_000;

/** Starts a process of the built main bundle under the stand-in. */
export function spawnStandIn(
  env: Record<string, string>,
  { args = [], packed }: DesktopOptions,
): { child: ChildProcess; output: () => string } {
  let output = '';
  const child = spawn(process.execPath, ['--import', REGISTER, packed?.main ?? MAIN, ...args], {
    cwd: packed?.folder ?? ROOT,
    env: { ...env, ...(packed === undefined ? {} : { STAND_IN_PACKED: packed.folder }) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return { child, output: () => output };
}

/** Starts the app under the stand-in. */
export async function launchStandIn(env: Record<string, string>, options: DesktopOptions): Promise<RunningApp> {
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

/** Returns a function for calls over the channel of the child process. A pending call rejects when the process ends. */
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

import { AsyncLocalStorage } from 'node:async_hooks';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../src/main/command-line/program.ts';
import { isolatedHome } from './isolated-home.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BUILT = join(ROOT, 'out/main/wellhouse.js');
const SOURCE = join(ROOT, 'src/main/wellhouse.ts');

/** Returns the file that starts a command: the built one, or its source if there is no build. */
export function commandEntry(): string {
  return existsSync(BUILT) ? BUILT : SOURCE;
}

/** The end of a command. */
export interface CommandEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts a command of the command line in its own process, with its output in pipes, so that it answers in JSON. */
export function startCommand(
  dataDir: string,
  args: readonly string[],
  options: { input?: string; env?: Record<string, string> } = {},
) {
  const { PATH = '', TMPDIR = tmpdir() } = process.env;
  const env = { PATH, TMPDIR, ...isolatedHome(dataDir), DATA_DIR: dataDir, ...options.env };
  const child = spawn(process.execPath, [commandEntry(), ...args], { cwd: tmpdir(), env });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const ended = new Promise<CommandEnd>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, ended };
}

/**
 * Runs a command to its end, in the process of the test: its own process would take twenty times as long. A command
 * with an input reads it from its standard input, so it has its own process. If the test itself has a lock of the same
 * folder, give the command an input too: locks of the same process do not block it.
 */
export async function wellhouse(
  dataDir: string,
  args: readonly string[],
  options: { input?: string; env?: Record<string, string> } = {},
): Promise<CommandEnd> {
  if (options.input !== undefined) return startCommand(dataDir, args, options).ended;
  const env = { ...isolatedHome(dataDir), DATA_DIR: dataDir, ...options.env };
  const { stdout, stderr, result } = await written(() => runCommand(['node', 'wellhouse', ...args], env));
  return { code: result, signal: null, stdout, stderr };
}

interface Written {
  stdout: string;
  stderr: string;
}

const writing = new AsyncLocalStorage<Written>();
const STREAMS = ['stdout', 'stderr'] as const;
/** The number of running commands. While there is one, its output is kept out of the tests' output. */
let running = 0;
let putBack = () => {};

/** Runs something and returns what it wrote to the two outputs of the process. Others may run at the same time. */
async function written<T>(run: () => Promise<T>): Promise<Written & { readonly result: T }> {
  if (running === 0) putBack = divert();
  running += 1;
  const texts: Written = { stdout: '', stderr: '' };
  try {
    return { result: await writing.run(texts, run), ...texts };
  } finally {
    running -= 1;
    if (running === 0) putBack();
  }
}

function divert(): () => void {
  const before = STREAMS.map((name) => process[name].write);
  for (const name of STREAMS) {
    const write = process[name].write.bind(process[name]);
    process[name].write = ((chunk: string | Uint8Array, ...rest: []) => {
      const texts = writing.getStore();
      if (texts === undefined) return write(chunk, ...rest);
      texts[name] += Buffer.from(chunk as string).toString();
      return true;
    }) as typeof write;
  }
  return () => {
    for (const [index, name] of STREAMS.entries()) process[name].write = before[index]!;
  };
}

/** Returns the answer of a command that must succeed. */
export async function answerOf<T = Record<string, unknown>>(
  dataDir: string,
  args: readonly string[],
  input?: string,
): Promise<T> {
  const { code, stdout, stderr } = await wellhouse(dataDir, args, input === undefined ? {} : { input });
  if (code !== 0) throw new Error(`wellhouse ${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
}

/** Makes a backup. Returns its file. */
export async function backUp(dataDir: string, args: readonly string[], input?: string): Promise<string> {
  return (await answerOf<{ readonly path: string }>(dataDir, ['backup', ...args], input)).path;
}

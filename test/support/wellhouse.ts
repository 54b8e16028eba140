import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isolatedHome } from './isolated-home.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BUILT = join(ROOT, 'out/main/wellhouse.js');
const SOURCE = join(ROOT, 'src/main/wellhouse.ts');

/** The file that a command is started by: the built one, or its source where nothing was built. */
export function commandEntry(): string {
  return existsSync(BUILT) ? BUILT : SOURCE;
}

/** How a command ended. */
export interface CommandEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command of the command line in a process of its own, with its output in pipes: it answers in JSON. */
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

/** Runs a command to its end. */
export function wellhouse(
  dataDir: string,
  args: readonly string[],
  options: { input?: string; env?: Record<string, string> } = {},
) {
  return startCommand(dataDir, args, options).ended;
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

/** Makes a backup; gives the file. */
export async function backUp(dataDir: string, args: readonly string[], input?: string): Promise<string> {
  return (await answerOf<{ readonly path: string }>(dataDir, ['backup', ...args], input)).path;
}

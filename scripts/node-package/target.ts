import type { SpawnSyncReturns } from 'node:child_process';
import { spawnSync } from 'node:child_process';

/** A processor that packages are made for, by the names that npm, Debian, `uname -m` and the dynamic linker have for it. */
export interface Target {
  readonly npm: 'arm64' | 'x64';
  readonly debian: 'arm64' | 'amd64';
  readonly machine: string;
}

export const TARGETS: readonly Target[] = [
  { npm: 'arm64', debian: 'arm64', machine: 'aarch64' },
  { npm: 'x64', debian: 'amd64', machine: 'x86_64' },
];

/** The C library that better-sqlite3 and Node are made for, 2.x; scripts/preflight.mjs says the same of a clone. */
export const GLIBC_MINOR = 34;

/** Something that keeps a package from being made; its message is a line for whoever asked for it. */
export class PackageError extends Error {
  override readonly name = 'PackageError';
}

/** Runs a program to its end. Throws PackageError where it is missing or fails. */
export function run(
  program: string,
  args: readonly string[],
  { cwd, env, missing }: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv; readonly missing?: string } = {},
): string {
  // npm is a batch file on Windows, which only a shell runs; none of its arguments here needs quoting.
  const shell = process.platform === 'win32' && program === 'npm';
  const done: SpawnSyncReturns<string> = spawnSync(program, args, { cwd, env, shell, encoding: 'utf8' });
  if (done.error !== undefined) throw new PackageError(missing ?? `${program} can't be run (${done.error.message})`);
  if (done.status !== 0) throw new PackageError(`${program} ${args[0]} failed: ${(done.stderr || done.stdout).trim()}`);
  return done.stdout;
}

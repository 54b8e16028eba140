import type { SpawnSyncReturns } from 'node:child_process';
import { spawnSync } from 'node:child_process';

/** A processor that packages are made for, with its names in npm, Debian, `uname -m` and the dynamic linker. */
export interface Target {
  readonly npm: 'arm64' | 'x64';
  readonly debian: 'arm64' | 'amd64';
  readonly machine: string;
}

export const TARGETS: readonly Target[] = [
  { npm: 'arm64', debian: 'arm64', machine: 'aarch64' },
  { npm: 'x64', debian: 'amd64', machine: 'x86_64' },
];

/**
 * The minor version of the C library (2.x) that better-sqlite3 and Node need. scripts/preflight.mjs has the same for a
 * clone.
 */
export const GLIBC_MINOR = 34;

/** Why a package can't be made. Its message is a line for the user. */
export class PackageError extends Error {
  override readonly name = 'PackageError';
}

/** Runs a program to its end. Throws PackageError if it is missing or fails. */
export function run(
  program: string,
  args: readonly string[],
  { cwd, env, missing }: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv; readonly missing?: string } = {},
): string {
  // On Windows, npm is a batch file that only a shell runs. No argument here needs quoting.
  const shell = process.platform === 'win32' && program === 'npm';
  const done: SpawnSyncReturns<string> = spawnSync(program, args, { cwd, env, shell, encoding: 'utf8' });
  if (done.error !== undefined) throw new PackageError(missing ?? `${program} can't be run (${done.error.message})`);
  if (done.status !== 0) throw new PackageError(`${program} ${args[0]} failed: ${(done.stderr || done.stdout).trim()}`);
  return done.stdout;
}

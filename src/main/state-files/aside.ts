import { existsSync, rmSync, writeFileSync } from 'node:fs';
import type { Logger } from 'pino';
import type { DamagedFile } from '../../shared/owner-api/damaged-files.ts';

/** Where a state file lies, and what its reader and writer need besides. */
export interface StateFolder {
  /** The data folder. */
  readonly path: string;
  readonly log: Logger;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** The losses of a damaged file. */
export type Damage = Omit<DamagedFile, 'id' | 'restored'> & Partial<Pick<DamagedFile, 'restored'>>;

/** Dates end there. */
const LATEST_MS = 8.64e15;

/**
 * A name beside a file for a copy of it that nothing overwrites; `at` in Unix milliseconds. The time in it is UTC, without
 * characters that Windows refuses.
 */
export function freeNameBeside(path: string, kind: string, at: number): string {
  const time = new Date(Math.min(Math.max(0, at), LATEST_MS)).toISOString().replace(/[-:]/g, '');
  for (let number = 0; ; number += 1) {
    const name = `${path}.${kind}-${time}${number === 0 ? '' : `-${number}`}`;
    if (!existsSync(name)) return name;
  }
}

/** Keeps a damaged file as `<name>.damaged-<time>`, and returns that name. Throws as the file system does, with nothing left. */
export function copyDamaged(path: string, bytes: Uint8Array, at: number): string {
  const name = freeNameBeside(path, 'damaged', at);
  try {
    writeFileSync(name, bytes, { flag: 'wx', mode: 0o600, flush: true });
    return name;
  } catch (error) {
    rmSync(name, { force: true });
    throw error;
  }
}

/** Tells of a damaged file: the log, and `onDamage`, which tells the owner. */
export function tellDamage({ log }: StateFolder, damage: Damage, onDamage: (damage: Damage) => void): void {
  log.error(damage, 'a file was damaged: only the copy has what could not be read');
  onDamage({
    ...damage,
    at: Math.round(damage.at),
    lost: damage.lost.slice(0, MAX_TOLD),
    restored: damage.restored?.slice(0, MAX_TOLD) ?? [],
  });
}

/** More lost entries than these are in the log alone. */
const MAX_TOLD = 200;

import { existsSync, rmSync, writeFileSync } from 'node:fs';
import type { Logger } from 'pino';
import type { DamagedFile } from '../../shared/owner-api/damaged-files.ts';

/** The folder of a state file, with the tools for reading and writing it. */
export interface StateFolder {
  /** The data folder. */
  readonly path: string;
  readonly log: Logger;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** The losses of a damaged file. */
export type Damage = Omit<DamagedFile, 'id' | 'restored'> & Partial<Pick<DamagedFile, 'restored'>>;

/** The latest time of a Date. */
const LATEST_MS = 8.64e15;

/**
 * Returns an unused name next to a file for a copy of it; `at` is in Unix milliseconds. The time in the name is UTC,
 * without characters that Windows refuses.
 */
export function freeNameBeside(path: string, kind: string, at: number): string {
  const time = new Date(Math.min(Math.max(0, at), LATEST_MS)).toISOString().replace(/[-:]/g, '');
  for (let number = 0; ; number += 1) {
    const name = `${path}.${kind}-${time}${number === 0 ? '' : `-${number}`}`;
    if (!existsSync(name)) return name;
  }
}

/**
 * Copies a damaged file to `<name>.damaged-<time>`, and returns that name. Throws errors of the file system, without
 * leftovers.
 */
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

/** Reports a damaged file to the log and to `onDamage`, which notifies the owner. */
export function tellDamage({ log }: StateFolder, damage: Damage, onDamage: (damage: Damage) => void): void {
  log.error(damage, 'a file was damaged: only the copy has what could not be read');
  onDamage({
    ...damage,
    at: Math.round(damage.at),
    lost: damage.lost.slice(0, MAX_TOLD),
    restored: damage.restored?.slice(0, MAX_TOLD) ?? [],
  });
}

/** Further lost entries are only in the log. */
const MAX_TOLD = 200;

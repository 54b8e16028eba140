import type { StoreName } from '../../../../shared/protocol/codes.ts';

/** The names of the store files, in a data folder and in a backup. */
export const STORE_FILES: Readonly<Record<StoreName, string>> = { private: 'private.db', public: 'public.db' };

/** Returns whether a file of a data folder is a store or belongs to one: its log, its index, or an unfinished store. */
export function belongsToStore(name: string): boolean {
  return /^(?:private|public)\.db(?:-wal|-shm|-journal|\.new.*)?$/.test(name);
}

/** Returns whether a file is recreated whenever its store is opened, so that a copy of the folder does not need it. */
export function isMadeAtOpening(name: string): boolean {
  return name.endsWith('-shm');
}

/** Returns the name of the file next to a store that is recreated whenever the store is opened. */
export function madeAtOpeningOf(name: string): string {
  return `${name}-shm`;
}

/** Returns whether a file is a database. */
export function isDatabase(name: string): boolean {
  return name.endsWith('.db');
}

/** Returns the name of a database's log. */
export function logOf(name: string): string {
  return `${name}-wal`;
}

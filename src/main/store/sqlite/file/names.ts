import type { StoreName } from '../../../../shared/protocol/codes.ts';

/** The names of the stores' files, in a data folder and in a backup. */
export const STORE_FILES: Readonly<Record<StoreName, string>> = { private: 'private.db', public: 'public.db' };

/** Whether a file of a data folder is a store, or lies beside one: its log, its index, one that is being made. */
export function belongsToStore(name: string): boolean {
  return /^(?:private|public)\.db(?:-wal|-shm|-journal|\.new.*)?$/.test(name);
}

/** Whether a file is made again whenever its store is opened, so that a copy of the folder does without it. */
export function isMadeAtOpening(name: string): boolean {
  return name.endsWith('-shm');
}

/** The name of the file beside a store that is made again whenever the store is opened. */
export function madeAtOpeningOf(name: string): string {
  return `${name}-shm`;
}

/** Whether a file is a database. */
export function isDatabase(name: string): boolean {
  return name.endsWith('.db');
}

/** The name of the log beside a database. */
export function logOf(name: string): string {
  return `${name}-wal`;
}

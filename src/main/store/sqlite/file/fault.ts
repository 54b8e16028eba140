import Database from 'better-sqlite3';
import type { StoreFault } from '../../../common/node-events.ts';
import { StorageUnavailable } from '../../storage-unavailable.ts';

const FAULTS: readonly (readonly [RegExp, StoreFault])[] = [
  [/^(?:SQLITE_FULL|ENOSPC|EDQUOT)/, 'full'],
  [/^(?:SQLITE_(?:READONLY|CANTOPEN|PERM)|EROFS|EACCES|EPERM)/, 'read_only'],
  [/^SQLITE_(?:BUSY|LOCKED)/, 'busy'],
  [/^SQLITE_(?:CORRUPT|NOTADB)/, 'damaged'],
  [/^SQLITE_(?:IOERR|NOMEM|PROTOCOL)/, 'unreachable'],
];

/** The fault of the store in an error of SQLite or of the file system; null if the request was at fault. */
export function faultOf(error: unknown): StoreFault | null {
  const code = codeOf(error);
  if (code === null) return null;
  const known = FAULTS.find(([pattern]) => pattern.test(code))?.[1];
  // The system is asked for little beside SQLite, such as the free space: a disk that does not even tell takes no writes.
  return known ?? (error instanceof Database.SqliteError ? null : 'unreachable');
}

/** The code of SQLite or of the system, for logs; null: it is another error. */
export function codeOf(error: unknown): string | null {
  if (error instanceof Database.SqliteError) return error.code;
  return error instanceof Error && 'syscall' in error ? ((error as NodeJS.ErrnoException).code ?? 'SYSTEM') : null;
}

/** Whether another process kept SQLite from what it was asked. */
export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

/** Runs something that reads a store. Throws StorageUnavailable in the place of SQLite's errors. */
export function reading<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw unavailable(error);
  }
}

/** An error of reading as the store's: StorageUnavailable where SQLite failed, else the error as it is. */
export function unavailable(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError) || error.code.startsWith('SQLITE_CONSTRAINT')) return error;
  return new StorageUnavailable(faultOf(error) ?? 'unreachable', error.message);
}

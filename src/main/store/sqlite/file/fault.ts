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

/** Returns the fault of the store in an error of SQLite or of the file system; null if the request was at fault. */
export function faultOf(error: unknown): StoreFault | null {
  const code = codeOf(error);
  if (code === null) return null;
  const known = FAULTS.find(([pattern]) => pattern.test(code))?.[1];
  // Apart from SQLite, the system is only asked for facts such as the free space. A disk that fails to tell them
  // accepts no writes.
  return known ?? (error instanceof Database.SqliteError ? null : 'unreachable');
}

/** Returns the error code of SQLite or of the system, for logs; null for any other error. */
export function codeOf(error: unknown): string | null {
  if (error instanceof Database.SqliteError) return error.code;
  return error instanceof Error && 'syscall' in error ? ((error as NodeJS.ErrnoException).code ?? 'SYSTEM') : null;
}

/** Returns whether another process blocked the operation. */
export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

/** Runs a function that reads a store. Throws StorageUnavailable in place of SQLite's errors. */
export function reading<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw unavailable(error);
  }
}

/** Converts a read error: StorageUnavailable if SQLite failed, else the error itself. */
export function unavailable(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError) || error.code.startsWith('SQLITE_CONSTRAINT')) return error;
  return new StorageUnavailable(faultOf(error) ?? 'unreachable', error.message);
}

import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { StorageUnavailable } from '../../storage-unavailable.ts';
import { codeOf, faultOf, isBusy, reading, unavailable } from './fault.ts';

const sqlite = (code: string) => new Database.SqliteError('said by SQLite', code);
const system = (code: string) => Object.assign(new Error('said by the system'), { syscall: 'statfs', code });

it.each([
  [sqlite('SQLITE_FULL'), 'full'],
  [system('ENOSPC'), 'full'],
  [sqlite('SQLITE_READONLY_DBMOVED'), 'read_only'],
  [system('EROFS'), 'read_only'],
  [system('EACCES'), 'read_only'],
  [system('EPERM'), 'read_only'],
  [sqlite('SQLITE_CANTOPEN'), 'read_only'],
  [sqlite('SQLITE_PERM'), 'read_only'],
  [system('EDQUOT'), 'full'],
  [sqlite('SQLITE_BUSY_SNAPSHOT'), 'busy'],
  [sqlite('SQLITE_LOCKED'), 'busy'],
  [sqlite('SQLITE_NOMEM'), 'unreachable'],
  [sqlite('SQLITE_PROTOCOL'), 'unreachable'],
  [sqlite('SQLITE_CORRUPT_INDEX'), 'damaged'],
  [sqlite('SQLITE_NOTADB'), 'damaged'],
  [sqlite('SQLITE_IOERR_READ'), 'unreachable'],
  [system('ENOENT'), 'unreachable'],
  [sqlite('SQLITE_CONSTRAINT_UNIQUE'), null],
  [sqlite('SQLITE_ERROR'), null],
  [new Error('of the program'), null],
])('%s is %s', (error, fault) => {
  expect(faultOf(error)).toBe(fault);
});

it('a failed read of SQLite is a store fault; other errors stay as they are', () => {
  const fail = (error: Error) => () =>
    reading(() => {
      throw error;
    });
  expect(fail(sqlite('SQLITE_CORRUPT'))).toThrow(new StorageUnavailable('damaged', 'said by SQLite'));
  const other = new RangeError('of the program');
  expect(fail(other)).toThrow(other);
});

it.each([
  [sqlite('SQLITE_FULL'), 'SQLITE_FULL'],
  [system('ENOSPC'), 'ENOSPC'],
  [Object.assign(new Error('said by the system'), { syscall: 'statfs' }), 'SYSTEM'],
  [Object.assign(new Error('of the program'), { code: 'ENOSPC' }), null],
  [{ syscall: 'statfs', code: 'ENOSPC' }, null],
  ['a text', null],
])('%s has the code %s', (error, code) => {
  expect(codeOf(error)).toBe(code);
});

it.each([
  [sqlite('SQLITE_BUSY'), true],
  [sqlite('SQLITE_BUSY_SNAPSHOT'), true],
  [sqlite('SQLITE_LOCKED'), false],
  [Object.assign(new Error('of the program'), { code: 'SQLITE_BUSY' }), false],
  [null, false],
])('%s says that another process blocked: %s', (error, is) => {
  expect(isBusy(error)).toBe(is);
});

it('a read that succeeds has its result', () => {
  expect(reading(() => 5)).toBe(5);
});

it('an error of a read has the fault of the store, unless the request was wrong', () => {
  expect(unavailable(sqlite('SQLITE_FULL'))).toEqual(new StorageUnavailable('full', 'said by SQLite'));
  expect(unavailable(sqlite('SQLITE_FULL'))).toMatchObject({ code: 'full' });
  // It is none of the faults that are known.
  expect(unavailable(sqlite('SQLITE_ERROR'))).toMatchObject({ code: 'unreachable', message: 'said by SQLite' });
  for (const error of [sqlite('SQLITE_CONSTRAINT_UNIQUE'), system('ENOSPC'), 'a text']) {
    expect(unavailable(error)).toBe(error);
  }
});

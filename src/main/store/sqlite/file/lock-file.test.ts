import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../../../test/support/node-process.ts';
import { lockFile } from './lock-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'lock');
});
afterEach(() => removeFolder(folder));

it('gives a lock to one at a time', () => {
  const release = lockFile(path)!;
  expect(lockFile(path)).toBeNull();
  release();
  const again = lockFile(path)!;
  expect(lockFile(path)).toBeNull();
  again();
});

it('leaves an empty file that only its owner can read, and nothing beside it', () => {
  const release = lockFile(path)!;
  expect([readdirSync(folder), readFileSync(path, 'utf8')]).toEqual([['lock'], '']);
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  release();
  expect([readdirSync(folder), readFileSync(path, 'utf8')]).toEqual([['lock'], '']);
});

it('empties a damaged file, which nobody can have locked', () => {
  writeFileSync(path, 'no database'.repeat(100));
  const release = lockFile(path)!;
  expect(readFileSync(path, 'utf8')).toBe('');
  expect(lockFile(path)).toBeNull();
  release();
});

it('changes no file that it can’t lock for another reason', () => {
  expect(() => lockFile(join(folder, 'away', 'lock'))).toThrow('ENOENT');
  const db = new Database(path);
  db.exec('CREATE TABLE rows (content)');
  db.close();
  // There is no room beside it for the journal of a write that was cut off.
  const before = readFileSync(path);
  mkdirSync(`${path}-journal`);
  expect(() => lockFile(path)).toThrow(expect.objectContaining({ name: 'SqliteError' }));
  expect(readFileSync(path).equals(before)).toBe(true);
});

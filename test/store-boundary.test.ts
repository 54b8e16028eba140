import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readImports } from './support/import-graph.ts';

// What only a store engine knows stays in its folder: the rest of the program would have to change for another engine.

const ENGINES = ['main/store/sqlite/', 'main/store/postgres/'];
/** The reference server keeps its data in SQLite, whatever our stores are kept in. */
const FOREIGN_FILES = ['main/care/reference/reference-folder.ts', 'main/command-line/commands/import.ts'];
const SHARED_MEMORY = 'main/store/verifier/';
const imports = readImports('src');

const isInside = (file: string) => ENGINES.some((engine) => file.startsWith(engine));
const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !isInside(file));

it.each([
  ['the library of an engine', /better-sqlite3|from 'pg'/],
  ['codes of an engine', /SQLITE_|\b(?:08|53|57)[0-9A-Z]{3}\b'/],
  ['names of an engine’s files', /\.db\b|-wal\b|-shm\b/],
  ['SQL of an engine', /\bATTACH\b|\bPRAGMA\b/],
])('nothing outside of the engines has %s', (_what, pattern) => {
  expect(files.length).toBeGreaterThan(300);
  const found = files.filter((file) => pattern.test(readFileSync(join('src', file), 'utf8')));
  expect(found.filter((file) => !FOREIGN_FILES.includes(file))).toEqual([]);
});

it('only the verifier and SQLite use the shared memory of the blocks', () => {
  const names = ['bell', 'lane-memory', 'packed-blocks'].map((name) => `${SHARED_MEMORY}${name}.ts`);
  const users = imports.filter(({ to }) => names.includes(to));
  const allowed = (file: string) => file.startsWith(SHARED_MEMORY) || file.startsWith('main/store/sqlite/');
  expect(users.length).toBeGreaterThan(0);
  expect(users.map(({ from }) => from).filter((file) => !allowed(file))).toEqual([]);
});

it('the store takes no type from the owner’s API', () => {
  const users = imports.filter(({ from, to }) => from.startsWith('main/store/') && to.startsWith('shared/owner-api/'));
  expect(users).toEqual([]);
});

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../../test/support/node-process.ts';
import { prepareStore } from '../../store/sqlite/file/database.ts';
import { MARKER, movedTo, writeMarker } from '../data-marker.ts';
import { checkTarget, copyFolder, MoveError } from './copy-folder.ts';
import { deleteOldData, oldDataIn } from './old-data.ts';

let folder: string;
let from: string;
let to: string;
beforeEach(() => {
  folder = temporaryFolder();
  from = join(folder, 'from');
  to = join(folder, 'new', 'to');
  mkdirSync(from);
  prepareStore(join(from, 'private.db'), 'private');
  writeFileSync(join(from, 'identity.mnemonic'), 'words of a key\n', { mode: 0o600 });
  writeFileSync(join(from, 'keystore.wellhouse'), Buffer.alloc(3 * 1024 ** 2 + 7, 5));
  writeFileSync(join(from, 'node.lock'), '');
  mkdirSync(join(from, 'backups'));
  writeFileSync(join(from, 'backups', 'old.txt'), 'kept');
});
afterEach(() => removeFolder(folder));

const copy = (isCancelled = () => false) => copyFolder(from, to, () => {}, isCancelled);
const problemOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof MoveError) return error.problem;
    throw error;
  }
  return 'none';
};

describe('copyFolder', () => {
  it('copies and verifies all data, and leaves the old folder unchanged', () => {
    const seen: string[] = [];
    let last = { phase: 'copying', doneBytes: 0, totalBytes: 0 };
    const files = copyFolder(
      from,
      to,
      (progress) => {
        expect(progress.doneBytes).toBeLessThanOrEqual(progress.totalBytes);
        if (progress.phase !== last.phase || seen.length === 0) seen.push(progress.phase);
        last = progress;
      },
      () => false,
    );
    expect(seen).toEqual(['copying', 'checking']);
    expect(last.doneBytes).toBe(last.totalBytes);
    const names = ['backups', 'identity.mnemonic', 'keystore.wellhouse', 'private.db'];
    expect(readdirSync(to).sort()).toEqual(names);
    expect(files.map(({ path }) => path).sort()).toEqual([
      'backups/old.txt',
      'identity.mnemonic',
      'keystore.wellhouse',
      'private.db',
    ]);
    for (const { path } of files) {
      expect(readFileSync(join(to, path)).equals(readFileSync(join(from, path))), path).toBe(true);
    }
    expect(statSync(join(to, 'identity.mnemonic')).mode & 0o077).toBe(0);
    expect(readdirSync(from)).toContain('private.db');
  });

  it('copies a store with the log that a killed node left', () => {
    const db = new Database(join(from, 'private.db'));
    db.exec('CREATE TABLE extra (x); INSERT INTO extra VALUES (42)');
    try {
      copy();
    } finally {
      db.close();
    }
    const copied = new Database(join(to, 'private.db'));
    expect(copied.prepare('SELECT x FROM extra').pluck().get()).toBe(42);
    copied.close();
  });

  it('refuses a damaged store, without leftovers', () => {
    const path = join(from, 'private.db');
    const bytes = readFileSync(path);
    bytes.fill(0xaa, 4096, 4096 * 2);
    writeFileSync(path, bytes);
    expect(problemOf(copy)).toBe('not_equal');
    expect(existsSync(join(folder, 'new'))).toBe(false);
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it('stops when it is cancelled, while copying and while checking, without leftovers', () => {
    for (const steps of [2, 6]) {
      let asked = 0;
      const isCancelled = () => {
        asked += 1;
        return asked > steps;
      };
      expect(problemOf(() => copy(isCancelled))).toBe('cancelled');
      expect(existsSync(join(folder, 'new'))).toBe(false);
    }
    // An existing folder stays.
    mkdirSync(join(folder, 'new'));
    expect(problemOf(() => copy(() => true))).toBe('cancelled');
    expect(readdirSync(join(folder, 'new'))).toEqual([]);
    expect(copy()).toHaveLength(4);
  });

  // The same happens below /sys, but a container may have no /sys.
  it.skipIf(process.platform !== 'linux').each(['/proc/wellhouse/data', '/proc/self/wellhouse'])(
    'does not hang if no folder can be created: %s',
    (target) => {
      to = target;
      expect(problemOf(copy)).toBe('not_writable');
      to = join(folder, 'file', 'data');
      writeFileSync(join(folder, 'file'), 'in the way of a folder');
      expect(problemOf(copy)).toBe('not_writable');
    },
  );

  it('accepts a folder with an interrupted copy', () => {
    mkdirSync(join(to, '.wellhouse-move'), { recursive: true });
    writeFileSync(join(to, '.wellhouse-move', 'private.db'), 'half');
    expect(copy()).toHaveLength(4);
    expect(existsSync(join(to, '.wellhouse-move'))).toBe(false);
  });
});

describe('checkTarget', () => {
  it('refuses unsuitable folders', () => {
    mkdirSync(join(folder, 'full'));
    writeFileSync(join(folder, 'full', 'letter.txt'), 'mine');
    symlinkSync(from, join(folder, 'link'));
    const problem = (target: string) => problemOf(() => checkTarget(from, target));
    expect(problem('relative/folder')).toBe('not_absolute');
    expect(problem(from)).toBe('same');
    expect(problem(`${from}/`)).toBe('same');
    expect(problem(join(folder, 'link'))).toBe('same');
    expect(problem(join(from, 'inside'))).toBe('nested');
    expect(problem(join(folder, 'link', 'inside'))).toBe('nested');
    expect(problem(folder)).toBe('nested');
    expect(problem(join(folder, 'full'))).toBe('not_empty');
    expect(problem(join(folder, 'full', 'letter.txt'))).toBe('not_empty');
    expect(problem(join(folder, 'fresh', 'one'))).toBe('none');
    expect(problem(`${from}-2`)).toBe('none');
    expect(readFileSync(join(folder, 'full', 'letter.txt'), 'utf8')).toBe('mine');
  });
});

describe('old data of a move', () => {
  it('is marked, measured, and deleted without other files', async () => {
    const files = copy();
    writeFileSync(join(from, 'letter.txt'), 'mine');
    writeMarker(from, to, files);
    expect(movedTo(from)).toBe(to);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    expect(oldDataIn([from, to])).toEqual([{ path: from, bytes }]);
    expect(await deleteOldData(from)).toBe(true);
    expect(readdirSync(from).sort()).toEqual(['letter.txt', 'moved.json']);
    expect(oldDataIn([from])).toEqual([]);
    expect(movedTo(from)).toBe(to);
    expect(readdirSync(to)).toContain('private.db');
  });

  it('is not deleted once a file of it has changed', async () => {
    writeMarker(from, to, copy());
    writeFileSync(join(from, 'identity.mnemonic'), 'another key altogether\n');
    expect(await deleteOldData(from)).toBe(false);
    expect(readdirSync(from)).toContain('private.db');
  });

  it('is deleted without the targets of links', async () => {
    const outside = join(folder, 'outside');
    mkdirSync(join(outside, 'deep'), { recursive: true });
    writeFileSync(join(outside, 'mine'), 'mine');
    writeFileSync(join(outside, 'mine-shm'), 'mine');
    writeFileSync(join(outside, 'deep', 'too'), 'mine');
    writeFileSync(join(folder, 'single'), 'mine');
    symlinkSync(outside, join(from, 'link'));
    symlinkSync(join(folder, 'single'), join(from, 'file-link'));
    symlinkSync(join(outside, 'deep'), join(from, 'backups', 'inner'));
    const files = copy();
    expect(files.map(({ path }) => path)).toContain('link/deep/too');
    writeMarker(from, to, files);
    const [old] = oldDataIn([from]);
    expect(await deleteOldData(from)).toBe(true);
    expect(readdirSync(from)).toEqual(['moved.json']);
    expect(readdirSync(outside).sort()).toEqual(['deep', 'mine', 'mine-shm']);
    expect(readFileSync(join(outside, 'deep', 'too'), 'utf8')).toBe('mine');
    expect(readFileSync(join(folder, 'single'), 'utf8')).toBe('mine');
    expect(old!.bytes).toBeGreaterThan(0);
    expect(oldDataIn([from])).toEqual([]);
    expect(readFileSync(join(to, 'link', 'mine'), 'utf8')).toBe('mine');
  });

  it('is found after two moves, and never outside of the folder', async () => {
    const third = join(folder, 'third');
    writeMarker(from, to, copy());
    writeMarker(
      to,
      third,
      copyFolder(
        to,
        third,
        () => {},
        () => false,
      ),
    );
    expect(movedTo(from)).toBe(third);
    writeFileSync(join(folder, 'victim'), 'mine');
    const { size, mtimeMs } = statSync(join(folder, 'victim'));
    const files = [{ path: '../victim', bytes: size, modifiedMs: mtimeMs }];
    expect(() => writeMarker(from, to, files)).toThrow();
    writeFileSync(join(from, MARKER), JSON.stringify({ to, at: '', files }));
    expect(await deleteOldData(from)).toBe(false);
    expect(existsSync(join(folder, 'victim'))).toBe(true);
  });
});

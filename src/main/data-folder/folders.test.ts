import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join, win32 } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import { makeFolder, missingFolders } from './folders.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

describe('missingFolders', () => {
  it('returns the missing folders, innermost first', () => {
    mkdirSync(join(folder, 'a'));
    const [b, c] = [join(folder, 'a', 'b'), join(folder, 'a', 'b', 'c')];
    expect(missingFolders(c)).toEqual([c, b]);
    expect(missingFolders(folder)).toEqual([]);
  });

  it('ends at a missing drive', () => {
    expect(missingFolders('Z:\\well\\data', win32.dirname)).toEqual(['Z:\\well\\data', 'Z:\\well', 'Z:\\']);
  });
});

describe('makeFolder', () => {
  it('creates all missing folders, only for this user', () => {
    makeFolder(join(folder, 'a', 'b'));
    makeFolder(join(folder, 'a', 'b'));
    if (process.platform !== 'win32') expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'a', 'b')).isDirectory()).toBe(true);
  });

  it('throws if a file is in the way', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => makeFolder(join(folder, 'file'))).toThrow('EEXIST');
    expect(() => makeFolder(join(folder, 'file', 'below'))).toThrow('ENOTDIR');
  });
});

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import { writeAtomically, writeAtomicallySync } from './atomic-write.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

const WRITERS = {
  writeAtomically,
  writeAtomicallySync: async (...args: Parameters<typeof writeAtomicallySync>) => writeAtomicallySync(...args),
};

describe.each(Object.entries(WRITERS))('%s', (_name, write) => {
  it('creates or replaces a file for its owner only, without leftovers', async () => {
    const path = join(folder, 'file');
    await write(path, 'first');
    writeFileSync(join(folder, 'left'), 'half of', { mode: 0o644 });
    await write(path, 'second', join(folder, 'left'));
    expect(readFileSync(path, 'utf8')).toBe('second');
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['file']);
  });

  it('keeps the previous file, without leftovers, if it fails', async () => {
    const path = join(folder, 'taken');
    mkdirSync(path);
    writeFileSync(join(path, 'inside'), 'kept');
    await expect(write(path, 'text')).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(['taken']);
    expect(readFileSync(join(path, 'inside'), 'utf8')).toBe('kept');
  });
});

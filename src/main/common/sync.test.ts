import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import { syncFile, syncFolder } from './sync.ts';

it('syncs existing files and folders', () => {
  const folder = temporaryFolder();
  writeFileSync(`${folder}/file`, 'text');
  syncFile(`${folder}/file`);
  syncFolder(folder);
  removeFolder(folder);
  expect(() => syncFile(`${folder}/file`)).toThrow('ENOENT');
  expect(() => syncFolder(folder, 'linux')).toThrow('ENOENT');
});

it('leaves folders to the file system on Windows', () => {
  expect(() => syncFolder('/nowhere', 'win32')).not.toThrow();
});

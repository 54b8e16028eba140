import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import { StartError } from '../common/start-error.ts';
import { readPublicKey } from '../data-folder/identity.ts';
import { keepUiAddress, readUiAddress } from '../owner/page/ui-address.ts';
import { loadOrCreateUiToken, readUiToken } from '../owner/page/ui-token.ts';
import { readTextFile, writeTextFile } from './text-file.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

it('a line is written as a whole and read back, and a link stays a link', () => {
  const path = join(folder, 'line');
  expect(readTextFile(path)).toBeNull();
  writeTextFile(path, 'one');
  symlinkSync(path, join(folder, 'link'));
  writeTextFile(join(folder, 'link'), 'two');
  expect([readTextFile(path), readFileSync(path, 'utf8')]).toEqual(['two\n', 'two\n']);
  expect(readdirSync(folder).sort()).toEqual(['line', 'link']);
});

// Opening something else, such as a named pipe, would block for ever, also in a command.
it.each([
  ['identity.mnemonic', () => readPublicKey(folder)],
  ['ui-token', () => readUiToken(folder)],
  ['ui-token', () => loadOrCreateUiToken(folder, false)],
  ['ui-address', () => readUiAddress(folder)],
] as const)('a folder in place of %s is reported, not opened', (name, read) => {
  mkdirSync(join(folder, name));
  expect(read).toThrow(StartError);
  expect(read).toThrow(/is a folder, not a regular file/);
});

it('a node’s own notes are read back', () => {
  const token = loadOrCreateUiToken(folder, false);
  expect([readUiToken(folder), loadOrCreateUiToken(folder, false)]).toEqual([token, token]);
  expect(loadOrCreateUiToken(folder, true)).not.toBe(token);
  keepUiAddress(folder, 'http://127.0.0.1:3001');
  expect(readUiAddress(folder)).toBe('http://127.0.0.1:3001');
  writeFileSync(join(folder, 'ui-token'), 'short\n');
  expect(() => readUiToken(folder)).toThrow(/contains no token/);
});

import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import { isWithin } from './within.ts';

let root: string;
let data: string;
beforeEach(() => {
  root = temporaryFolder();
  data = join(root, 'data');
  for (const name of ['data/inside', 'database']) mkdirSync(join(root, name), { recursive: true });
});
afterEach(() => removeFolder(root));

it('a folder is within itself and has what is in it, whatever its name, and nothing beside or above it', async () => {
  for (const path of ['', 'inside', 'inside/not/there', '..backups', 'inside/../inside']) {
    expect([path, await isWithin(data, join(data, path))]).toEqual([path, true]);
    expect([path, await isWithin(data, `${data}/${path}`)]).toEqual([path, true]);
  }
  for (const path of ['', 'database', 'data-2', 'data/..', 'data/../..', 'data/inside/../../database']) {
    expect([path, await isWithin(data, join(root, path))]).toEqual([path, false]);
  }
});

it('links are followed, also above a folder that does not exist yet', async () => {
  symlinkSync(join(data, 'inside'), join(root, 'in'));
  symlinkSync(join(root, 'database'), join(data, 'out'));
  symlinkSync(data, join(root, 'link'));
  for (const path of ['in', 'in/new/folder', 'link', 'link/inside']) {
    expect([path, await isWithin(data, join(root, path))]).toEqual([path, true]);
    expect([path, await isWithin(join(root, 'link'), join(root, path))]).toEqual([path, true]);
  }
  for (const path of ['out', 'out/new/folder'])
    expect([path, await isWithin(data, join(data, path))]).toEqual([path, false]);
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import { makeDataDir } from './data-folder.ts';
import { MARKER, writeMarker } from './data-marker.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

it('refuses a folder whose data was moved, and names the new folder', () => {
  writeMarker(folder, '/elsewhere/data', []);
  expect(() => makeDataDir(folder)).toThrow(/was moved to \/elsewhere\/data/);
});

it.each(['', '{', 'null', '{"to":""}', '{"to":"/x","at":"","files":[{"path":"../x","bytes":1,"modifiedMs":1}]}'])(
  'refuses a folder with a damaged mark instead of starting on old data: %s',
  (content) => {
    writeFileSync(join(folder, MARKER), content);
    expect(() => makeDataDir(folder)).toThrow(/moved\.json is damaged.*or remove the file/);
  },
);

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeDataFolder } from '../../../test/support/care.ts';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import { SYSTEM_CLOCK } from '../common/clock.ts';
import { EventBus } from '../common/event-bus.ts';
import { locationsIn } from '../store/locations.ts';
import { Exports, type ExportWish } from './exports.ts';

const log = pino({ enabled: false });
let root: string;
let dataDir: string;
let folder: string;
let exports: Exports;
beforeEach(() => {
  root = temporaryFolder();
  ({ dataDir } = makeDataFolder(join(root, 'data')));
  folder = join(root, 'exports');
  mkdirSync(folder);
  exports = new Exports({
    dataDir: () => dataDir,
    locations: () => locationsIn(dataDir),
    events: new EventBus(log),
    clock: SYSTEM_CLOCK,
    log,
  });
});
afterEach(async () => {
  await exports.stop();
  removeFolder(root);
});

const begin = (change: Partial<ExportWish> = {}) =>
  exports.begin({ folder, format: 'ndjson', dialect: 'comma', from: null, to: null, ...change });
const faultOf = (change: Partial<ExportWish>) =>
  begin(change).then(
    () => 'none',
    ({ fault }: { fault: string }) => fault,
  );

it('begins in no folder that is missing, relative, a file, or anywhere in the data folder', async () => {
  mkdirSync(join(dataDir, 'inside', 'deeper'), { recursive: true });
  writeFileSync(join(root, 'a file'), '');
  const refused = [dataDir, join(dataDir, 'inside'), join(dataDir, 'inside/deeper'), join(folder, '../data/inside')];
  for (const each of [...refused, join(root, 'missing'), 'exports', join(root, 'a file')]) {
    expect([each, await faultOf({ folder: each })]).toEqual([each, 'no_folder']);
  }
  expect((await exports.view()).work).toBeNull();
  expect(readdirSync(join(dataDir, 'inside'))).toEqual(['deeper']);
});

it('copies of stores have no time span, as they would not keep to it', async () => {
  expect(await faultOf({ format: 'sqlite', from: 0 })).toBe('refused');
  expect(await faultOf({ format: 'sqlite', to: 0 })).toBe('refused');
  expect((await exports.view()).work).toBeNull();
});

it('one runs at a time, and is whole under its name, without those of before it', async () => {
  await begin();
  expect(await faultOf({})).toBe('busy');
  await expect.poll(async () => (await exports.view()).work).toBeNull();
  const { last } = await exports.view();
  expect(last).toMatchObject({ format: 'ndjson', readings: 20, problem: null });
  expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([last!.folder]);
  expect(readdirSync(last!.folder)).toHaveLength(last!.files);
});

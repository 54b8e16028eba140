import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { someAlert } from '../../../test/support/alert-notices.ts';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import { HISTORY_FILE } from '../alerts/state/history.ts';
import type { StateFolder } from './aside.ts';
import { DamagedFiles, openLineFile } from './damaged-files.ts';

const [ONE, TWO] = [crypto.randomUUID(), crypto.randomUUID()];

let folder: StateFolder;
beforeEach(() => {
  folder = { path: temporaryFolder(), log: pino({ enabled: false }), now: () => 1_790_000_000_000 };
});
afterEach(() => removeFolder(folder.path));

const idsOf = (file: { read(): readonly { readonly id: string }[] }) => file.read().map(({ id }) => id);

it('a damaged line of the history loses only that line; half a line at the end is no damage', async () => {
  const ids = [ONE, TWO, crypto.randomUUID()];
  const open = () => openLineFile(HISTORY_FILE, folder);
  await open().append(ids.map((id) => ({ ...someAlert(), id })));
  const path = join(folder.path, HISTORY_FILE.name);
  const lines = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, `${lines.with(2, lines[2]!.replace('"since"', '"sinse"')).join('\n')}\n{"id":"to`);
  const rest = [ONE, ids[2]];
  expect(idsOf(open())).toEqual(rest);
  expect(new DamagedFiles(folder).list()).toMatchObject([
    { file: HISTORY_FILE.name, lost: [{ part: 'lines', entry: '3' }] },
  ]);
  expect(idsOf(open())).toEqual(rest);
  writeFileSync(path, `${readFileSync(path, 'utf8')}\n{"id":"to`);
  expect(idsOf(open())).toEqual(rest);
  expect(new DamagedFiles(folder).list()).toHaveLength(1);
  expect(readdirSync(folder.path).filter((name) => name.includes('.damaged-'))).toHaveLength(1);
});

it('a history that is far too long is read from its end, and moved aside instead of copied', async () => {
  const open = () => openLineFile(HISTORY_FILE, folder);
  await open().append([{ ...someAlert(), id: ONE }]);
  const path = join(folder.path, HISTORY_FILE.name);
  // Invalid lines, one that is too long, and the original end.
  const end = `${'x'.repeat(100_000)}${readFileSync(path, 'utf8')}`;
  const filler = Buffer.alloc(33 * 1024 ** 2, '[]\n');
  writeFileSync(path, Buffer.concat([filler, Buffer.from(end)]));
  expect(idsOf(open())).toEqual([ONE]);
  const [aside] = readdirSync(folder.path).filter((name) => name.includes('.damaged-'));
  expect(statSync(join(folder.path, aside!)).size).toBe(filler.length + end.length);
  expect(statSync(path).size).toBeLessThan(5000);
  expect(new DamagedFiles(folder).list()[0]).toMatchObject({ file: HISTORY_FILE.name });
  expect(open().read()).toHaveLength(1);
});

it('a history of far too many lines is read from its end, too', () => {
  const path = join(folder.path, HISTORY_FILE.name);
  const good = (id: string) => JSON.stringify({ ...someAlert(), id });
  writeFileSync(path, [good(ONE), '{}\n'.repeat(1_000_000), good(TWO)].join('\n'));
  const open = () => openLineFile({ ...HISTORY_FILE, maxEntries: 10 }, folder);
  for (let reads = 0; reads < 2; reads += 1) expect(open().read()).toMatchObject([{ id: TWO }]);
  expect(new DamagedFiles(folder).list()).toMatchObject([{ file: HISTORY_FILE.name, lost: [{ entry: null }] }]);
});

it('only as many alerts of a history are read as are kept', async () => {
  const open = () => openLineFile({ ...HISTORY_FILE, maxEntries: 3 }, folder);
  const ids = Array.from({ length: 8 }, () => crypto.randomUUID());
  await open().append(ids.map((id) => ({ ...someAlert(), id })));
  expect(idsOf(open())).toEqual(ids.slice(-3));
});

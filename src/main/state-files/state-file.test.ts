import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import type { StateFolder } from './aside.ts';
import { DamagedFiles, openStateFile } from './damaged-files.ts';

const schema = z.object({
  version: z.literal(1),
  list: z.array(z.strictObject({ id: z.string(), at: z.int().min(0) })),
});
const KIND = { name: 'some.json', schema, empty: { version: 1 as const, list: [] } };
const listOf = (...ids: string[]) => ({ version: 1 as const, list: ids.map((id, at) => ({ id, at })) });
const NOW = Date.UTC(2026, 10, 23, 8, 30, 15, 120);

let folder: StateFolder;
let logged: string[];
let path: string;
beforeEach(() => {
  logged = [];
  const log = pino({ level: 'info' }, { write: (line: string) => logged.push(line) });
  folder = { path: temporaryFolder(), log, now: () => NOW };
  path = join(folder.path, KIND.name);
});
afterEach(() => removeFolder(folder.path));

const open = (copy?: 'same') => openStateFile({ ...KIND, ...(copy && { copy }) }, folder);
const damaged = () => new DamagedFiles(folder).list();
const put = (content: unknown) => writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
const names = () => readdirSync(folder.path).sort();

describe('a missing file', () => {
  it('is restored to the state before its latest change, and the owner is notified', async () => {
    await open().write(() => listOf('a'));
    await open().write(() => listOf('a', 'b'));
    rmSync(path);
    expect(open().read()).toEqual(listOf('a'));
    expect(damaged()).toMatchObject([{ file: 'some.json', whole: 'absent', copy: null }]);
    expect(open().read()).toEqual(listOf('a'));
    expect(damaged()).toHaveLength(1);
  });

  it('that never existed is empty', () => {
    expect(open().read()).toBeNull();
    expect(damaged()).toEqual([]);
  });
});

it('a damaged entry is restored from the previous copy, and the owner is notified', async () => {
  await open().write(() => listOf('a', 'b'));
  await open().write(() => listOf('a', 'b', 'c'));
  put({
    version: 1,
    list: [
      { id: 'a', at: 'x' },
      { id: 'b', at: 1 },
      { id: 'c', at: 'y' },
    ],
  });
  expect(open().read()).toEqual({
    version: 1,
    list: [
      { id: 'a', at: 0 },
      { id: 'b', at: 1 },
    ],
  });
  expect(damaged()).toMatchObject([
    { whole: null, lost: [{ part: 'list', entry: 'c' }], restored: [{ part: 'list', entry: 'a' }] },
  ]);
});

it('a byte order mark before the content is no damage', () => {
  writeFileSync(path, `\ufeff${JSON.stringify(listOf('a'))}`);
  expect(open().read()).toEqual(listOf('a'));
  expect(damaged()).toEqual([]);
});

it.each(['little', 'big'])('UTF-16, as PowerShell writes it, is no damage: %s endian', (order) => {
  const text = `${String.fromCharCode(0xfeff)}${JSON.stringify(listOf('ação 🌱'))}`;
  const bytes = Buffer.from(text, 'utf16le');
  writeFileSync(path, order === 'big' ? bytes.swap16() : bytes);
  expect(open().read()).toEqual(listOf('ação 🌱'));
  expect(damaged()).toEqual([]);
});

describe('written content', () => {
  it('is read by the next instance, and the previous content is kept', async () => {
    expect(open().read()).toBeNull();
    await open().write(() => listOf('a'));
    expect(open().read()).toEqual(listOf('a'));
    open().writeSync(listOf('b'));
    expect(open().read()).toEqual(listOf('b'));
    expect(JSON.parse(readFileSync(`${path}.previous`, 'utf8'))).toEqual(listOf('a'));
    expect(names()).toEqual(['some.json', 'some.json.previous']);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(damaged()).toEqual([]);
  });

  it('comes back in any case, and the log names repaired values', async () => {
    const odd = [0.5, -1, 2 ** 60, Number.NaN, 7].map((at, n) => ({ id: `${n}`, at }));
    await open().write(() => ({ version: 1, list: odd }));
    expect(
      open()
        .read()
        ?.list.map(({ id }) => id),
    ).toEqual(['0', '1', '2', '4']);
    expect(damaged()).toEqual([]);
    expect(logged.join()).toContain('defect: some.json would be written with values out of range');
  });

  it('goes to the target of a link, and the link stays', async () => {
    const target = join(folder.path, 'elsewhere');
    writeFileSync(target, JSON.stringify(listOf('a')));
    symlinkSync(target, path);
    await open().write(() => listOf('b'));
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual(listOf('b'));
    expect(open().read()).toEqual(listOf('b'));
  });
});

describe('a damaged entry', () => {
  beforeEach(() => put({ version: 1, list: [{ id: 'a', at: 'x' }, ...listOf('b').list] }));

  it('loses that entry once, and is reported until the owner dismisses it', () => {
    expect(open().read()).toEqual(listOf('b'));
    expect(open().read()).toEqual(listOf('b'));
    const copy = `${path}.damaged-20261123T083015.120Z`;
    expect(damaged()).toMatchObject([
      { file: 'some.json', at: NOW, copy, whole: null, lost: [{ part: 'list', entry: 'a' }] },
    ]);
    expect(readFileSync(copy, 'utf8')).toContain('"at":"x"');
    const { id } = damaged()[0]!;
    new DamagedFiles(folder).dismiss(crypto.randomUUID());
    expect(damaged()).toHaveLength(1);
    new DamagedFiles(folder).dismiss(id);
    expect(damaged()).toEqual([]);
  });

  it('has no side effects in peek()', () => {
    expect(open().peek()).toEqual(listOf('b'));
    expect(names()).toEqual(['some.json']);
  });
});

describe('a file that is entirely unreadable', () => {
  it.each([
    ['empty', ''],
    ['half', '{"version":1,"li'],
    ['of a later version', { ...listOf('c'), version: 2 }],
  ])('%s: the copy before it is used', async (_name, content) => {
    await open().write(() => listOf('a'));
    await open().write(() => listOf('b'));
    put(content);
    expect(open().read()).toEqual(listOf('a'));
    expect(damaged()).toMatchObject([{ file: 'some.json', whole: 'previous', lost: [] }]);
    expect(open().read()).toEqual(listOf('a'));
    expect(damaged()).toHaveLength(1);
  });

  it('is removed if it has no previous copy, and the owner is notified', () => {
    put('{');
    expect(open().read()).toBeNull();
    expect(damaged()).toMatchObject([{ whole: 'nothing' }]);
    expect(existsSync(path)).toBe(false);
  });

  it('restores no deleted entries from the copy if they must not come back', async () => {
    await open('same').write(() => listOf('a', 'b'));
    await open('same').write(() => listOf('a'));
    put('');
    expect(open('same').read()).toEqual(listOf('a'));
  });

  it('is handled alike for the list of damaged files', () => {
    writeFileSync(join(folder.path, 'damaged-files.json'), '?');
    put('{');
    open().read();
    expect(damaged().map(({ file }) => file)).toEqual(['some.json', 'damaged-files.json']);
  });
});

describe.skipIf(process.platform === 'win32')('anything but a regular file is refused:', () => {
  it.each<[string, () => unknown]>([
    ['a pipe', () => execFileSync('mkfifo', [path])],
    ['a folder', () => mkdirSync(path)],
    ['a device', () => symlinkSync('/dev/zero', path)],
    ['a link that leads to itself', () => symlinkSync(path, path)],
    ['a socket', () => new Promise<void>((done) => createServer().listen(path, done).unref())],
  ])('%s', async (kind, make) => {
    await make();
    expect(() => open().read()).toThrow(`${path} is ${kind}, not a regular file`);
    expect(open().peek()).toBeNull();
    rmSync(path, { recursive: true });
  });
});

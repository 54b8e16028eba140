import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readTime } from '../../src/main/command-line/times.ts';
import { makeDataFolder } from '../support/care.ts';
import { isolatedHome } from '../support/isolated-home.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';
import { answerOf, backUp, commandEntry, wellhouse } from '../support/wellhouse.ts';

let root: string;
const dataDir = () => join(root, 'data');
beforeEach(() => {
  root = temporaryFolder();
  makeDataFolder(dataDir());
});
afterEach(() => removeFolder(root));

const NONE = '11111111-1111-4111-8111-111111111111';

test.each([
  [['check', '/nowhere/file'], 6, 'there is no file /nowhere/file'],
  [['restore', '/nowhere/file', '--replace'], 6, 'there is no file /nowhere/file'],
  [['--json', '--table', 'status'], 2, 'cannot be used with'],
  [['help', 'foo'], 2, "there is no command 'foo'"],
  [['foo'], 2, "unknown command 'foo'"],
  [['readings', '0101', '--since', '2026-02-30'], 2, '2026-02-30 is not a time'],
  [['export', '/tmp/nothing', '--until', '2026-13-01'], 2, '2026-13-01 is not a time'],
  [['identity', '--backup-key'], 4, "The owner's phrase is needed, but there is no terminal to ask for it"],
  [['backup', '--to', '/nowhere', '--passphrase'], 4, 'Passphrase for the backup is needed'],
] as const)('%j ends with %d', async (args, code, said) => {
  const ended = await wellhouse(dataDir(), args);
  expect(ended.stderr).toContain(said);
  expect(ended.code).toBe(code);
  expect(ended.stdout).toBe('');
});

const TOLD = [
  [['check', '/nowhere/file'], 6, 'no_file'],
  [['foo'], 2, 'usage'],
  [['status', '--nothing'], 2, 'usage'],
  [['readings'], 2, 'usage'],
  [['help', 'foo'], 2, 'usage'],
  [['readings', 'Nobody'], 2, 'no_device'],
  [['readings', ''], 2, 'usage'],
  [['readings', 'x', '--limit', '0'], 2, 'usage'],
  [['readings', 'x', '--since', '1h', '--until', '2h'], 2, 'usage'],
  [['export', 'x', '--since', '1h', '--until', '2h'], 2, 'usage'],
  [['pair', 'Phone'], 6, 'no_node'],
  [['link'], 6, 'no_node'],
] as const;
test.each(TOLD)('%j --json prints its error as one object, code %d', async (args, exit, code) => {
  const ended = await wellhouse(dataDir(), ['--json', ...args]);
  expect(JSON.parse(ended.stderr)).toEqual({
    error: expect.any(String),
    code,
    exit,
    hint: expect.toBeOneOf([null, expect.any(String)]),
  });
  expect([ended.code, ended.stdout]).toEqual([exit, '']);
});

test('an export into the data folder is refused, also through a link and before the folder exists', async () => {
  symlinkSync(dataDir(), join(root, 'link'));
  for (const folder of [dataDir(), join(dataDir(), 'new'), join(root, 'link', 'new')]) {
    const { code, stderr } = await wellhouse(dataDir(), ['export', folder]);
    expect([code, stderr]).toEqual([6, expect.stringContaining('is in the data folder')]);
  }
  expect(readdirSync(dataDir())).not.toContain('new');
});

test.skipIf(process.platform !== 'linux')('data of another user is refused with its owner and a remedy', () => {
  const isRoot = process.getuid?.() === 0;
  // The user of the command can reach the data folder.
  chmodSync(root, 0o755);
  chmodSync(dataDir(), isRoot ? 0o700 : 0);
  const env = { ...isolatedHome(root), DATA_DIR: dataDir() };
  for (const command of ['status', 'devices', 'link', 'identity', 'verify']) {
    const { status, stderr } = spawnSync(process.execPath, [commandEntry(), '--json', command], {
      ...{ env, cwd: '/', encoding: 'utf8' },
      ...(isRoot ? { uid: 65_534 } : {}),
    });
    expect([status, JSON.parse(stderr)], command).toEqual([
      4,
      {
        error: expect.stringContaining(`${dataDir()} ${isRoot ? 'belongs to root' : "can't be used"}`),
        ...{ code: 'no_access', exit: 4, hint: expect.stringMatching(isRoot ? /sudo -u root/ : /chmod u\+rwX/) },
      },
    ]);
  }
  chmodSync(dataDir(), 0o700);
});

test.skipIf(process.platform !== 'linux')('a full disk below stdout ends a command with one line', () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [commandEntry(), 'status'], {
    env: { ...isolatedHome(root), DATA_DIR: dataDir() },
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);
  expect([status, stderr]).toEqual([6, "wellhouse: the answer can't be written (ENOSPC)\n"]);
});

test('each command has its own help', async () => {
  const { code, stdout } = await wellhouse(dataDir(), ['help', 'restore']);
  expect(code).toBe(0);
  expect(stdout).toContain('--undo');
});

test.each([
  '2026-02-28',
  '2024-02-29',
  '2026-05-01T12:00',
  '2026-05-01 12:00:30Z',
  '2026-05-01T12:00:30.5+02:00',
  '3d',
])('%s is a time', (text) => {
  expect(readTime(text, Date.UTC(2026, 6, 1))).toBeGreaterThan(Date.UTC(2024, 0, 1));
});

test.each(['2026-02-29', '2026-00-10', '2026-04-31T10:00', '2026-05-01T25:00', 'foo 1', '1', '01/02/2026'])(
  '%s is not a time',
  (text) => {
    expect(() => readTime(text, Date.UTC(2026, 6, 1))).toThrow('is not a time');
  },
);

test('a month and two months have their plurals', async () => {
  const { stdout } = await wellhouse(dataDir(), ['--table', 'retention', '--private', '1', '--public', '2']);
  expect(stdout).toMatch(/private store +1 month\n/);
  expect(stdout).toMatch(/public store +2 months\n/);
});

test('a mark of a folder left by a kill is removed by the next backup', async () => {
  const folder = join(root, 'backups');
  mkdirSync(folder);
  await backUp(dataDir(), ['--to', folder, '--plain']);
  writeFileSync(join(folder, `wellhouse-backups.json.${NONE}.new`), '');
  await answerOf(dataDir(), ['backup', '--to', folder, '--plain']);
  expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([]);
});

test('a restored copy backs up to its original’s folder only after --take-place, and status reports it', async () => {
  const folder = join(root, 'planned');
  mkdirSync(folder);
  const env = { BACKUP_DIR: folder };
  expect((await wellhouse(dataDir(), ['backup', '--plain'], { env })).code).toBe(0);
  const [first] = readdirSync(folder).filter((name) => name.endsWith('.tar.zst'));
  const copy = join(root, 'copy');
  await answerOf(copy, ['restore', join(folder, first!)]);
  const refused = await wellhouse(copy, ['backup', '--plain'], { env });
  expect([refused.code, refused.stderr]).toEqual([6, expect.stringContaining('--take-place')]);
  expect(readdirSync(folder).filter((name) => name.endsWith('.tar.zst'))).toEqual([first]);
  const status = JSON.parse((await wellhouse(copy, ['status'], { env })).stdout) as { backup: object };
  expect(status.backup).toMatchObject({ last: null, problem: { fault: 'other_node' }, onDataDisk: true });
  const other = await wellhouse(copy, ['backup', '--take-place', '--to', root, '--plain'], { env });
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('the folder of the settings')]);

  const taken = await wellhouse(copy, ['backup', '--take-place', '--plain'], { env });
  expect([taken.code, taken.stderr]).toEqual([0, expect.stringContaining('from now on')]);
  expect(taken.stderr).toContain("on the data's own disk");
  expect((await wellhouse(dataDir(), ['backup', '--plain'], { env })).code).toBe(6);
});

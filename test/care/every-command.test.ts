import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXIT } from '../../src/main/command-line/exit-codes.ts';
import { makeDataFolder } from '../support/care.ts';
import { isolatedHome } from '../support/isolated-home.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';
import { THOROUGH } from '../support/thorough.ts';
import { commandEntry, wellhouse } from '../support/wellhouse.ts';

// What holds for each command, so that a new one holds it, too.

let root: string;
const dataDir = () => join(root, 'data');
beforeAll(() => {
  root = temporaryFolder();
  makeDataFolder(dataDir());
});
afterAll(() => removeFolder(root));

/** Each command with what it takes, and how it ends in a folder without a node. */
const COMMANDS: Readonly<Record<string, { readonly args: readonly string[]; readonly withoutNode: number }>> = {
  status: { args: [], withoutNode: EXIT.place },
  devices: { args: [], withoutNode: EXIT.place },
  readings: { args: ['01'], withoutNode: EXIT.place },
  log: { args: ['list', '--farmos'], withoutNode: EXIT.place },
  tasks: { args: ['list'], withoutNode: EXIT.place },
  summary: { args: [], withoutNode: EXIT.place },
  backup: { args: ['--plain', '--to', '/no/such/folder'], withoutNode: EXIT.place },
  check: { args: ['/no/such/file'], withoutNode: EXIT.place },
  restore: { args: ['/no/such/file'], withoutNode: EXIT.place },
  confirm: { args: [], withoutNode: EXIT.place },
  verify: { args: [], withoutNode: EXIT.place },
  proof: { args: ['01', '-o', '/no/such/folder/file'], withoutNode: EXIT.place },
  export: { args: ['/no/such/folder'], withoutNode: EXIT.place },
  import: { args: ['/no/such/folder'], withoutNode: EXIT.place },
  'move-public-store': { args: ['--to', 'file'], withoutNode: EXIT.place },
  forget: { args: ['01'.repeat(32)], withoutNode: EXIT.place },
  block: { args: [], withoutNode: EXIT.place },
  retention: { args: [], withoutNode: EXIT.place },
  audit: { args: [], withoutNode: EXIT.place },
  rollback: { args: [], withoutNode: EXIT.place },
  link: { args: [], withoutNode: EXIT.place },
  pair: { args: ['Phone'], withoutNode: EXIT.place },
  identity: { args: [], withoutNode: EXIT.place },
  completion: { args: ['bash'], withoutNode: EXIT.done },
  help: { args: [], withoutNode: EXIT.done },
};
const names = Object.keys(COMMANDS);

test('the list has every command', async () => {
  const { stdout } = await wellhouse(dataDir(), ['--help']);
  const listed = [...stdout.slice(stdout.indexOf('Commands:')).matchAll(/^ {2}([a-z-]+)[ \n]/gm)].map(
    ([, name]) => name,
  );
  expect(listed.toSorted()).toEqual(names.toSorted());
  const docs = readFileSync(new URL('../../docs/command-line.md', import.meta.url), 'utf8');
  for (const name of names.filter((each) => each !== 'help')) expect(docs).toMatch(new RegExp(`^\\|.*\`${name}`, 'm'));
});

// `export` creates its folder, as root anywhere on the machine: each command gets a path of its own in the test's folder.
const argsOf = (name: string) =>
  COMMANDS[name]!.args.map((each) => each.replace('/no/such', join(root, 'missing', name)));
/** The first print a table, a script, a long text and rules. The long run takes every command: each starts a process. */
const WITHOUT_ROOM = THOROUGH > 1 ? names : ['status', 'completion', 'help', 'retention'];

describe.each(names)('%s', (name) => {
  const { withoutNode } = COMMANDS[name]!;
  const args = () => argsOf(name);

  test('reports a wrong option as an object with --json, else as a line', async () => {
    const object = await wellhouse(dataDir(), ['--json', name, ...args(), '--nothing']);
    expect([object.code, object.stdout]).toEqual([EXIT.usage, '']);
    expect(JSON.parse(object.stderr)).toMatchObject({ code: 'usage', exit: EXIT.usage });
    const line = await wellhouse(dataDir(), [name, ...args(), '--nothing']);
    expect([line.code, line.stdout]).toEqual([EXIT.usage, '']);
    expect(line.stderr).toMatch(/^wellhouse: /);
  });

  test('ends as documented without a node', async () => {
    const ended = await wellhouse(join(root, 'none'), ['--json', name, ...args()]);
    expect(ended.code, ended.stderr).toBe(withoutNode);
    if (withoutNode === EXIT.done) return;
    // No note before it: what is refused needs no warning.
    expect(JSON.parse(ended.stderr)).toMatchObject({ error: expect.any(String), exit: withoutNode });
  });
});

test.skipIf(process.platform !== 'linux').each(WITHOUT_ROOM)(
  '%s prints no stack trace where its output has no room',
  (name) => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [commandEntry(), name, ...argsOf(name)], {
      env: { ...isolatedHome(root), DATA_DIR: dataDir() },
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    expect(stderr).toMatch(/^wellhouse: [^\n]+\n$/);
    expect(stderr).not.toMatch(/^ +at /m);
    expect(Object.values<number | null>(EXIT)).toContain(status);
    expect(status).not.toBe(EXIT.done);
  },
);

import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accept, handWritten, readingsOf, registeredDevice } from '../support/client.ts';
import { desktopFolderIn, isolatedHome } from '../support/isolated-home.ts';
import {
  ENDPOINTS,
  type NodeExit,
  removeFolder,
  runToEnd,
  startNode,
  temporaryFolder,
} from '../support/node-process.ts';
import { storePath } from '../support/store-file.ts';

/** The phrase of BIP-39's own test vectors, and the public key of its standard derivation. */
const KNOWN_PHRASE = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
const KNOWN_KEY = 'c5785e1865b708938aff8161d573006496663b1aa10834e396dc566869a2c66a';

/** A folder that a node has left, to be copied, and the key of that node. */
const left = temporaryFolder();
let leftKey: string;
let folder: string;
let dataDir: string;
const identity = () => join(dataDir, 'identity.mnemonic');

beforeAll(async () => {
  const node = await startNode({ dataDir: left });
  leftKey = node.started.publicKey;
  await node.stop();
});
afterAll(() => removeFolder(left));
beforeEach(() => {
  folder = temporaryFolder();
  dataDir = join(folder, 'deep', 'data');
});
afterEach(() => removeFolder(folder));

/** Makes the folder as a node has left it. */
function copyLeft(): void {
  cpSync(left, dataDir, { recursive: true });
}

/** Starts a node on the folder and stops it again; returns its public key. */
async function startAndStop(): Promise<string> {
  const node = await startNode({ dataDir });
  expect((await node.stop()).code).toBe(0);
  return node.started.publicKey;
}

function expectRefused(exit: NodeExit, ...texts: string[]): void {
  expect(exit.code, exit.stdout).toBe(1);
  expect(exit.stderr).toMatch(/^wellhouse: [^\n]+\n$/);
  for (const text of texts) expect(exit.stderr).toContain(text);
  expect(exit.stdout).not.toContain('node started');
}

/** The content of every file of the folder, as hashes, except the lock. */
function contents(): Record<string, string> {
  return Object.fromEntries(
    readdirSync(dataDir)
      .filter((name) => !name.includes('lock'))
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(dataDir, name)))
          .digest('hex'),
      ]),
  );
}

describe.skipIf(process.platform === 'win32')('modes', () => {
  test('the folder is 0700 and every file in it 0600, whatever the umask', async () => {
    const before = process.umask(0o022);
    try {
      const node = await startNode({ dataDir });
      for (const endpoint of ENDPOINTS) {
        const device = await registeredDevice(node.url(endpoint));
        await accept(node.url(endpoint), handWritten(device));
      }
      expect((statSync(dataDir).mode & 0o777).toString(8)).toBe('700');
      const names = readdirSync(dataDir);
      expect(names).toEqual(expect.arrayContaining(['identity.mnemonic', 'public.db', 'private.db', 'private.db-wal']));
      for (const name of names)
        expect(`${name} ${(statSync(join(dataDir, name)).mode & 0o777).toString(8)}`).toBe(`${name} 600`);
      await node.stop();
    } finally {
      process.umask(before);
    }
  });
});

describe('the identity file', () => {
  test('is created once, as one line with a phrase, and stays', async () => {
    const key = await startAndStop();
    const text = readFileSync(identity(), 'utf8');
    expect(text).toMatch(/^[a-z]+( [a-z]+){11,23}\n$/);
    expect(await startAndStop()).toBe(key);
    expect(readFileSync(identity(), 'utf8')).toBe(text);
  });

  test('differs for each new folder', async () => {
    const first = await startAndStop();
    dataDir = join(folder, 'other');
    expect(await startAndStop()).not.toBe(first);
  });

  test.each([`${KNOWN_PHRASE}\n`, KNOWN_PHRASE])('can be provided: %o', async (text) => {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(identity(), text, { mode: 0o600 });
    expect(await startAndStop()).toBe(KNOWN_KEY);
    expect(readFileSync(identity(), 'utf8')).toBe(text);
  });

  test.each([
    ['both stores', []],
    ['the public store', ['private.db']],
    ['the private store', ['public.db']],
  ])('if it is missing beside %s, stops the start and is not created again', async (_what, alsoMissing) => {
    copyLeft();
    for (const name of ['identity.mnemonic', ...alsoMissing]) rmSync(join(dataDir, name));
    const before = contents();
    expectRefused(await runToEnd({ dataDir }), 'identity.mnemonic');
    expect(contents()).toEqual(before);
  });

  test.each([
    ['empty', ''],
    ['a bare line', '\n'],
    ['not words', 'this is no phrase of the list at all but twelve words'],
    ['too short', 'abandon abandon about'],
    ['with a wrong checksum', 'abandon '.repeat(12).trim()],
    ['bytes', '\u0000\u0001\u0002'],
  ])('that is %s stops the start and is not replaced', async (_what, text) => {
    for (const besideStore of [true, false]) {
      if (besideStore) copyLeft();
      else {
        removeFolder(dataDir);
        mkdirSync(dataDir, { recursive: true });
      }
      writeFileSync(identity(), text);
      const exit = await runToEnd({ dataDir });
      expectRefused(exit, 'identity.mnemonic');
      expect(readFileSync(identity(), 'utf8')).toBe(text);
      if (text.trim() !== '') expect(exit.stderr + exit.stdout).not.toContain(text.trim());
    }
  });
});

describe.each(ENDPOINTS)('the store of the %s endpoint', (endpoint) => {
  const path = () => storePath(dataDir, endpoint);

  function setVersion(version: number): void {
    const db = new Database(path());
    db.pragma('journal_mode = DELETE');
    db.pragma(`user_version = ${version}`);
    db.close();
  }

  test('from a newer version is refused and not touched', async () => {
    copyLeft();
    const db = new Database(path(), { readonly: true });
    const version = db.pragma('user_version', { simple: true }) as number;
    db.close();
    expect(version).toBeGreaterThan(0);
    setVersion(version + 1);
    const before = contents();
    expectRefused(await runToEnd({ dataDir }), path());
    expect(contents()).toEqual(before);

    setVersion(version);
    expect(await startAndStop()).toBe(leftKey);
  });

  test.each([
    ['empty', ''],
    ['another kind of file', 'not a database '.repeat(1000)],
  ])('that is %s is refused and not touched', async (_what, text) => {
    copyLeft();
    writeFileSync(path(), text);
    const before = contents();
    expectRefused(await runToEnd({ dataDir }), path());
    expect(contents()).toEqual(before);
  });

  test('copied with the identity into another folder is the same node', async () => {
    const node = await startNode({ dataDir });
    const device = await registeredDevice(node.url(endpoint));
    await accept(node.url(endpoint), handWritten(device));
    await node.stop();
    const other = join(folder, 'other');
    mkdirSync(other);
    for (const name of ['identity.mnemonic', 'public.db', 'private.db']) {
      copyFileSync(join(dataDir, name), join(other, name));
    }
    dataDir = other;
    const again = await startNode({ dataDir });
    expect(again.started.publicKey).toBe(node.started.publicKey);
    expect(await readingsOf(again.url(endpoint), device.id)).toHaveLength(1);
    await again.stop();
  });
});

test('a missing data folder of the desktop app’s settings stops the start', async () => {
  const missing = join(folder, 'disk', 'data');
  const own = desktopFolderIn(join(folder, 'config'));
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'settings.json'), JSON.stringify({ dataDir: missing }));
  const env = { ...isolatedHome(join(folder, 'config')), DATA_DIR: '' };
  expectRefused(await runToEnd({ args: ['--desktop'], env }), missing, 'settings.json', 'connect its disk', 'DATA_DIR');
  expect(readdirSync(own)).toEqual(['settings.json']);
  expect(readdirSync(folder)).not.toContain('disk');
});

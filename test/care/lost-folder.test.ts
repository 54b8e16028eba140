import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Ledger } from '../durability/ledger.ts';
import { blockOf } from '../durability/load.ts';
import { OWNER_PHRASE } from '../support/care.ts';
import { accept, postBlocks, registeredDevice } from '../support/client.ts';
import { type RunningNode, removeFolder, startNode, temporaryFolder } from '../support/node-process.ts';
import { hasProgram } from '../support/programs.ts';
import { storePath } from '../support/store-file.ts';
import { answerOf, backUp, wellhouse } from '../support/wellhouse.ts';

let root: string;
let node: RunningNode | null = null;
const dataDir = () => join(root, 'data');
const backups = () => join(root, 'backups');
const start = async () => {
  node = await startNode({ dataDir: dataDir(), args: ['--ui'] });
  return node;
};
beforeEach(() => {
  root = temporaryFolder();
  mkdirSync(backups());
});
afterEach(async () => {
  await node?.dispose();
  node = null;
  removeFolder(root);
});

/** The flags of a file with a phrase. From standard input, a command needs a process of its own. */
function withPhrase(phrase = OWNER_PHRASE): string[] {
  const path = join(root, 'phrase');
  writeFileSync(path, phrase, { mode: 0o600 });
  return ['--phrase-file', path];
}

/** A node with readings in both stores, and what it confirmed. */
async function grownNode() {
  const running = await start();
  const ledgers = { local: new Ledger(), public: new Ledger() };
  for (const endpoint of ['local', 'public'] as const) {
    const device = await registeredDevice(running.url(endpoint));
    const blocks = Array.from({ length: 100 }, (_, index) => blockOf(device, index + 1));
    await postBlocks(running.url(endpoint), blocks);
    for (let seq = 1; seq <= 100; seq += 1) ledgers[endpoint].confirmReading(device.id, seq);
  }
  return { running, ledgers };
}

describe('a lost data folder', () => {
  test('is restored from a backup of the running node, without duplicates', async () => {
    const { running, ledgers } = await grownNode();
    const { publicKey } = running.started;
    const device = await registeredDevice(running.url('local'));
    let [seq, isDone] = [1, false];
    const posting = (async () => {
      while (!isDone) {
        await accept(running.url('local'), blockOf(device, seq));
        seq += 1;
      }
    })();
    const made = await answerOf(dataDir(), ['backup', '--to', backups(), '--phrase-file', '-'], OWNER_PHRASE);
    isDone = true;
    await posting;
    expect(made).toMatchObject({ encryption: 'recipient', manifest: { node: { publicKey } } });
    await node!.stop();
    rmSync(dataDir(), { recursive: true });

    const path = join(backups(), readdirSync(backups()).find((name) => name.endsWith('.age'))!);
    const restored = await wellhouse(dataDir(), ['restore', path, '--phrase-file', '-'], { input: OWNER_PHRASE });
    expect(restored.code, restored.stderr).toBe(0);
    expect(restored.stderr).toContain('two nodes with one identity must not run');
    const again = await start();
    expect(again.started.publicKey).toBe(publicKey);
    for (const endpoint of ['local', 'public'] as const) {
      expect(ledgers[endpoint].compareWith(storePath(dataDir(), endpoint))).toEqual([]);
    }
    // The device sends again what it was confirmed: the restored node has some of it.
    const all = new Ledger();
    for (let first = 1; first < seq; first += 100) {
      const blocks = Array.from({ length: Math.min(100, seq - first) }, (_, index) => blockOf(device, first + index));
      expect(await postBlocks(again.url('local'), blocks)).toMatchObject({ accepted: blocks.length, errors: [] });
    }
    for (let each = 1; each < seq; each += 1) all.confirmReading(device.id, each);
    expect(all.compareWith(storePath(dataDir(), 'local'))).toEqual([]);
  });

  test('is checked without changes, and refused for another phrase', async () => {
    await grownNode();
    await answerOf(dataDir(), ['backup', '--to', backups(), ...withPhrase()]);
    const path = join(backups(), readdirSync(backups()).find((name) => name.endsWith('.age'))!);
    const before = readdirSync(dataDir()).sort();
    const checked = await answerOf(dataDir(), ['check', path, ...withPhrase()]);
    expect(checked).toMatchObject({
      isOlder: false,
      manifest: { stores: { private: { readings: 100 }, public: { readings: 100 } } },
    });
    expect(readdirSync(dataDir()).sort()).toEqual(before);

    const other = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
    const refused = await wellhouse(dataDir(), ['check', path, ...withPhrase(other)]);
    expect(refused).toMatchObject({ code: 4 });
    expect(refused.stderr).toContain("it was made for another owner's phrase");
    expect((await wellhouse(dataDir(), ['check', path])).code).toBe(4);
    expect(
      (await wellhouse(dataDir(), ['restore', path, '--replace', '--phrase-file', '-'], { input: OWNER_PHRASE })).code,
    ).toBe(5);
  });
});

describe.skipIf(!hasProgram('age') || !hasProgram('zstd'))(
  'the programs of the system (skipped without age and zstd)',
  () => {
    test('other tools open a backup', async () => {
      await grownNode();
      const made = await backUp(dataDir(), ['--to', backups(), ...withPhrase()]);
      const key = await wellhouse(dataDir(), ['--table', 'identity', '--backup-key', ...withPhrase()]);
      writeFileSync(join(root, 'key.txt'), key.stdout, { mode: 0o600 });
      const out = join(root, 'opened');
      mkdirSync(out);
      execFileSync('sh', [
        '-c',
        'age -d -i "$1" "$2" | zstd -dc | tar x -C "$3"',
        'sh',
        join(root, 'key.txt'),
        made,
        out,
      ]);
      expect(readFileSync(join(out, 'identity.mnemonic'), 'utf8')).toBe(
        readFileSync(join(dataDir(), 'identity.mnemonic'), 'utf8'),
      );
      expect(existsSync(join(out, 'private.db'))).toBe(true);
      expect(
        execFileSync('sh', [
          '-c',
          'age -d -i "$1" "$2" | zstd -dc | tar t',
          'sh',
          join(root, 'key.txt'),
          made,
        ]).toString(),
      ).toContain('manifest.json');
    });
  },
);

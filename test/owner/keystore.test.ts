import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createKeystore, openKeystore, saveContents } from '../../src/shared/crypto/keystore/keystore.ts';
import { emptyContents } from '../../src/shared/crypto/keystore/keystore-contents.ts';
import { encodeFile } from '../../src/shared/crypto/keystore/keystore-format.ts';
import { MAX_KEYSTORE_BYTES } from '../../src/shared/crypto/keystore/keystore-limits.ts';
import { type RunningNode, removeFolder, startNode, temporaryFolder } from '../support/node-process.ts';
import { call, failure, sendCall } from '../support/owner-client.ts';

const FILE = 'keystore.wellhouse';
const PASSPHRASE = 'a well in the orchard';
const made = await createKeystore(PASSPHRASE, emptyContents(), { cost: { n: 2 ** 15, r: 8, p: 1 } });
/** Keystores of the same keys, each of other bytes. */
const [one, two, three] = [made.bytes, ...[1, 2].map(() => saveContents(made.keystore, emptyContents()).bytes)];
const base64 = (bytes: Uint8Array | undefined) => Buffer.from(bytes!).toString('base64');
/** The file that a later Wellhouse would write. */
const newer = encodeFile(Buffer.from('WELLHKEYS\0\x02', 'latin1'), Buffer.from('in a layout of its own'));

let dataDir: string;
let node: RunningNode;
beforeAll(async () => {
  dataDir = temporaryFolder();
  node = await startNode({ dataDir, args: ['--ui'] });
});
// The node keeps nothing of the file in memory.
afterEach(() => {
  for (const name of files()) rmSync(join(dataDir, name), { recursive: true });
});
afterAll(async () => {
  await node.dispose();
  removeFolder(dataDir);
});

const path = (suffix = '') => join(dataDir, `${FILE}${suffix}`);
const files = () =>
  readdirSync(dataDir)
    .filter((name) => name.startsWith(FILE))
    .sort();
const read = () => call(node, 'readKeystore', {});
const inputOf = (
  bytes: Uint8Array | undefined,
  expectedRevision: string | null,
  replaceDamaged = false,
  keepReplaced = false,
) => {
  return { blob: base64(bytes), expectedRevision, replaceDamaged, keepReplaced };
};
/** The files of the folder that were put aside under such names. */
const aside = (kind: string) => files().filter((name) => name.startsWith(`${FILE}.${kind}-`));
const contentOf = (name: string | undefined) => readFileSync(join(dataDir, name!));
const write = async (...parts: Parameters<typeof inputOf>) =>
  (await call(node, 'writeKeystore', inputOf(...parts))).revision;
const refusal = (...parts: Parameters<typeof inputOf>) => failure(node, 'writeKeystore', inputOf(...parts));
const conflict = (details: string) => [409, { ok: false, error: 'conflict', details }];

describe('the keystore file', () => {
  it('is missing at first, then has the written bytes, only for the owner', async () => {
    expect(await read()).toEqual({ blob: null, previous: null, revision: null });
    const revision = await write(one, null);
    expect(await read()).toEqual({ blob: base64(one), previous: null, revision });
    expect(readFileSync(path())).toEqual(Buffer.from(one!));
    if (process.platform !== 'win32') expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(files()).toEqual([FILE]);
  });

  it('keeps the previous file, only for the owner too', async () => {
    const revision = await write(three, await write(two, await write(one, null)));
    expect(await read()).toEqual({ blob: base64(three), previous: base64(two), revision });
    expect(files()).toEqual([FILE, `${FILE}.previous`]);
    if (process.platform !== 'win32') expect(statSync(path('.previous')).mode & 0o777).toBe(0o600);
  });

  it('survives the node, and still opens', async () => {
    const revision = await write(one, null);
    await node.stop();
    node = await startNode({ dataDir, args: ['--ui'] });
    const kept = await read();
    expect(kept.revision).toBe(revision);
    expect(await openKeystore(Buffer.from(kept.blob!, 'base64'), PASSPHRASE)).toMatchObject({ ok: true });
  });

  it('is replaced only by a client that read the present one', async () => {
    const first = await write(one, null);
    expect(await refusal(two, null)).toEqual(conflict('changed'));
    expect(await refusal(two, 'ab'.repeat(32))).toEqual(conflict('changed'));
    await write(two, first);
    expect(await refusal(three, first, true)).toEqual(conflict('changed'));
    expect((await read()).blob).toBe(base64(two));
  });

  it('is written once by many simultaneous writers', async () => {
    const first = await write(one, null);
    const replies = await Promise.all(
      [two, three].map((bytes) => sendCall(node, 'writeKeystore', JSON.stringify(inputOf(bytes, first)))),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await read()).previous).toBe(base64(one));
  });

  it('can be written again when the answer was lost: nothing changes, and the previous file stays', async () => {
    const first = await write(one, null);
    const second = await write(two, first);
    expect(await write(two, first)).toBe(second);
    expect(await write(two, second)).toBe(second);
    expect(await read()).toEqual({ blob: base64(two), previous: base64(one), revision: second });
  });

  it('accepts only an intact keystore', async () => {
    const damaged = Buffer.from(one!).fill(0, 60, 61);
    for (const bytes of [damaged, one!.slice(0, -1), one!.slice(0, 9), Buffer.from('WELLHKEYS and more')]) {
      expect(await refusal(bytes, null)).toEqual([400, expect.objectContaining({ error: 'invalid_input' })]);
    }
    expect(files()).toEqual([]);
  });

  it('has at most 3 MiB', async () => {
    const sized = (length: number) => encodeFile(one!.slice(0, -32), Buffer.alloc(length - one!.length));
    const revision = await write(sized(MAX_KEYSTORE_BYTES), null);
    const larger = { ...inputOf(one, revision), blob: base64(Buffer.concat([one!, Buffer.alloc(MAX_KEYSTORE_BYTES)])) };
    expect(await failure(node, 'writeKeystore', larger)).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_input' }),
    ]);
  });
});

describe('a file on disk that this version can’t have written', () => {
  it.each([
    ['damaged', Buffer.from(one!).fill(0, 60, 61)],
    ['cut off', Buffer.from(one!.slice(0, 200))],
    ['empty', Buffer.alloc(0)],
    ['of something else', Buffer.from('notes of mine')],
    ['of a newer version', Buffer.from(newer)],
  ])('is never overwritten: %s', async (_name, bytes) => {
    writeFileSync(path(), bytes);
    writeFileSync(path('.previous'), one!);
    const { revision, ...found } = await read();
    expect(found).toEqual({ blob: bytes.toString('base64'), previous: base64(one) });
    expect(await refusal(two, revision)).toEqual(conflict('damaged'));
    expect(readFileSync(path())).toEqual(bytes);

    await write(two, revision, true);
    const [name, ...others] = aside('damaged');
    expect(others).toEqual([]);
    expect(contentOf(name)).toEqual(bytes);
    expect(await read()).toMatchObject({ blob: base64(two), previous: null });
    expect(aside('kept').map(contentOf)).toEqual([Buffer.from(one!)]);
    if (process.platform !== 'win32') expect(statSync(join(dataDir, name!)).mode & 0o777).toBe(0o600);
  });

  it('is set aside beside earlier ones', async () => {
    for (const text of ['first', 'second', 'third']) {
      writeFileSync(path(), text);
      await write(two, (await read()).revision, true);
    }
    expect(aside('damaged').map(contentOf).map(String).sort()).toEqual(['first', 'second', 'third']);
  });
});

describe('a file that is not an earlier state of the written one', () => {
  it('is kept under its own name: the file before a missing one, after any number of writes', async () => {
    await write(two, await write(one, null));
    rmSync(path());
    expect(await read()).toEqual({ blob: null, previous: base64(one), revision: null });
    let revision = await write(three, null);
    expect(aside('kept').map(contentOf)).toEqual([Buffer.from(one!)]);
    expect(await read()).toEqual({ blob: base64(three), previous: null, revision });
    for (const bytes of [two, three]) revision = await write(bytes, revision);
    expect(aside('kept').map(contentOf)).toEqual([Buffer.from(one!)]);
    if (process.platform !== 'win32') expect(statSync(join(dataDir, aside('kept')[0]!)).mode & 0o777).toBe(0o600);
  });

  it('stays in place when it is itself restored', async () => {
    await write(two, await write(one, null));
    rmSync(path());
    await write(one, null);
    expect(await read()).toMatchObject({ blob: base64(one), previous: base64(one) });
    expect(files()).toEqual([FILE, `${FILE}.previous`]);
  });

  it('is kept when a new or restored keystore replaces it, and so is the previous one', async () => {
    let revision = await write(two, await write(one, null));
    revision = await write(three, revision, false, true);
    expect(aside('replaced').map(contentOf)).toEqual([Buffer.from(two!)]);
    expect(aside('kept').map(contentOf)).toEqual([Buffer.from(one!)]);
    for (const bytes of [one, three]) revision = await write(bytes, revision);
    expect(aside('replaced').map(contentOf)).toEqual([Buffer.from(two!)]);
    expect(aside('kept').map(contentOf)).toEqual([Buffer.from(one!)]);
  });
});

describe('a fault of the disk', () => {
  it('is reported, and leaves the file unchanged', async () => {
    const revision = await write(one, null);
    // A folder in the place of the unfinished file can be neither removed as a file nor opened for writing.
    mkdirSync(path('.new'));
    writeFileSync(join(path('.new'), 'in-the-way'), '');
    const [status, answer] = await refusal(two, revision);
    expect([status, answer]).toEqual([503, expect.objectContaining({ error: 'storage_unavailable' })]);
    expect(await read()).toEqual({ blob: base64(one), previous: null, revision });
    rmSync(path('.new'), { recursive: true });
    expect(await write(two, revision)).not.toBe(revision);
  });

  it('that is a link stays one, and its target is written', async () => {
    const elsewhere = join(dataDir, 'elsewhere');
    const revision = await write(one, null);
    renameSync(path(), elsewhere);
    symlinkSync(elsewhere, path());
    await write(two, revision);
    expect(lstatSync(path()).isSymbolicLink()).toBe(true);
    expect(readFileSync(elsewhere)).toEqual(Buffer.from(two!));
  });

  it('that interrupted a write leaves no permanent file', async () => {
    writeFileSync(path('.new'), 'half of a keystore');
    await write(one, null);
    expect(existsSync(path('.new'))).toBe(false);
  });
});

it('nothing of a keystore is logged, whatever happens to it', async () => {
  const revision = await write(one, null);
  await refusal(two, null);
  await refusal(Buffer.from('WELLHKEYS SECRET'), revision);
  await sendCall(node, 'writeKeystore', `{"blob":"${base64(two)}`);
  await write(two, revision);
  const logged = node.stdout + node.stderr;
  for (const bytes of [one!, two!]) {
    for (const text of [base64(bytes), Buffer.from(bytes).toString('hex')]) {
      for (let at = 0; at + 24 <= text.length; at += 24) expect(logged).not.toContain(text.slice(at, at + 24));
    }
  }
  expect(logged).not.toContain('V0VMTEhLRVlT');
});

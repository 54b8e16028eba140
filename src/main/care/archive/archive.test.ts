import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultOf, makeDataFolder, OWNER_PHRASE } from '../../../../test/support/care.ts';
import { removeFolder, temporaryFolder } from '../../../../test/support/node-process.ts';
import { THOROUGH } from '../../../../test/support/thorough.ts';
import { backupIdentity } from '../../../shared/crypto/backup-key.ts';
import { standardSeed } from '../../../shared/crypto/phrase/phrase.ts';
import { MAX_PHOTOS } from '../../../shared/photos/photo-limits.ts';
import { makeBackup } from '../backup/make-backup.ts';
import { type Bytes, writeBytes } from './bytes.ts';
import { encryptionOf, type Lock, type Opener } from './encryption.ts';
import { type Manifest, type Member, newManifest, readManifest } from './manifest.ts';
import { encryptionOfFile, readArchive } from './read-archive.ts';
import { archiveBytes } from './write-archive.ts';

let folder: string;
const identity = backupIdentity(standardSeed(OWNER_PHRASE));
const BY_PHRASE: Opener = { kind: 'identity', identity };
const made: Record<'clear' | 'sealed', string> = { clear: '', sealed: '' };
/** Backups so large that their end is read after the last member. */
const large: Record<'clear' | 'sealed', string> = { clear: '', sealed: '' };

beforeAll(async () => {
  folder = temporaryFolder();
  const paths = makeDataFolder(join(folder, 'data'), 5);
  const to = (name: string) => {
    mkdirSync(join(folder, name));
    return join(folder, name);
  };
  const recipient = await identityToRecipient(identity);
  made.clear = (await makeBackup({ ...paths, folder: to('clear'), reason: 'demand', lock: null })).path;
  const lock: Lock = { kind: 'recipient', recipient };
  made.sealed = (await makeBackup({ ...paths, folder: to('sealed'), reason: 'demand', lock })).path;
  const grown = makeDataFolder(join(folder, 'grown'), 5);
  // What can't be compressed.
  writeFileSync(join(grown.dataDir, 'keystore.wellhouse.previous'), randomBytes(400_000));
  large.clear = (await makeBackup({ ...grown, folder: to('large-clear'), reason: 'demand', lock: null })).path;
  large.sealed = (await makeBackup({ ...grown, folder: to('large-sealed'), reason: 'demand', lock })).path;
});
afterAll(() => removeFolder(folder));

/** Returns the sentence of a fault. */
async function sentenceOf(run: Promise<unknown>): Promise<string> {
  return await run.then(
    () => 'none',
    (error: Error) => error.message,
  );
}

/** Returns the fault of reading a changed backup. */
async function faultOfBytes(bytes: Uint8Array, opener: Opener): Promise<string> {
  const path = join(folder, 'changed');
  writeFileSync(path, bytes);
  return await faultOf(readArchive(path, opener));
}

it('writes on where a short write ended', async () => {
  const written: number[] = [];
  const file = {
    write: async (chunk: Uint8Array, from: number) => {
      const part = chunk.subarray(from, from + 3);
      written.push(...part);
      return { bytesWritten: part.length };
    },
  } as unknown as FileHandle;
  const bytes = async function* () {
    yield Uint8Array.of(1, 2, 3, 4, 5, 6, 7);
    yield Uint8Array.of(8, 9);
  };
  expect(await writeBytes(file, bytes())).toBe(9);
  expect(written).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

describe('a backup file', () => {
  it('is readable only by its owner, and has all parts of the node', async () => {
    expect(statSync(made.clear).mode & 0o777).toBe(0o600);
    const { members, stores, node } = await readArchive(made.clear, null);
    expect(members.map(({ name }) => name)).toEqual([
      'private.db',
      'public.db',
      'alert-history.ndjson',
      'alert-secrets.json',
      'alerts.json',
      'identity.mnemonic',
      'keystore.wellhouse',
      'keystore.wellhouse.previous',
      'settings.json',
    ]);
    expect(stores).toMatchObject({ private: { devices: 1, readings: 5 }, public: { readings: 3 } });
    expect(node.publicKey).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is opened only by the key that it was encrypted to', async () => {
    expect(await encryptionOfFile(made.clear)).toBe('none');
    expect(await encryptionOfFile(made.sealed)).toBe('recipient');
    expect(await faultOf(readArchive(made.sealed, BY_PHRASE))).toBe('none');
    const other = backupIdentity(new Uint8Array(32).fill(9));
    expect(await faultOf(readArchive(made.sealed, { kind: 'identity', identity: other }))).toBe('wrong_key');
    expect(await sentenceOf(readArchive(made.sealed, { kind: 'identity', identity: other }))).toBe(
      "this phrase does not open the backup: it was made for another owner's phrase, or its first bytes are damaged",
    );
    expect(await faultOf(readArchive(made.sealed, null))).toBe('needs_key');
    expect(await sentenceOf(readArchive(made.sealed, null))).toBe(
      "the backup is encrypted to its owner's phrase: give that phrase",
    );
    expect(await faultOf(readArchive(made.sealed, { kind: 'passphrase', passphrase: 'x' }))).toBe('needs_key');
    expect(readFileSync(made.sealed).includes('identity.mnemonic')).toBe(false);
  });

  it('with a passphrase is opened only by that passphrase', async () => {
    const to = join(folder, 'passphrase');
    mkdirSync(to);
    const lock: Lock = { kind: 'passphrase', passphrase: 'correct horse' };
    const paths = { dataDir: join(folder, 'data'), settingsFile: join(folder, 'data/settings.json') };
    const { path } = await makeBackup({ ...paths, folder: to, reason: 'demand', lock });
    expect(await encryptionOfFile(path)).toBe('passphrase');
    // 2^17, as for the keystore: less work would make it easier to guess.
    expect(readFileSync(path, 'latin1')).toMatch(/^age-encryption\.org\/v1\n-> scrypt \S+ 17\n/);
    expect(await faultOf(readArchive(path, lock))).toBe('none');
    expect(await faultOf(readArchive(path, { kind: 'passphrase', passphrase: 'correct' }))).toBe('wrong_passphrase');
    for (const opener of [BY_PHRASE, null]) {
      expect(await faultOf(readArchive(path, opener))).toBe('needs_passphrase');
      expect(await sentenceOf(readArchive(path, opener))).toBe('the backup is encrypted with a passphrase: give it');
    }
  });

  it.each([
    ['in clear', 'clear', null],
    ['encrypted', 'sealed', BY_PHRASE],
  ] as const)('%s is refused with any byte of it changed', async (_name, kind, opener) => {
    const bytes = readFileSync(made[kind]);
    expect(await faultOfBytes(bytes, opener)).toBe('none');
    const taken: number[] = [];
    // The bytes of head and end, and a sample of those between them; the long run takes each byte.
    const [ends, step] = THOROUGH > 1 ? [600, 1] : [120, 241];
    const isLookedAt = (at: number) => at < ends || at >= bytes.length - ends || at % step === 0;
    for (let at = 0; at < bytes.length; at += 1) {
      if (!isLookedAt(at)) continue;
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1 << (at % 8);
      if ((await faultOfBytes(changed, opener)) === 'none') taken.push(at);
    }
    expect(taken).toEqual([]);
  });

  it.each([
    ['in clear', 'clear', null],
    ['encrypted', 'sealed', BY_PHRASE],
  ] as const)(
    'a large one %s is refused with any byte of its end changed, added or missing',
    async (_name, kind, opener) => {
      const bytes = readFileSync(large[kind]);
      expect(bytes.length).toBeGreaterThan(300_000);
      expect(await faultOfBytes(bytes, opener)).toBe('none');
      for (let back = 1; back <= 120; back += THOROUGH > 1 ? 1 : 7) {
        const changed = Buffer.from(bytes);
        changed[bytes.length - back]! ^= 1 << (back % 8);
        expect(await faultOfBytes(changed, opener), `${back} before the end`).not.toBe('none');
      }
      for (const length of [1, 30, 40, 41, 1000]) {
        expect(await faultOfBytes(bytes.subarray(0, bytes.length - length), opener), `${length} missing`).not.toBe(
          'none',
        );
      }
      expect(await faultOfBytes(Buffer.concat([bytes, Buffer.from([0])]), opener)).not.toBe('none');
    },
  );

  it.each([
    ['in clear', 'clear', null],
    ['encrypted', 'sealed', BY_PHRASE],
  ] as const)('%s is refused cut off anywhere, and with anything after it', async (_name, kind, opener) => {
    const bytes = readFileSync(made[kind]);
    for (let length = 0; length < bytes.length; length += THOROUGH > 1 ? 41 : 101) {
      expect(await faultOfBytes(bytes.subarray(0, length), opener), String(length)).not.toBe('none');
    }
    for (const more of [Buffer.from([0]), Buffer.alloc(100), bytes]) {
      expect(await faultOfBytes(Buffer.concat([bytes, more]), opener)).not.toBe('none');
    }
  });

  it('with a larger scrypt cost than Wellhouse uses is refused before the work', async () => {
    const head = (logN: string) => Buffer.from(`age-encryption.org/v1\n-> scrypt ${'A'.repeat(22)} ${logN}\n`);
    expect(encryptionOf(head('18'))).toBe('passphrase');
    for (const logN of ['19', '20', '63']) expect(await faultOfBytes(head(logN), BY_PHRASE)).toBe('not_a_backup');
  });

  it('that does not exist or is a folder is named', async () => {
    const missing = join(folder, 'missing');
    expect(await faultOf(readArchive(missing, null))).toBe('no_file');
    expect(await sentenceOf(readArchive(missing, null))).toBe(`there is no file ${missing}`);
    expect(await sentenceOf(readArchive(join(made.clear, 'in a file'), null))).toMatch(/^there is no file /);
    expect(await faultOf(readArchive(folder, null))).toBe('no_file');
    expect(await sentenceOf(readArchive(folder, null))).toBe(`${folder} is a folder: name a backup in it`);
  });

  it('that is cut off says so', async () => {
    const bytes = (kind: 'clear' | 'sealed') => readFileSync(large[kind]).subarray(0, -1000);
    writeFileSync(join(folder, 'cut'), bytes('sealed'));
    expect(await sentenceOf(readArchive(join(folder, 'cut'), BY_PHRASE))).toBe(
      'the backup is damaged or cut off: it can’t be decrypted to its end',
    );
    writeFileSync(join(folder, 'cut'), bytes('clear'));
    expect(await sentenceOf(readArchive(join(folder, 'cut'), null))).toMatch(
      /^the backup is damaged (?:or cut off: its checksum does not match its contents|\(\S[^\n]*\))$/,
    );
  });

  it('is distinguished from other files', async () => {
    expect(await sentenceOf(readArchive(join(folder, 'data', 'settings.json'), null))).toBe(
      'this is not a Wellhouse backup, or its beginning is damaged',
    );
    for (const text of ['', 'hello', 'PK\u0003\u0004', 'age-encryption.org/v2\n']) {
      expect(await faultOfBytes(Buffer.from(text), null), text).toBe('not_a_backup');
    }
  });

  it('can’t name a path out of its folder, or a member twice', async () => {
    const summary = { version: 3, devices: 0, readings: 0, lastReceivedAt: null, rows: {} };
    const member = { name: 'private.db', bytes: 0, sha256: 'a'.repeat(64) };
    const manifest = newManifest({
      madeAt: new Date(0).toISOString(),
      reason: 'demand',
      program: '1',
      node: { publicKey: 'a'.repeat(64), host: 'h', dataDir: '/d' },
      stores: { private: summary, public: null },
      members: [member],
    });
    const fault = async (change: object) =>
      await faultOf((async () => readManifest(Buffer.from(JSON.stringify({ ...manifest, ...change }))))());
    expect(await fault({})).toBe('none');
    for (const name of ['../x', '/etc/passwd', 'a/b', 'a\\b', '.hidden', '', '..', 'manifest.json']) {
      expect(await fault({ members: [{ ...member, name }] }), name).toBe('damaged');
    }
    expect(await fault({ members: [member, member] })).toBe('damaged');
    expect(await fault({ version: 3, something: 'new' })).toBe('newer');
    expect(await fault({ version: 2 })).toBe('none');
    expect(await fault({ format: 'another' })).toBe('not_a_backup');
    const sentence = async (text: Uint8Array | string) =>
      await sentenceOf((async () => readManifest(Buffer.from(text)))());
    const changed = (change: object) => sentence(JSON.stringify({ ...manifest, ...change }));
    expect(await changed({ members: [member, member] })).toBe(
      'the backup is damaged: its manifest names a member twice',
    );
    expect(await changed({ members: [{ ...member, bytes: -1 }] })).toBe(
      'the backup is damaged: its manifest has a wrong members.0.bytes',
    );
    expect(await changed({ format: 'another' })).toBe('this is not a Wellhouse backup');
    for (const [program, name] of [
      ['9.1', '9.1'],
      [7, '?'],
    ]) {
      expect(await changed({ version: 3, program })).toBe(
        `the backup was made by a newer Wellhouse (${name}); update this one, then try again`,
      );
    }
    const noJson = 'the backup is damaged: its manifest is not JSON';
    expect(await sentence('{')).toBe(noJson);
    const text = Buffer.from(JSON.stringify({ ...manifest, program: 'X' }));
    text[text.indexOf('X')] = 0xff;
    expect(await sentence(text), 'not UTF-8').toBe(noJson);
  });

  it('can have as many photos as a node takes, beside everything else', async () => {
    // All of them take the processor four seconds: npm test takes a tenth.
    const count = THOROUGH > 1 ? MAX_PHOTOS : MAX_PHOTOS / 10;
    const manifest = await readArchive(made.clear, null);
    const content = Buffer.alloc(0);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const names = Array.from({ length: count }, (_, at) => at.toString(16).padStart(64, '0'));
    const photos = names.flatMap((id) => [`photo-${id}.jpg`, `photo-${id}.preview.jpg`]);
    const others = Array.from({ length: 1000 }, (_, at) => `keystore.wellhouse.kept-${at}`);
    const members = [...photos, ...others].map((name) => ({ name, bytes: 0, sha256 }));
    const path = join(folder, 'photos');
    const file = await open(path, 'w');
    const sources = members.map((member) => ({ ...member, from: { content } }));
    const promised = newManifest({ ...manifest, members }, true);
    await writeBytes(
      file,
      archiveBytes({ manifest: promised, members: sources, lock: null, onOpener: () => {}, onBytes: () => {} }),
    );
    await file.close();
    expect((await readArchive(path, null)).members).toHaveLength(2 * count + 1000);
  });

  it('is refused if its members differ from its manifest', async () => {
    const manifest = await readArchive(made.clear, null);
    const content = Buffer.from('x');
    const from = { content };
    const write = async (members: Manifest['members'], promised: Manifest = manifest) => {
      const path = join(folder, 'written');
      rmSync(path, { force: true });
      const file = await open(path, 'w');
      const sources = members.map((member) => ({ ...member, from }));
      await writeBytes(
        file,
        archiveBytes({ manifest: promised, members: sources, lock: null, onOpener: () => {}, onBytes: () => {} }),
      );
      await file.close();
      expect(await faultOf(readArchive(path, null))).toMatch(/^(?:damaged|none)$/);
      const sentence = await sentenceOf(readArchive(path, null));
      // A restore, which takes the members in, gets the same answer.
      const onMember = async (_member: Member, bytes: Bytes) => {
        for await (const _ of bytes);
      };
      expect(await sentenceOf(readArchive(path, null, { onMember }))).toBe(sentence);
      return sentence;
    };
    const named = (name: string) => ({ name, bytes: 1, sha256: createHash('sha256').update(content).digest('hex') });
    const notListed = (name: string) =>
      `the backup is damaged: it contains ${name}, which its manifest does not list there`;
    expect(await write([])).toBe('the backup is damaged: members of it are missing');
    expect(await write([named('private.db')])).toBe(notListed('private.db'));
    expect(await write([named('evil')])).toBe(notListed('evil'));
    const one = { ...manifest, members: [named('private.db')] };
    expect(await write([named('private.db'), named('evil')], one)).toBe(notListed('evil'));
    expect(await write([named('private.db')], { ...manifest, members: [named('a'), named('private.db')] })).toBe(
      notListed('private.db'),
    );
    // A member with the right name and length, and the right or wrong contents.
    for (const [promised, fault] of [
      [content, 'none'],
      [Buffer.from('y'), 'the backup is damaged: private.db in it has changed'],
    ] as const) {
      const sha256 = createHash('sha256').update(promised).digest('hex');
      const members = [{ name: 'private.db', bytes: 1, sha256 }];
      expect(await write(members, { ...manifest, members })).toBe(fault);
    }
  });
});

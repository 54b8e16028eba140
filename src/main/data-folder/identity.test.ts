import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import vectors from '../../../test/vectors.json' with { type: 'json' };
import { isEnglishPhrase } from '../../shared/crypto/phrase/phrase.ts';
import { StartError } from '../common/start-error.ts';
import { loadOrCreateIdentity } from './identity.ts';

const FILE_NAME = 'identity.mnemonic';
const LEFTOVER = 'identity.mnemonic.6f1c1f0e-3d55-4a53-9c8d-0d7a3f7f9f10.new';

let dataDir: string;
let path: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'wellhouse-identity-'));
  path = join(dataDir, FILE_NAME);
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

function refusalOf(hasStore: boolean): StartError {
  try {
    loadOrCreateIdentity(dataDir, hasStore);
  } catch (error) {
    if (error instanceof StartError) return error;
    throw error;
  }
  throw new Error('the identity was accepted');
}

describe('where neither store exists', () => {
  it('creates a key, stored as an English phrase in one line that only the owner may read', () => {
    const identity = loadOrCreateIdentity(dataDir, false);
    expect(identity).toEqual({ publicKey: expect.stringMatching(/^[0-9a-f]{64}$/), created: true });
    const text = readFileSync(path, 'utf8');
    expect(text).toMatch(/^(?:[a-z]+ ){11}[a-z]+\n$/);
    expect(isEnglishPhrase(text)).toBe(true);
    expect(readdirSync(dataDir)).toEqual([FILE_NAME]);
  });

  it.skipIf(process.platform === 'win32')('gives the file the mode 0600', () => {
    loadOrCreateIdentity(dataDir, false);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('returns the same key at every later start, with or without a store, without changing the file', () => {
    const { publicKey } = loadOrCreateIdentity(dataDir, false);
    const text = readFileSync(path, 'utf8');
    expect(loadOrCreateIdentity(dataDir, false)).toEqual({ publicKey, created: false });
    expect(loadOrCreateIdentity(dataDir, true)).toEqual({ publicKey, created: false });
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('creates another key in another folder', () => {
    const other = join(dataDir, 'other');
    mkdirSync(other);
    expect(loadOrCreateIdentity(other, false).publicKey).not.toBe(loadOrCreateIdentity(dataDir, false).publicKey);
  });

  it('refuses a missing folder', () => {
    rmSync(dataDir, { recursive: true });
    expect(refusalOf(false).message).toContain('ENOENT');
  });
});

describe('a copied file', () => {
  it.each([
    ['without a line feed', vectors.mnemonic],
    ['with a line feed', `${vectors.mnemonic}\n`],
    ['with a carriage return', `${vectors.mnemonic}\r\n`],
  ])('%s gives the standard key of its phrase', (_name, text) => {
    writeFileSync(path, text);
    const expected = { publicKey: vectors.standardDerivation.publicKey, created: false };
    expect(loadOrCreateIdentity(dataDir, false)).toEqual(expected);
    expect(loadOrCreateIdentity(dataDir, true)).toEqual(expected);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it.skipIf(process.platform === 'win32')('is closed to other users', () => {
    writeFileSync(path, vectors.mnemonic);
    chmodSync(path, 0o644);
    loadOrCreateIdentity(dataDir, true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

describe('a start is refused with one line, and the file is unchanged', () => {
  it('if the file is missing although a store exists', () => {
    const { message } = refusalOf(true);
    expect(message).toContain(path);
    expect(message).toMatch(/is missing .*restore it from a backup/);
    expect(message).not.toContain('\n');
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it.each([
    ['empty', ''],
    ['blank', ' \n\n'],
    ['half a phrase', vectors.mnemonic.slice(0, 40)],
    ['a phrase with a wrong checksum', vectors.mnemonic.replace(/about$/, 'abandon')],
    ['a phrase of another language', vectors.otherLanguages[0]!.mnemonic],
    ['a phrase over two lines', vectors.mnemonic.replace(' ', '\n')],
    ['a phrase with something after it', `${vectors.mnemonic}\nzebra`],
    ['a hex seed', vectors.standardDerivation.seed],
    ['bytes that are no text', Buffer.of(0xff, 0xfe, 0x00)],
  ])('where the file is %s', (_name, content) => {
    writeFileSync(path, content);
    const before = readFileSync(path);
    for (const hasStore of [false, true]) {
      const { message, cause } = refusalOf(hasStore);
      expect(message).toContain(path);
      expect(message).not.toContain('\n');
      expect(cause).toBeUndefined();
      // The words of a phrase, even of a mistyped one, are secret.
      const said = message.replaceAll(path, '');
      for (const word of before.toString().split(/\s+/).filter(Boolean)) expect(said).not.toContain(word);
    }
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(dataDir)).toEqual([FILE_NAME]);
  });

  it('if a folder is in its place', () => {
    mkdirSync(path);
    expect(refusalOf(false).message).toContain('is a folder, not a regular file');
  });
});

// The files that an interrupted start leaves, in the order of its steps.
describe('after an interrupted start', () => {
  it.each([
    ['before the phrase was written', ''],
    ['while the phrase was written', vectors.mnemonic.slice(0, 20)],
    ['before the file got its name', `${vectors.mnemonic}\n`],
  ])('%s, the next makes a key of its own', (_name, leftover) => {
    writeFileSync(join(dataDir, LEFTOVER), leftover);
    const identity = loadOrCreateIdentity(dataDir, false);
    expect(identity.created).toBe(true);
    expect(identity.publicKey).not.toBe(vectors.standardDerivation.publicKey);
    expect(readdirSync(dataDir)).toEqual([FILE_NAME]);
  });

  it('after the file got its name, the next start keeps that key and leaves no second copy', () => {
    writeFileSync(join(dataDir, LEFTOVER), `${vectors.mnemonic}\n`);
    linkSync(join(dataDir, LEFTOVER), path);
    const expected = { publicKey: vectors.standardDerivation.publicKey, created: false };
    expect(loadOrCreateIdentity(dataDir, false)).toEqual(expected);
    expect(readdirSync(dataDir)).toEqual([FILE_NAME]);
    expect(statSync(path).nlink).toBe(1);
  });

  it('an unfinished file is no identity for an existing store', () => {
    writeFileSync(join(dataDir, LEFTOVER), `${vectors.mnemonic}\n`);
    expect(refusalOf(true).message).toMatch(/is missing/);
  });

  it('files of other names stay', () => {
    const others = ['identity.mnemonic.bak', 'identity.mnemonic.new', 'public.db'];
    for (const name of others) writeFileSync(join(dataDir, name), '');
    loadOrCreateIdentity(dataDir, false);
    expect(readdirSync(dataDir).sort()).toEqual([FILE_NAME, ...others].sort());
  });
});

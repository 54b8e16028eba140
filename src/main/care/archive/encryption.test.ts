import { identityToRecipient } from 'age-encryption';
import { expect, it } from 'vitest';
import { faultOf, OWNER_PHRASE } from '../../../../test/support/care.ts';
import { backupIdentity } from '../../../shared/crypto/backup-key.ts';
import { standardSeed } from '../../../shared/crypto/phrase/phrase.ts';
import { CareError } from '../care-error.ts';
import type { Bytes } from './bytes.ts';
import { decrypted, encrypted, encryptionOf, type Opener } from './encryption.ts';

const identity = backupIdentity(standardSeed(OWNER_PHRASE));
const BY_PHRASE: Opener = { kind: 'identity', identity };

/** Returns all bytes of a stream. */
async function all(bytes: Bytes): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* bytesOf(...chunks: Uint8Array[]): Bytes {
  yield* chunks;
}

it('refuses a scrypt cost that is too large or not readable, and says it', () => {
  const refused = (stanzas: string) => {
    try {
      return encryptionOf(Buffer.from(`age-encryption.org/v1\n${stanzas}`));
    } catch (error) {
      return (error as Error).message;
    }
  };
  const tooMuch = (logN: string) => `the backup asks for more work than Wellhouse does (scrypt, 2^${logN})`;
  expect(refused('-> scrypt AAAA 17\n')).toBe('passphrase');
  expect(refused('-> scrypt AAAA 30\n')).toBe(tooMuch('30'));
  expect(refused('-> scrypt AAAA\n')).toBe(tooMuch('?'));
  // The library takes the first one.
  expect(refused('-> scrypt AAAA x\n-> scrypt AAAA 17\n')).toBe(tooMuch('?'));
});

it('gives the key that opens a backup in clear, too: none', async () => {
  const openers: Opener[] = [];
  const bytes = encrypted(bytesOf(Buffer.from('clear')), null, (opener) => openers.push(opener));
  expect((await all(bytes)).toString()).toBe('clear');
  expect(openers).toEqual([null]);
});

it('keeps the error of a source that can’t be read, at its start and later, and ends the source', async () => {
  const lock = { kind: 'recipient', recipient: await identityToRecipient(identity) } as const;
  const sealed = await all(encrypted(bytesOf(Buffer.alloc(200_000, 7)), lock, () => {}));
  const read = Object.assign(new Error('input/output error'), { code: 'EIO', syscall: 'read' });
  for (const error of [read, new CareError('no_file', 'the file is gone')]) {
    for (const before of [[], [sealed.subarray(0, 100_000)]]) {
      const source = async function* (): Bytes {
        yield* before;
        throw error;
      };
      await expect(all(decrypted(source(), 'recipient', BY_PHRASE))).rejects.toBe(error);
    }
  }
  let isEnded = false;
  const other = async function* (): Bytes {
    try {
      while (true) yield Buffer.from('not a header\n');
    } finally {
      isEnded = true;
    }
  };
  expect(await faultOf(all(decrypted(other(), 'recipient', BY_PHRASE)))).toBe('damaged');
  expect(isEnded).toBe(true);
});

it('says that a backup is damaged, or that a passphrase does not open it', async () => {
  const passphrase = { kind: 'passphrase', passphrase: 'correct horse' } as const;
  const bytes = await all(encrypted(bytesOf(Buffer.from('secret')), passphrase, () => {}));
  const opened = (of: Uint8Array, opener: Opener) =>
    all(decrypted(bytesOf(of), 'passphrase', opener)).catch((error: CareError) => [error.fault, error.message]);
  expect(String(await opened(bytes, passphrase))).toBe('secret');
  expect(await opened(bytes, { ...passphrase, passphrase: 'wrong' })).toEqual([
    'wrong_passphrase',
    'this passphrase does not open the backup',
  ]);
  expect(await opened(bytes.subarray(0, -1), passphrase)).toEqual([
    'damaged',
    'the backup is damaged or cut off: it can’t be decrypted to its end',
  ]);
});

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { isBackupIdentity } from '../../shared/crypto/age-keys.ts';
import { backupIdentity } from '../../shared/crypto/backup-key.ts';
import { hexToBytes } from '../../shared/crypto/hex.ts';
import { standardSeed } from '../../shared/crypto/phrase/derivations.ts';
import type { OwnerSecret } from '../../shared/crypto/phrase/owner-key.ts';
import { readPhrase } from '../../shared/crypto/phrase/read-phrase.ts';
import type { Encryption, Opener } from '../care/archive/encryption.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import type { Output } from './output.ts';

/** The files with secrets that are not typed. `-` is standard input. */
export interface SecretFlags {
  readonly phraseFile?: string;
  readonly passphraseFile?: string;
}

/** Returns the key that opens a backup, from the named files or typed at the terminal. */
export async function openerFor(encryption: Encryption, flags: SecretFlags, output: Output): Promise<Opener> {
  if (encryption === 'none') return null;
  if (encryption === 'passphrase') {
    return {
      kind: 'passphrase',
      passphrase: await secretText(flags.passphraseFile, 'Passphrase of the backup', '--passphrase-file', output),
    };
  }
  return { kind: 'identity', identity: await identityFrom(flags, output) };
}

/**
 * Returns the age identity of the owner's phrase, from the file or typed at the terminal. The text may also be an age
 * identity.
 */
export async function identityFrom({ phraseFile }: SecretFlags, output: Output): Promise<string> {
  const text = await secretText(phraseFile, "The owner's phrase", '--phrase-file', output);
  const line = text.split('\n').find((each) => isBackupIdentity(each.trim()));
  if (line !== undefined) return line.trim();
  const secret = await secretOf(text, output);
  return backupIdentity(secret.kind === 'seed' ? hexToBytes(secret.seedHex) : standardSeed(secret.phrase));
}

/** Returns the owner's phrase or seed, from the file or typed at the terminal. */
export async function ownerSecret({ phraseFile }: SecretFlags, output: Output): Promise<OwnerSecret> {
  return secretOf(await secretText(phraseFile, "The owner's phrase", '--phrase-file', output), output);
}

async function secretOf(text: string, output: Output): Promise<OwnerSecret> {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return { kind: 'seed', seedHex: text.toLowerCase() };
  const { usable, wrongWords, words } = await readPhrase(text);
  const [phrase] = usable;
  if (phrase === undefined) {
    const wrong = wrongWords.map((index) => index + 1).join(', ');
    throw new CommandError(
      wrongWords.length > 0
        ? `this is not a phrase: word ${wrong} is not in any word list`
        : `this is not a phrase: it has ${words.length} words, not 12, 15, 18, 21 or 24`,
      EXIT.key,
    );
  }
  if (!phrase.isChecksumRight)
    output.note('The checksum of this phrase is not right: a word may be wrong, or two in the wrong order.');
  return { kind: 'phrase', phrase: phrase.phrase };
}

/** Returns a passphrase for a new backup, from the file or typed twice at the terminal. */
export async function newPassphrase({ passphraseFile }: SecretFlags, output: Output): Promise<string> {
  const passphrase = await secretText(passphraseFile, 'Passphrase for the backup', '--passphrase-file', output);
  if (passphraseFile !== undefined) return passphrase;
  if ((await typed('The same again: ')) !== passphrase) throw new CommandError('the two entries differ', EXIT.key);
  return passphrase;
}

async function secretText(file: string | undefined, what: string, flag: string, output: Output): Promise<string> {
  let text: string;
  if (file !== undefined) text = readSecretFile(file);
  else if (process.stdin.isTTY) {
    output.endProgress();
    text = await typed(`${what}: `);
  } else {
    throw new CommandError(
      `${what} is needed, but there is no terminal to ask for it`,
      EXIT.key,
      `use ${flag} FILE (- is standard input)`,
      'needs_key',
    );
  }
  if (text.trim() === '')
    throw new CommandError(`${what} is needed, but nothing was given`, EXIT.key, null, 'needs_key');
  return text.replace(/\r?\n$/, '').trim();
}

function readSecretFile(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new CommandError(`${file} can't be read (${(error as NodeJS.ErrnoException).code})`, EXIT.key);
  }
}

/** Asks at the terminal. Any answer but yes counts as no. */
export async function saidYes(question: string): Promise<boolean> {
  return /^y(?:es)?$/i.test((await typed(question, process.stderr)).trim());
}

/** Reads a line from the terminal. It is shown while typed only if `shownAt` is not null. */
async function typed(question: string, shownAt: NodeJS.WritableStream | null = null): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (shownAt === null) process.stderr.write(question);
  const lines = createInterface({ input: process.stdin, output: shownAt ?? nowhere, terminal: true });
  try {
    const { promise, reject } = Promise.withResolvers<never>();
    lines.on('SIGINT', () => reject(new CommandError('stopped')));
    return await Promise.race([lines.question(shownAt === null ? '' : question), promise]);
  } finally {
    lines.close();
    if (shownAt === null) process.stderr.write('\n');
  }
}

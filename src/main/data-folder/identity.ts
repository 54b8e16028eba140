import { type KeyObject, randomUUID } from 'node:crypto';
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createPhrase, isEnglishPhrase } from '../../shared/crypto/phrase/phrase.ts';
import { StartError } from '../common/start-error.ts';
import { syncFolder } from '../common/sync.ts';
import { closeToOthers, readTextFile, writeTextFile } from '../state-files/text-file.ts';
import { derivedKey, publicKeyOfPhrase } from './node-key.ts';

const FILE_NAME = 'identity.mnemonic';
const UNFINISHED = /^identity\.mnemonic\.[0-9a-f-]{36}\.new$/;

/** The node's identity for devices, which owners put in `per_destination`. */
export interface NodeIdentity {
  /** The Ed25519 public key in lowercase hex. */
  readonly publicKey: string;
  /** Whether this start created the identity. */
  readonly created: boolean;
}

/**
 * Reads the node's key from `identity.mnemonic` in the data folder, or creates it if neither store exists yet. With an
 * existing store it is never created: another key would invalidate every `per_destination` rule and publish values that
 * owners hid. Throws StartError if the file is missing although a store exists, is empty, has no phrase, or can't be
 * read or written. The folder must exist, and the caller must hold its lock.
 */
export function loadOrCreateIdentity(dataDir: string, hasStore: boolean): NodeIdentity {
  const path = join(dataDir, FILE_NAME);
  try {
    removeUnfinished(dataDir);
    const text = readIfThere(path);
    if (text === null && hasStore) {
      throw new StartError(
        `${path} is missing beside the stores it belongs to: restore it from a backup, or set DATA_DIR to an empty folder to start a new node`,
      );
    }
    if (text === null) writeNew(dataDir, path, createPhrase());
    // An earlier start may have been interrupted before its sync: no store may outlive the name of the key.
    if (!hasStore) syncFolder(dataDir);
    return { publicKey: publicKeyOfFile(path, text ?? readTextFile(path) ?? ''), created: text === null };
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`cannot use ${path} (${reasonOf(error)}): check the folder, its owner and the free space`);
  }
}

/** Returns whether a data folder has a key. */
export function hasIdentity(dataDir: string): boolean {
  return readTextFile(join(dataDir, FILE_NAME)) !== null;
}

/** Returns the public key of a node in lowercase hex. Throws StartError if its file has none or can't be read. */
export function readPublicKey(dataDir: string): string {
  return readIdentity(dataDir).publicKey;
}

/**
 * Returns an Ed25519 key for one purpose (see derivedKey), and the node's public key. Throws as `readPublicKey` does.
 */
export function keyFromIdentity(
  dataDir: string,
  purpose: string,
): { readonly key: KeyObject; readonly publicKey: string } {
  const { phrase, publicKey } = readIdentity(dataDir);
  return { key: derivedKey(phrase, purpose), publicKey };
}

function readIdentity(dataDir: string): { readonly phrase: string; readonly publicKey: string } {
  const path = join(dataDir, FILE_NAME);
  try {
    const text = readTextFile(path);
    if (text === null) throw new StartError(`cannot read ${path} (ENOENT): run this as the user that the node runs as`);
    return { phrase: text.trim(), publicKey: publicKeyOfFile(path, text) };
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`cannot read ${path} (${reasonOf(error)}): run this as the user that the node runs as`);
  }
}

/** The outcome for a phrase that the owner entered. */
export type AdoptedIdentity = 'taken' | 'same' | 'kept';

/**
 * Makes a phrase the node's identity if it has neither an identity nor a store: `taken`. An existing identity stays:
 * `same`, or `kept` if it differs. The phrase must have been checked; folder and lock as above.
 */
export function adoptIdentity(dataDir: string, phrase: string, hasStore: boolean): AdoptedIdentity {
  const path = join(dataDir, FILE_NAME);
  const text = readIfThere(path);
  if (text !== null) return publicKeyOfFile(path, text) === publicKeyOfPhrase(phrase) ? 'same' : 'kept';
  // There is a store without its key: the start refuses that with a remedy.
  if (hasStore) return 'kept';
  writeNew(dataDir, path, phrase);
  syncFolder(dataDir);
  return 'taken';
}

/**
 * Makes the phrase in a file the identity of a data folder that has neither an identity nor a store; returns whether it
 * did. Throws StartError if the folder has another identity, or if the file has no phrase.
 */
export function adoptIdentityFile(dataDir: string, file: string, hasStore: boolean): boolean {
  try {
    const text = readTextFile(file);
    if (text === null) throw new StartError(`IDENTITY_FILE is ${file}, which does not exist`);
    publicKeyOfFile(file, text);
    const adopted = adoptIdentity(dataDir, text.trim(), hasStore);
    if (adopted !== 'kept') return adopted === 'taken';
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`cannot use IDENTITY_FILE ${file} (${reasonOf(error)}): check the file and its owner`);
  }
  throw new StartError(
    `IDENTITY_FILE ${file} is not the identity of ${dataDir}: set DATA_DIR to an empty folder, or leave IDENTITY_FILE out`,
  );
}

function publicKeyOfFile(path: string, text: string): string {
  const phrase = text.trim();
  if (phrase === '') throw unusable(path, 'is empty');
  if (/[\r\n]/.test(phrase)) throw unusable(path, 'has more than one line');
  if (!isEnglishPhrase(phrase)) throw unusable(path, 'does not contain an English BIP-39 phrase');
  return publicKeyOfPhrase(phrase);
}

function unusable(path: string, fault: string): StartError {
  return new StartError(`${path} ${fault}: restore the node's phrase from a backup, as one line`);
}

function readIfThere(path: string): string | null {
  const text = readTextFile(path);
  if (text !== null) closeToOthers(path);
  return text;
}

/** Writes the phrase. A dangling link to a key, for example on a USB stick, is never overwritten. */
function writeNew(dataDir: string, path: string, phrase: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
    throw new StartError(`${path} is a link to a file that does not exist: connect its disk, or remove the link`);
  }
  writeTextFile(path, phrase, join(dataDir, `${FILE_NAME}.${randomUUID()}.new`));
}

/** Removes the remains of an interrupted start: a phrase that no store knows, or a second name of the key in use. */
function removeUnfinished(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (UNFINISHED.test(name)) rmSync(join(dataDir, name), { force: true });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

// An error's message could quote the phrase; its code can't.
function reasonOf(error: unknown): string {
  return codeOf(error) || (error instanceof Error ? error.name : 'unknown fault');
}

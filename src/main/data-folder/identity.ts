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

/** Who this node is towards devices: what owners put in `per_destination`. */
export interface NodeIdentity {
  /** The Ed25519 public key in lowercase hex. */
  readonly publicKey: string;
  /** Whether this start made the identity. */
  readonly created: boolean;
}

/**
 * Reads the node's key from `identity.mnemonic` in the data folder, or makes it where neither store exists yet. Beside
 * a store it is never made again: another key would void every `per_destination` rule and publish what owners hid.
 * Throws StartError where the file is missing beside a store, empty, no phrase, or cannot be read or written. The
 * folder must exist, and the caller must hold its lock.
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
    // Also where an earlier start was cut off before its own sync: no store may outlive the name of the key.
    if (!hasStore) syncFolder(dataDir);
    return { publicKey: publicKeyOfFile(path, text ?? readTextFile(path) ?? ''), created: text === null };
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`cannot use ${path} (${reasonOf(error)}): check the folder, its owner and the free space`);
  }
}

/** Whether a data folder has a key. */
export function hasIdentity(dataDir: string): boolean {
  return readTextFile(join(dataDir, FILE_NAME)) !== null;
}

/** The public key of a node, lowercase hex. Throws StartError where its file holds none, or can't be read. */
export function readPublicKey(dataDir: string): string {
  return readIdentity(dataDir).publicKey;
}

/** An Ed25519 key for one purpose of its own (see derivedKey), and the node's public key. Throws as `readPublicKey` does. */
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
 * Makes a phrase the node's identity where it has none and no store: `taken`. One that is there stays: `same`, or `kept`
 * where it is another. The phrase must have been checked; folder and lock as above.
 */
export function adoptIdentity(dataDir: string, phrase: string, hasStore: boolean): AdoptedIdentity {
  const path = join(dataDir, FILE_NAME);
  const text = readIfThere(path);
  if (text !== null) return publicKeyOfFile(path, text) === publicKeyOfPhrase(phrase) ? 'same' : 'kept';
  // Beside a store without its key: the start refuses that with what to do.
  if (hasStore) return 'kept';
  writeNew(dataDir, path, phrase);
  syncFolder(dataDir);
  return 'taken';
}

/**
 * Makes the phrase in a file the identity of a data folder that has none and no store; returns whether it did. Throws StartError
 * where the folder has another one, or the file holds none.
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

/** A link to a key that is not there now, as on a stick, is never written over. */
function writeNew(dataDir: string, path: string, phrase: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
    throw new StartError(`${path} is a link to a file that does not exist: connect its disk, or remove the link`);
  }
  writeTextFile(path, phrase, join(dataDir, `${FILE_NAME}.${randomUUID()}.new`));
}

/** The remains of an interrupted start: a phrase that no store knows, or a second name of the key in use. */
function removeUnfinished(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (UNFINISHED.test(name)) rmSync(join(dataDir, name), { force: true });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

// An error's own message could quote what it read; its code cannot.
function reasonOf(error: unknown): string {
  return codeOf(error) || (error instanceof Error ? error.name : 'unknown fault');
}

import { publicKeyOf, sign } from '../crypto/ed25519.ts';
import { bytesToHex, hexToBytes, utf8ToBytes } from '../crypto/hex.ts';
import type { NoncePlace, NonceRegistry } from '../crypto/keyring/nonce-registry.ts';
import { type KeysOfVersion, openSealed, type SealedItem } from '../crypto/keyring/opening.ts';
import { FIELD_NAMES, type FieldName } from '../protocol/fields.ts';
import { NONCE_BYTES } from '../protocol/limits.ts';
import { parseEntry, type ReadingEntry } from './leaf.ts';
import { leafHash, type Sha256 } from './merkle.ts';
import type { VerifyEd25519 } from './note.ts';

/**
 * Decrypted values in a proof. Only the field key can show that an encrypted value has a given plain value. So the
 * owner signs a statement with the owner's key, over the hash of the reading's leaf. docs/proof.md has the format.
 */

/** A line after the line of a reading. */
export interface ProofOpened {
  readonly opened: string;
  /** The owner's public key in lowercase hex. */
  readonly owner: string;
  /** The signature of the bytes of `opened`, in lowercase hex. */
  readonly signature: string;
}

const FIRST_LINE = 'wellhouse-opened/1';
const VALUE = /^value (\w+) ([0-9a-f]{8})$/;

function openedText(leaf: Uint8Array, values: ReadonlyMap<FieldName, number>): string {
  let text = `${FIRST_LINE}\nleaf ${bytesToHex(leaf)}\n`;
  for (const name of FIELD_NAMES) {
    const value = values.get(name);
    if (value !== undefined) text += `value ${name} ${bytesToHex(singleBytes(value))}\n`;
  }
  return text;
}

/** Returns the statement of a line; null if it does not belong to this reading, or that key did not sign it. */
export function parseOpened(
  { opened, owner, signature }: ProofOpened,
  { entry, leaf }: { readonly entry: ReadingEntry; readonly leaf: Uint8Array },
  verify: VerifyEd25519,
): ReadonlyMap<FieldName, number> | null {
  if (!/^[0-9a-f]{64}$/.test(owner) || !/^[0-9a-f]{128}$/.test(signature)) return null;
  const values = new Map<FieldName, number>();
  for (const line of opened.split('\n').slice(2, -1)) {
    const [, name, hex] = VALUE.exec(line) ?? [];
    const field = FIELD_NAMES.find((each) => each === name);
    if (field === undefined || hex === undefined || !(entry.fields.get(field) instanceof Uint8Array)) return null;
    const value = new DataView(hexToBytes(hex).buffer).getFloat32(0);
    if (!Number.isFinite(value)) return null;
    values.set(field, value);
  }
  const isWhole = values.size > 0 && openedText(leaf, values) === opened;
  return isWhole && verify(hexToBytes(signature), utf8ToBytes(opened), hexToBytes(owner)) ? values : null;
}

/** The keys that decrypt the values of one device and sign the statements about them. */
export interface Opener {
  /** The 32 bytes of the owner's key. */
  readonly seed: Uint8Array;
  readonly keysOf: KeysOfVersion;
  readonly nonces: NonceRegistry;
  readonly sha256: Sha256;
}

/** Lines with decrypted values. */
export interface OpenedLines {
  /** In the order of the entries; null if no encrypted value of the reading could be decrypted. */
  readonly lines: readonly (string | null)[];
  /** Values of earlier calls that now count as copies: the file must not have them. */
  readonly overturned: readonly NoncePlace[];
}

/** Decrypts the values of entries of readings of one device. Returns a line to put after each entry. */
export function openEntries(entries: readonly string[], { seed, keysOf, nonces, sha256 }: Opener): OpenedLines {
  const items: SealedItem[] = [];
  const counts = entries.map((text) => {
    const entry = parseEntry(text);
    const sealed = entry?.kind === 'reading' ? sealedOf(entry) : [];
    items.push(...sealed);
    return sealed.length;
  });
  const { items: opened, overturned } = openSealed(items, keysOf, nonces);
  const owner = bytesToHex(publicKeyOf(seed));
  let at = 0;
  const lines = entries.map((text, index) => {
    const values = new Map<FieldName, number>();
    for (const end = at + counts[index]!; at < end; at += 1) {
      const item = opened[at]!;
      if (item.ok) values.set(items[at]!.field, item.value);
    }
    if (values.size === 0) return null;
    const statement = openedText(leafHash(sha256, utf8ToBytes(text)), values);
    const line: ProofOpened = {
      ...{ opened: statement, owner },
      signature: bytesToHex(sign(utf8ToBytes(statement), seed)),
    };
    return `${JSON.stringify(line)}\n`;
  });
  return { lines, overturned };
}

function sealedOf({ seq, receivedAt, keyVersion, fields }: ReadingEntry): SealedItem[] {
  return [...fields].flatMap(([field, value]): SealedItem[] => {
    if (typeof value === 'number') return [];
    const [nonce, cipher] = [bytesToHex(value.subarray(0, NONCE_BYTES)), bytesToHex(value.subarray(NONCE_BYTES))];
    return [{ seq, field, receivedAt, keyVersion, cipher, nonce }];
  });
}

function singleBytes(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value);
  return bytes;
}

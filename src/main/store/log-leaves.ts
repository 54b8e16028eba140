import { hash } from 'node:crypto';
import type { ReadingEntry } from '../../shared/proof/leaf.ts';
import { leafHash, nodeHash, type Sha256 } from '../../shared/proof/merkle.ts';
import { FIELD_NAMES, type FieldName } from '../../shared/protocol/fields.ts';
import { signedOf } from './signed.ts';
import type { LogProblem } from './store-log.ts';

/**
 * The lowest level of the tree whose hashes are stored. Lower levels are computed from the leaves on demand, in every
 * engine.
 */
export const LOWEST_KEPT_LEVEL = 8;
/** The number of leaves of a block: a complete subtree of the lowest stored level. */
export const BLOCK_LEAVES = 2 ** LOWEST_KEPT_LEVEL;

export const sha256: Sha256 = (data) => hash('sha256', data, 'buffer');

/** Returns the hash of an entry with this text. */
export function hashOfText(text: string): Uint8Array {
  return leafHash(sha256, Buffer.from(text, 'utf8'));
}

/** The columns of a stored reading. */
interface KeptReading {
  /** Lowercase hex. */
  readonly device: string;
  readonly seq: bigint;
  readonly timestamp: bigint;
  /** Unix milliseconds, with corrections applied. */
  readonly receivedAt: unknown;
  /** null if the clock was known to be right. */
  readonly clock: unknown;
  /** The time and clock as first recorded; null if they were never corrected. */
  readonly firstArrival: string | null;
  readonly keyVersion: number;
  /** See `signedOf`. */
  readonly signature: unknown;
  readonly kept: unknown;
  /** The fields, in the order of `FIELD_NAMES`. */
  readonly values: readonly (number | Buffer | null | undefined)[];
}

/** Returns the log entry of a reading. */
export function entryOf({ device, seq, timestamp, keyVersion, values, ...row }: KeptReading): ReadingEntry {
  const [receivedAt, clock] = (row.firstArrival ?? `${row.receivedAt} ${row.clock ?? 0}`).split(' ').map(Number);
  const fields = new Map<FieldName, number | Uint8Array>();
  for (const [place, name] of FIELD_NAMES.entries()) {
    const value = values[place];
    if (value != null) fields.set(name, value);
  }
  return {
    ...{ kind: 'reading', device, seq: String(seq), timestamp: String(timestamp) },
    ...{ receivedAt: receivedAt!, clock: clock!, keyVersion },
    signed: signedOf(row.signature, row.kept, {
      ...{ deviceId: device, seq, timestamp, keyVersion },
      values: values as readonly (number | Buffer | null)[],
    }),
    fields,
  };
}

/** Returns the hashes of pairs of hashes; a single last hash is left out. */
function pairsOf(hashes: readonly Uint8Array[]): Uint8Array[] {
  return Array.from({ length: Math.floor(hashes.length / 2) }, (_, at) =>
    nodeHash(sha256, hashes[2 * at]!, hashes[2 * at + 1]!),
  );
}

/** Returns the hashes of the complete subtrees over the leaves of a block, by level. */
export function levelsOf(leaves: readonly Uint8Array[]): (readonly Uint8Array[])[] {
  const levels = [leaves];
  for (let hashes = leaves; hashes.length > 1; levels.push(hashes)) hashes = pairsOf(hashes);
  return levels;
}

/** Returns the hash of a complete block. */
export function hashOfBlock(leaves: readonly Uint8Array[]): Uint8Array {
  return levelsOf(leaves)[LOWEST_KEPT_LEVEL]![0]!;
}

/** Compares the leaves from index `from` to `to` (exclusive) with the existing entries. */
export function problemsOfLeaves(
  [from, to]: readonly [from: number, to: number],
  leaves: ReadonlyMap<number, { readonly hash: Buffer; readonly isDeleted: boolean }>,
  texts: ReadonlyMap<number, { readonly text: string; readonly reading: LogProblem['reading'] }>,
): LogProblem[] {
  const problems: LogProblem[] = [];
  for (let index = from; index < to; index += 1) {
    const [leaf, found] = [leaves.get(index), texts.get(index)];
    if (leaf === undefined) problems.push({ index, kind: 'hash', reading: found?.reading ?? null });
    else if (found === undefined) {
      if (!leaf.isDeleted) problems.push({ index, kind: 'deleted', reading: null });
    } else if (found.text === 'missing\n') problems.push({ index, kind: 'deleted', reading: null });
    else if (!leaf.hash.equals(hashOfText(found.text))) {
      problems.push({ index, kind: 'changed', reading: found.reading });
    }
  }
  return problems;
}

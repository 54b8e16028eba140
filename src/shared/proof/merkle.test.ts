import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { THOROUGH } from '../../../test/support/thorough.ts';
import {
  consistencyProof,
  type HashedTree,
  inclusionPath,
  isConsistent,
  isSame,
  leafHash,
  nodeHash,
  rootByPath,
  rootOf,
  type Sha256,
  type TreeHead,
} from './merkle.ts';

const sha256: Sha256 = (data) => new Uint8Array(hash('sha256', data, 'buffer'));
/** Past two powers of two that differ in how trees end; the long run goes further. */
const MOST = THOROUGH > 1 ? 100 : 40;
const leaves = Array.from({ length: MOST }, (_, index) => leafHash(sha256, Buffer.from(`leaf ${index}`)));
/** The hashes of the complete subtrees, by level: the leaves, and above them one hash for each two. */
const levels = [leaves];
while (levels.at(-1)!.length > 1) {
  const below = levels.at(-1)!;
  levels.push(
    Array.from({ length: below.length >> 1 }, (_, at) => nodeHash(sha256, below[2 * at]!, below[2 * at + 1]!)),
  );
}
const tree: HashedTree = { sha256, subtree: (level, position) => levels[level]![position]! };
/** Returns the root by the definition of RFC 6962, word by word. */
function root(hashes: readonly Uint8Array[]): Uint8Array {
  if (hashes.length === 0) return sha256(new Uint8Array(0));
  if (hashes.length === 1) return hashes[0]!;
  let k = 1;
  while (k * 2 < hashes.length) k *= 2;
  return nodeHash(sha256, root(hashes.slice(0, k)), root(hashes.slice(k)));
}
const heads = Array.from({ length: MOST + 1 }, (_, size) => ({ size, root: root(leaves.slice(0, size)) }));
const NOTHING = new Uint8Array(0);
const flipped = (hash: Uint8Array, bit: number) =>
  hash.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));

it('gives the root that RFC 6962 defines, for all sizes', () => {
  for (const head of heads) expect(rootOf(tree, head.size), `${head.size}`).toEqual(head.root);
});

it('proves every leaf in trees of all sizes, and no changed hash, other leaf or other place', () => {
  const faults: string[] = [];
  for (const { size, root: whole } of heads) {
    const leadsToRoot = (of: Parameters<typeof rootByPath>[1]) => isSame(rootByPath(sha256, of) ?? NOTHING, whole);
    for (let index = 0; index < size; index += 1) {
      const path = inclusionPath(tree, index, size);
      const of = { index, size, leaf: leaves[index]!, path };
      if (!leadsToRoot(of)) faults.push(`${index} of ${size}`);
      const forged = [
        ...path.map((hash, at) => ({ ...of, path: path.with(at, flipped(hash, (index * 7 + at * 31) % 256)) })),
        { ...of, leaf: leaves[(index + 1) % MOST]! },
        { ...of, index: index + 1 },
        { ...of, path: [...path, whole] },
        ...(path.length === 0
          ? []
          : [
              { ...of, path: path.slice(1) },
              { ...of, path: path.slice(0, -1) },
            ]),
        ...(index === 0 ? [] : [{ ...of, index: index - 1 }]),
      ];
      for (const [at, each] of forged.entries())
        if (leadsToRoot(each)) faults.push(`forgery ${at} of ${index} of ${size}`);
    }
  }
  expect(faults).toEqual([]);
});

it('proves that every tree is the beginning of every larger one, and detects changes', () => {
  const faults: string[] = [];
  for (const older of heads) {
    for (const newer of heads.slice(older.size)) {
      const proof = consistencyProof(tree, older.size, newer.size);
      const holds = (from: TreeHead, to: TreeHead, by: readonly Uint8Array[]) => isConsistent(sha256, from, to, by);
      if (!holds(older, newer, proof)) faults.push(`${older.size} in ${newer.size}`);
      const forged = [
        ...proof.map((hash, at) => holds(older, newer, proof.with(at, flipped(hash, (newer.size + at * 17) % 256)))),
        holds({ ...older, root: flipped(older.root, newer.size % 256) }, newer, proof),
        holds(older, newer, [...proof, older.root]),
        proof.length > 0 && holds(older, newer, proof.slice(0, -1)),
        newer.size > older.size && holds(newer, older, proof),
        // The empty tree is the beginning of any tree.
        older.size > 0 && holds(older, { ...newer, root: flipped(newer.root, 9) }, proof),
      ];
      if (forged.includes(true)) faults.push(`forgery ${forged.indexOf(true)} of ${older.size} in ${newer.size}`);
    }
  }
  expect(faults).toEqual([]);
});

/** Vectors of transparency-dev/merkle; bytes are base64. */
interface Vectors {
  readonly inclusion: readonly {
    readonly name: string;
    readonly leafIdx: number;
    readonly treeSize: number;
    readonly root: string | null;
    readonly leafHash: string | null;
    readonly proof: readonly string[] | null;
    readonly wantErr: boolean;
  }[];
  readonly consistency: readonly {
    readonly name: string;
    readonly size1: number;
    readonly size2: number;
    readonly root1: string | null;
    readonly root2: string | null;
    readonly proof: readonly string[] | null;
    readonly wantErr: boolean;
  }[];
}
const vectors = JSON.parse(
  readFileSync(new URL('../../../test/vectors/merkle.json', import.meta.url), 'utf8'),
) as Vectors;
const bytes = (text: string | null) => new Uint8Array(Buffer.from(text ?? '', 'base64'));
const hashes = (texts: readonly string[] | null) => (texts ?? []).map(bytes);

describe('the vectors of another implementation', () => {
  test('exist', () => expect([vectors.inclusion.length, vectors.consistency.length]).toEqual([98, 98]));

  test.each(vectors.inclusion)(
    'inclusion: $name',
    ({ leafIdx, treeSize, root: whole, leafHash: leaf, proof, wantErr }) => {
      const found = rootByPath(sha256, { index: leafIdx, size: treeSize, leaf: bytes(leaf), path: hashes(proof) });
      expect(found !== null && Buffer.from(found).equals(bytes(whole))).toBe(!wantErr);
    },
  );

  test.each(vectors.consistency)('consistency: $name', ({ size1, size2, root1, root2, proof, wantErr }) => {
    const [older, newer] = [
      { size: size1, root: bytes(root1) },
      { size: size2, root: bytes(root2) },
    ];
    // One vector has roots that are not hashes. They are refused here.
    const areRoots = older.root.length === 32 && newer.root.length === 32;
    expect(isConsistent(sha256, older, newer, hashes(proof))).toBe(!wantErr && areRoots);
  });
});

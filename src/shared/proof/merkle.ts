/**
 * Merkle trees of RFC 6962 and RFC 9162. A leaf's hash is the SHA-256 of 0x00 and the leaf; a node's hash is the
 * SHA-256 of 0x01 and its two children. Sizes and indexes are whole numbers below 2^53.
 */

/** SHA-256. */
export type Sha256 = (data: Uint8Array) => Uint8Array;

/** Returns the hash of a complete subtree: of the 2^level leaves from position * 2^level on. */
export type Subtrees = (level: number, position: number) => Uint8Array;

export const HASH_BYTES = 32;

/** Returns the hash of a leaf. */
export function leafHash(sha256: Sha256, leaf: Uint8Array): Uint8Array {
  const data = new Uint8Array(1 + leaf.length);
  data.set(leaf, 1);
  return sha256(data);
}

/** Returns the hash of a node with two children. */
export function nodeHash(sha256: Sha256, left: Uint8Array, right: Uint8Array): Uint8Array {
  const data = new Uint8Array(1 + 2 * HASH_BYTES);
  data[0] = 1;
  data.set(left, 1);
  data.set(right, 1 + HASH_BYTES);
  return sha256(data);
}

/** The sources of a tree's hashes. */
export interface HashedTree {
  readonly sha256: Sha256;
  readonly subtree: Subtrees;
}

/** Returns the root of the tree of the first `size` leaves. */
export function rootOf({ sha256, subtree }: HashedTree, size: number): Uint8Array {
  return size === 0 ? sha256(new Uint8Array(0)) : hashOfRange({ sha256, subtree }, 0, size);
}

/**
 * Returns a function that returns the paths of leaves in the tree of the first `size` leaves. The few incomplete
 * subtrees are hashed only once, so many paths cost little more than their own hashes.
 */
export function inclusionPaths(tree: HashedTree, size: number): (index: number) => Uint8Array[] {
  const known = new Map<number, Uint8Array>();
  const kept: HashedTree & { readonly known: Map<number, Uint8Array> } = { ...tree, known };
  return (index) => inclusionPath(kept, index, size);
}

/** Returns the hashes from a leaf to the root of the tree of the first `size` leaves, the leaf's sibling first. */
export function inclusionPath(
  tree: HashedTree & { readonly known?: Map<number, Uint8Array> },
  index: number,
  size: number,
) {
  const path: Uint8Array[] = [];
  let [begin, end] = [0, size];
  while (end - begin > 1) {
    const middle = begin + largestPowerBelow(end - begin);
    if (index < middle) {
      // Only a subtree at the end of the tree can be incomplete, so its beginning identifies it.
      const right = (end === size ? tree.known?.get(middle) : undefined) ?? hashOfRange(tree, middle, end);
      if (end === size) tree.known?.set(middle, right);
      path.push(right);
      end = middle;
    } else {
      path.push(hashOfRange(tree, begin, middle));
      begin = middle;
    }
  }
  return path.reverse();
}

/**
 * Returns the hashes that prove that the tree of the first `oldSize` leaves is the beginning of the tree of the first
 * `size`.
 */
export function consistencyProof(tree: HashedTree, oldSize: number, size: number): Uint8Array[] {
  const proof: Uint8Array[] = [];
  if (oldSize === 0 || oldSize === size) return proof;
  let [begin, end] = [0, size];
  let old = oldSize;
  // Whether the old tree ends at `end`, and no part of it is before `begin`.
  let isWhole = true;
  while (old !== end - begin) {
    const middle = largestPowerBelow(end - begin);
    if (old <= middle) {
      proof.push(hashOfRange(tree, begin + middle, end));
      end = begin + middle;
    } else {
      proof.push(hashOfRange(tree, begin, begin + middle));
      begin += middle;
      old -= middle;
      isWhole = false;
    }
  }
  if (!isWhole) proof.push(hashOfRange(tree, begin, end));
  return proof.reverse();
}

/**
 * Returns the root that a leaf and its path result in; null if the path does not fit this place in a tree of this size.
 */
export function rootByPath(
  sha256: Sha256,
  { index, size, leaf, path }: { index: number; size: number; leaf: Uint8Array; path: readonly Uint8Array[] },
): Uint8Array | null {
  if (index >= size || [leaf, ...path].some((hash) => hash.length !== HASH_BYTES)) return null;
  let [at, last] = [index, size - 1];
  let root = leaf;
  for (const hash of path) {
    if (last === 0) return null;
    if (at % 2 === 1 || at === last) {
      root = nodeHash(sha256, hash, root);
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else root = nodeHash(sha256, root, hash);
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? root : null;
}

/** The tree of a checkpoint. */
export interface TreeHead {
  readonly size: number;
  readonly root: Uint8Array;
}

/** Returns whether a proof shows that an older tree is the beginning of a newer one. */
export function isConsistent(sha256: Sha256, older: TreeHead, newer: TreeHead, proof: readonly Uint8Array[]): boolean {
  const all = [older.root, newer.root, ...proof];
  if (older.size > newer.size || all.some((hash) => hash.length !== HASH_BYTES)) return false;
  if (older.size === newer.size) return proof.length === 0 && isSame(older.root, newer.root);
  if (older.size === 0) return proof.length === 0 && isSame(older.root, sha256(new Uint8Array(0)));
  const hashes = isPowerOfTwo(older.size) ? [older.root, ...proof] : [...proof];
  let [at, last] = [older.size - 1, newer.size - 1];
  while (at % 2 === 1) [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  const first = hashes.shift();
  if (first === undefined) return false;
  let [oldRoot, newRoot] = [first, first];
  for (const hash of hashes) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      oldRoot = nodeHash(sha256, hash, oldRoot);
      newRoot = nodeHash(sha256, hash, newRoot);
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else newRoot = nodeHash(sha256, newRoot, hash);
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 && isSame(oldRoot, older.root) && isSame(newRoot, newer.root);
}

/** Returns whether two byte strings are equal. */
export function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** Returns the hash of the leaves from `begin` up to `end`. A subtree of the tree must start at `begin`. */
function hashOfRange(tree: HashedTree, begin: number, end: number): Uint8Array {
  const count = end - begin;
  if (isPowerOfTwo(count)) return tree.subtree(Math.log2(count), begin / count);
  const middle = begin + largestPowerBelow(count);
  return nodeHash(tree.sha256, hashOfRange(tree, begin, middle), hashOfRange(tree, middle, end));
}

function isPowerOfTwo(value: number): boolean {
  return Number.isInteger(Math.log2(value)) && 2 ** Math.log2(value) === value;
}

/** Returns the largest power of two that is less than a number of at least 2. */
function largestPowerBelow(value: number): number {
  let power = 1;
  while (power * 2 < value) power *= 2;
  return power;
}

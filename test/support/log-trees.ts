import { sha256 } from '../../src/main/proof/log-key.ts';
import type { LogProblem, StoreLog } from '../../src/main/store/store-log.ts';
import { type HashedTree, nodeHash, rootOf } from '../../src/shared/proof/merkle.ts';

/** Returns the root of some leaves by the definition of RFC 6962. */
export function rootOfLeaves(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return sha256(new Uint8Array(0));
  if (leaves.length === 1) return leaves[0]!;
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return nodeHash(sha256, rootOfLeaves(leaves.slice(0, k)), rootOfLeaves(leaves.slice(k)));
}

/** Returns the hashes of a store's log. */
export const treeOf = (log: StoreLog): HashedTree => ({
  sha256,
  subtree: (level, position) => log.subtree(level, position),
});

/** Returns the root of a log, now or at an earlier size, in hex. */
export const rootAt = (log: StoreLog, size = log.size): string =>
  Buffer.from(rootOf(treeOf(log), size)).toString('hex');

/** Returns all faults of a store that its log shows. */
export async function problemsOf(log: StoreLog): Promise<LogProblem[]> {
  const problems: LogProblem[] = [];
  for (let block = 0; block * 256 < log.size; block += 1) problems.push(...(await log.check(block)));
  return problems;
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseEntry } from '../../shared/proof/leaf.ts';
import { isSame, rootOf } from '../../shared/proof/merkle.ts';
import { parseCheckpoint, parseNote, signatureOf } from '../../shared/proof/note.ts';
import type { StoreName } from '../../shared/protocol/codes.ts';
import { MAX_UINT64 } from '../../shared/protocol/uint64.ts';
import type { Position } from '../store/reading.ts';
import type { LogProblem, StoreLog } from '../store/store-log.ts';
import type { LogReader } from '../store/stores-view.ts';
import { type LogSigner, sha256, verifyEd25519 } from './log-key.ts';

const BLOCK_LEAVES = 256;
const BLOCKS_AT_ONCE = 16;
const READINGS_AT_ONCE = 2000;
/** The maximum number of listed findings; more are only counted. */
const MOST_LISTED = 1000;

/** The size and root of an earlier tree, as it was signed or noted. */
export interface KnownHead {
  readonly size: number;
  /** Lowercase hex. */
  readonly root: string;
}

/** The findings in a store's log. */
export interface LogCheck {
  /** The number of hashed leaves. */
  readonly size: number;
  /** The number of readings that are not in the log: stored by an earlier version, or less than a minute ago. */
  readonly unlogged: number;
  readonly signed: number;
  /** Readings whose signature is not valid for their device. */
  readonly badSignatures: readonly { readonly device: string; readonly seq: string }[];
  readonly problems: readonly LogProblem[];
  /** The number of all problems, including those that are not listed. */
  readonly problemCount: number;
  /** The sizes of earlier trees that this tree does not continue, or that are larger. */
  readonly broken: readonly number[];
  readonly checkpoints: number;
}

/**
 * Compares a whole store with its log, the log with its checkpoints and with `heads` that were noted elsewhere, and
 * checks every signature. Reads the whole store.
 */
export async function checkLog(
  reader: Pick<LogReader, 'snapshot'>,
  signer: LogSigner,
  store: StoreName,
  heads: readonly KnownHead[],
  onProgress: (done: number, total: number) => void,
): Promise<LogCheck> {
  return reader.snapshot(async (view) => {
    const log = await view.log(store);
    const blocks = Math.ceil(log.size / BLOCK_LEAVES);
    const problems: LogProblem[] = [];
    let problemCount = 0;
    for (let block = 0; block < blocks; block += 1) {
      const found = await log.check(block);
      problemCount += found.length;
      problems.push(...found.slice(0, Math.max(0, MOST_LISTED - problems.length)));
      if (block % BLOCKS_AT_ONCE !== 0) continue;
      onProgress(block, blocks);
      // The memory of rows is freed between turns of the event loop.
      await nextTurn();
    }
    const counts = { unlogged: 0, signed: 0 };
    const badSignatures: { device: string; seq: string }[] = [];
    for (const { id, entries } of await view.devices()) {
      if (!entries.some((entry) => entry.store === store)) continue;
      let after: Position | null = null;
      for (;;) {
        const page = await view.loggedReadings(store, id, ALL, after, READINGS_AT_ONCE);
        for (const { index, text } of page) {
          if (index === null) counts.unlogged += 1;
          const entry = parseEntry(text);
          if (entry?.kind !== 'reading' || entry.signed === null) continue;
          counts.signed += 1;
          const { signature, raw } = entry.signed;
          if (verifyEd25519(signature, raw, Buffer.from(id, 'hex'))) continue;
          if (badSignatures.length < MOST_LISTED) badSignatures.push({ device: id, seq: entry.seq });
        }
        if (page.length < READINGS_AT_ONCE) break;
        after = page.at(-1)!;
        await nextTurn();
      }
    }
    const checkpoints = log.checkpoints();
    const key = signer.keyOf(store);
    const broken = checkpoints.flatMap(({ size, note: text }) => {
      const note = parseNote(text);
      const said = note === null ? null : parseCheckpoint(note.text);
      const isSound =
        said?.size === size &&
        said.origin === key.name &&
        signatureOf({ sha256, verify: verifyEd25519 }, note!, key).state === 'good' &&
        continues(log, { size, root: Buffer.from(said.root).toString('hex') });
      return isSound ? [] : [size];
    });
    broken.push(...heads.filter((head) => !continues(log, head)).map(({ size }) => size));
    return {
      ...{ size: log.size, ...counts, badSignatures, problems, problemCount },
      ...{ broken: [...new Set(broken)].sort((a, b) => a - b), checkpoints: checkpoints.length },
    };
  });
}

const ALL = { axis: 'timestamp', from: 0n, to: MAX_UINT64 } as const;

/** Returns whether a log continues an earlier tree. */
export function continues(log: StoreLog, { size, root }: KnownHead): boolean {
  if (size > log.size) return false;
  try {
    return isSame(
      rootOf({ sha256, subtree: (level, position) => log.subtree(level, position) }, size),
      Buffer.from(root, 'hex'),
    );
  } catch {
    // The log lacks a hash.
    return false;
  }
}

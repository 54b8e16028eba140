import { pino } from 'pino';
import { z } from 'zod';
import type { Output } from '../../shared/owner-api/contract.ts';
import { deviceId, storeName, timeMs } from '../../shared/owner-data/values.ts';
import { consistencyProof } from '../../shared/proof/merkle.ts';
import {
  formatNote,
  parseKey,
  parseNote,
  parseSignatureLine,
  SignatureType,
  signatureOf,
} from '../../shared/proof/note.ts';
import { formatRequest } from '../../shared/proof/witness-request.ts';
import type { StoreName } from '../../shared/protocol/codes.ts';
import type { StateFolder } from '../state-files/aside.ts';
import { openStateFile } from '../state-files/damaged-files.ts';
import type { StateFile, StateFileKind } from '../state-files/state-file.ts';
import type { StoreLog } from '../store/store-log.ts';
import { sha256, verifyEd25519 } from './log-key.ts';

const witnessed = z.object({
  store: storeName,
  /** The public key of the witness's node. */
  node: deviceId,
  /** The key that it cosigns with, as a vkey. */
  key: z.string(),
  since: timeMs,
  at: timeMs,
  size: z.int().min(0),
  /** The checkpoint of that size with the signatures of the log and of the witness. */
  note: z.string(),
  /** Since when it refuses; null if it does not. */
  refusedAt: timeMs.nullable(),
});
/** A tree of a log that a witness has cosigned. */
export type Witnessed = z.infer<typeof witnessed>;

const content = z.object({ version: z.literal(1), witnessed: z.array(witnessed) });

/** The file of this node's log trees that witnesses cosigned. */
export const WITNESSES_FILE: StateFileKind<typeof content> = {
  ...{ name: 'log-witnesses.json', schema: content, empty: { version: 1, witnessed: [] } },
};

/** Another node that can be asked. */
export interface WitnessNode {
  /** Its public key. */
  readonly id: string;
  /** Resolves with null if it did not answer, or does not support cosigning. */
  readonly ask: (input: { log: string; request: string }) => Promise<Output<'cosignCheckpoint'> | null>;
}

/** A signed checkpoint of a store, and access to its log: the log must not stay open while a witness is asked. */
export interface Signed {
  readonly store: StoreName;
  readonly log: string;
  readonly note: string;
  readonly size: number;
  readonly withLog: <T>(look: (log: StoreLog) => T) => Promise<T>;
}

/** Has other nodes cosign checkpoints, and stores their signatures. */
export class LogWitnesses {
  readonly #folder: StateFolder;
  readonly #file: StateFile<typeof content>;

  /** Throws StartError if the file can't be read. */
  constructor(folder: StateFolder) {
    this.#folder = folder;
    this.#file = openStateFile(WITNESSES_FILE, folder);
    this.#file.read();
  }

  /** The newest tree that each witness cosigned. */
  get all(): readonly Witnessed[] {
    return this.#file.peek()?.witnessed ?? [];
  }

  /** Asks a node to cosign a checkpoint, unless it has. Rejects like the file system. */
  async ask(node: WitnessNode, signed: Signed): Promise<'cosigned' | 'known' | 'refused' | 'away'> {
    const { store, size, log, note } = signed;
    const before = this.all.find((each) => each.node === node.id && each.store === store);
    if (before?.size === size && before.refusedAt === null) return 'known';
    let old = before?.size ?? 0;
    // The second attempt uses the size that the witness reports.
    for (let tries = 0; tries < 2; tries += 1) {
      const proof = old > size ? null : await signed.withLog((tree) => proofOf(tree, old, size));
      if (proof === null) break;
      const answer = await node.ask({ log, request: formatRequest({ old, proof, note }) });
      if (answer === null) return 'away';
      if (answer.outcome === 'cosigned') {
        const cosigned = withSignature(note, answer);
        if (cosigned === null) return 'away';
        const [since, at] = [before?.since ?? this.#folder.now(), this.#folder.now()];
        const next = { store, node: node.id, key: answer.key, since, at, size, note: cosigned, refusedAt: null };
        await this.#keep(next);
        return 'cosigned';
      }
      if (answer.outcome === 'refused' && answer.reason !== 'consistency') return 'away';
      if (answer.outcome === 'refused') break;
      old = answer.size;
    }
    // The witness cosigned a tree that this log does not continue. Without an earlier signature of it, there is nothing
    // to record.
    if (before !== undefined) await this.#keep({ ...before, refusedAt: before.refusedAt ?? this.#folder.now() });
    return 'refused';
  }

  async #keep(next: Witnessed): Promise<void> {
    const others = this.all.filter(({ node, store }) => node !== next.node || store !== next.store);
    await this.#file.write(() => ({ version: 1, witnessed: [...others, next] }));
  }
}

/** Returns the newest trees of a store that witnesses cosigned. It also works while a node is running. */
export function witnessedOf(dataDir: string, store: StoreName): readonly Witnessed[] {
  const folder = { path: dataDir, log: pino({ level: 'silent' }), now: () => 0 };
  return (openStateFile(WITNESSES_FILE, folder).peek()?.witnessed ?? []).filter((each) => each.store === store);
}

/** Returns null if the log lacks a hash. */
function proofOf(log: StoreLog, old: number, size: number): Uint8Array[] | null {
  try {
    return consistencyProof({ sha256, subtree: (level, at) => log.subtree(level, at) }, old, size);
  } catch {
    return null;
  }
}

/** Returns the note with a witness's signature; null if the signature is not valid. */
function withSignature(text: string, { line, key: keyText }: { line: string; key: string }): string | null {
  const [note, key, signature] = [parseNote(text), parseKey(sha256, keyText), parseSignatureLine(line)];
  if (note === null || signature === null || key?.type !== SignatureType.COSIGNATURE) return null;
  const whole = { text: note.text, signatures: [...note.signatures, signature] };
  const isGood = signatureOf({ sha256, verify: verifyEd25519 }, whole, key).state === 'good';
  return isGood ? formatNote(whole) : null;
}

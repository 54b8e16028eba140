import { sign } from 'node:crypto';
import { pino } from 'pino';
import { z } from 'zod';
import type { Input, Output } from '../../shared/owner-api/contract.ts';
import { timeMs } from '../../shared/owner-data/values.ts';
import { isConsistent, isSame } from '../../shared/proof/merkle.ts';
import {
  cosign,
  formatKey,
  type NoteKey,
  parseKey,
  SignatureType,
  signatureLine,
  signatureOf,
} from '../../shared/proof/note.ts';
import { parseRequest } from '../../shared/proof/witness-request.ts';
import { SerialQueue } from '../../shared/serial-queue.ts';
import { keyFromIdentity } from '../data-folder/identity.ts';
import { publicKeyBytes } from '../data-folder/node-key.ts';
import type { StateFolder } from '../state-files/aside.ts';
import { openStateFile } from '../state-files/damaged-files.ts';
import type { StateFile, StateFileKind } from '../state-files/state-file.ts';
import { sha256, verifyEd25519 } from './log-key.ts';

/**
 * The purpose for which the witness's key is derived. It must differ from that of the key that signs this node's own
 * logs.
 */
const PURPOSE = 'wellhouse witness key v1';
/** More than the logs of one owner's nodes: each node has two. */
const MAX_LOGS = 100;

const content = z.object({
  version: z.literal(1),
  logs: z.array(
    z.object({
      /** The key of the log as a vkey. */
      log: z.string(),
      size: z.int().min(0),
      /** Lowercase hex. */
      root: z.string().regex(/^[0-9a-f]{64}$/),
      at: timeMs,
      /** Since when the log shows another tree; null if it continues this one. */
      refusedAt: timeMs.nullable().default(null),
    }),
  ),
});

/** The file of other nodes' trees that this node cosigned last. */
export const WITNESSED_FILE: StateFileKind<typeof content> = {
  ...{ name: 'witnessed-logs.json', schema: content, empty: { version: 1, logs: [] } },
  // With an older tree, a log could go back to it.
  copy: 'same',
};

type Outcome = Output<'cosignCheckpoint'>;
const refused = (reason: Extract<Outcome, { outcome: 'refused' }>['reason']): Outcome => ({
  outcome: 'refused',
  reason,
});

/** Cosigns checkpoints of other nodes' logs, but only if they continue the last cosigned tree. */
export class Witness {
  readonly #folder: StateFolder;
  readonly #turns = new SerialQueue();
  #file: StateFile<typeof content> | null = null;

  /** `folder` is the data folder of the node. */
  constructor(folder: StateFolder) {
    this.#folder = folder;
  }

  /** See the contract. Rejects like the file system; then nothing was cosigned. */
  cosign(input: Input<'cosignCheckpoint'>): Promise<Outcome> {
    return this.#turns.run(() => this.#cosign(input));
  }

  async #cosign({ log, request }: Input<'cosignCheckpoint'>): Promise<Outcome> {
    const logKey = parseKey(sha256, log);
    const asked = parseRequest(request);
    if (logKey?.type !== SignatureType.ED25519 || asked === null) return refused('form');
    const { old, proof, parsed, said } = asked;
    if (said.origin !== logKey.name || old > said.size) return refused('form');
    if (signatureOf({ sha256, verify: verifyEd25519 }, parsed, logKey).state !== 'good') return refused('signature');
    this.#file ??= openStateFile(WITNESSED_FILE, this.#folder);
    const logs = this.#file.read()?.logs ?? [];
    const last = logs.find((each) => each.log === log);
    if (last === undefined && logs.length >= MAX_LOGS) return refused('full');
    const size = last?.size ?? 0;
    const at = this.#folder.now();
    const others = logs.filter((each) => each.log !== log);
    const noteRefusal = async () => {
      if (last === undefined || last.refusedAt !== null) return;
      await this.#file!.write(() => ({ version: 1, logs: [...others, { ...last, refusedAt: at }] }));
    };
    // Its newest checkpoint is of a smaller tree, so the log was reset.
    if (said.size < size) await noteRefusal();
    if (old !== size) return { outcome: 'conflict', size };
    const root = last === undefined ? sha256(new Uint8Array(0)) : Buffer.from(last.root, 'hex');
    if (!isConsistent(sha256, { size, root }, said, proof)) {
      if (said.size > size || !isSame(said.root, root)) await noteRefusal();
      return refused('consistency');
    }
    const next = { log, size: said.size, root: Buffer.from(said.root).toString('hex'), at, refusedAt: null };
    // This must be on disk before the signature is returned: the witness must never sign another tree of this size.
    await this.#file.write(() => ({ version: 1, logs: [...others, next] }));
    const { key, note } = witnessKey(this.#folder.path);
    const signature = cosign(sha256, parsed.text, note, Math.floor(at / 1000), (message) => sign(null, message, key));
    return { outcome: 'cosigned', line: signatureLine(signature), key: formatKey(sha256, note) };
  }
}

/**
 * Returns the logs of other nodes that do not continue the cosigned trees, according to the file in the data folder.
 */
export function refusedLogs(dataDir: string): { name: string; size: number; at: number; refusedAt: number }[] {
  const folder = { path: dataDir, log: pino({ level: 'silent' }), now: () => 0 };
  const logs = openStateFile(WITNESSED_FILE, folder).peek()?.logs ?? [];
  return logs.flatMap(({ log, size, at, refusedAt }) =>
    refusedAt === null ? [] : [{ name: parseKey(sha256, log)?.name ?? log, size, at, refusedAt }],
  );
}

/** Returns the key that a node cosigns with. Throws StartError if the folder's identity can't be read. */
function witnessKey(dataDir: string) {
  const { key, publicKey } = keyFromIdentity(dataDir, PURPOSE);
  const name = `wellhouse/${publicKey}/witness`;
  const note: NoteKey = { name, type: SignatureType.COSIGNATURE, publicKey: publicKeyBytes(key) };
  return { key, note };
}

import { consistencyProof, inclusionPaths, isSame, type Subtrees } from '../../shared/proof/merkle.ts';
import { formatKey, parseCheckpoint, parseKey, parseNote } from '../../shared/proof/note.ts';
import {
  PROOF_FORMAT,
  type ProofEnd,
  type ProofEntry,
  type ProofHead,
  type ProofWitness,
} from '../../shared/proof/proof-format.ts';
import type { StoreName } from '../../shared/protocol/codes.ts';
import type { Position } from '../store/reading.ts';
import type { StoreLog } from '../store/store-log.ts';
import type { LogView } from '../store/stores-view.ts';
import { continues } from './check-log.ts';
import { type LogSigner, sha256 } from './log-key.ts';
import { witnessedOf } from './log-witnesses.ts';

/** The subject of a proof. */
export interface ProofOrder {
  readonly store: StoreName;
  readonly device: string;
  /** Timestamps of the device, both inclusive. */
  readonly from: bigint;
  readonly to: bigint;
}

/** A reading and its line in a proof, with the newline; null: it is not in the tree. */
export interface ProvenReading extends Position {
  /** The stored time of arrival, Unix milliseconds. */
  readonly receivedAt: number;
  /** The text of its entry. */
  readonly entry: string;
  readonly line: string | null;
}

/** The lines before the readings, and the number of corrections and registrations among them. */
export interface ProofBegin {
  readonly lines: string;
  readonly corrections: number;
  readonly registrations: number;
}

/** Makes the lines of proofs for one tree size of a store's log. */
export class ProofLines {
  readonly #view: LogView;
  readonly #log: StoreLog;
  readonly #size: number;
  readonly #pathOf: (index: number) => Uint8Array[];

  /** `size` is that of an earlier tree; null: the current one. */
  private constructor(view: LogView, log: StoreLog, size: number | null) {
    const subtree: Subtrees = (level, position) => log.subtree(level, position);
    this.#view = view;
    this.#log = log;
    this.#size = size ?? log.size;
    this.#pathOf = inclusionPaths({ sha256, subtree }, this.#size);
  }

  static async of(view: LogView, store: StoreName, size: number | null = null): Promise<ProofLines> {
    const log = await view.log(store);
    // The store was reset meanwhile.
    if (size !== null && size > log.size) throw new Error(`the log has no ${size} entries`);
    return new ProofLines(view, log, size);
  }

  get size(): number {
    return this.#size;
  }

  /** Returns the head, the corrections of times and the device's registration. Only for the current tree. */
  begin(signer: LogSigner, { store, device }: ProofOrder): ProofBegin {
    const head: ProofHead = {
      ...{ format: PROOF_FORMAT, device },
      log: formatKey(sha256, signer.keyOf(store)),
      checkpoint: signer.checkpoint(store, this.#log),
      witnesses: this.#witnesses(signer, store),
    };
    const [corrections, registrations] = [this.#log.corrections(), this.#log.registrations(device)];
    const others = [...corrections, ...registrations].map(({ index, text }) => this.#entry(index, text));
    const counts = { corrections: corrections.length, registrations: registrations.length };
    return { lines: [lineOf(head), ...others].join(''), ...counts };
  }

  /** Returns at most `limit` readings after a position, in the order of their timestamps. */
  async readings(
    { store, device, from, to }: ProofOrder,
    after: Position | null,
    limit: number,
  ): Promise<ProvenReading[]> {
    const span = { axis: 'timestamp', from, to } as const;
    const page = await this.#view.loggedReadings(store, device, span, after, limit);
    return page.map(({ seq, timestamp, receivedAt, index, text }) => ({
      ...{ seq, timestamp, receivedAt, entry: text },
      line: index === null || index >= this.#size ? null : this.#entry(index, text),
    }));
  }

  /** Returns the last line. */
  end(counts: Omit<ProofEnd, 'end'>): string {
    const { readings, corrections, registrations, opened } = counts;
    return lineOf({ end: true, readings, corrections, registrations, opened });
  }

  /**
   * Returns the cosigned trees of the log. Trees that this one does not continue are left out, because no proof can
   * show them.
   */
  #witnesses({ dataDir }: LogSigner, store: StoreName): ProofWitness[] {
    const tree = { sha256, subtree: (level: number, position: number) => this.#log.subtree(level, position) };
    const all = witnessedOf(dataDir, store);
    return all.flatMap(({ key, note, size }, at) => {
      const said = parseCheckpoint(parseNote(note)?.text ?? '');
      // A node that forwards the signature of another one is not a witness, and a proof has each key only once.
      if (all.findIndex((each) => isSameKey(each.key, key)) < at) return [];
      if (said === null || !continues(this.#log, { size, root: Buffer.from(said.root).toString('hex') })) return [];
      const hashes = consistencyProof(tree, size, this.#size);
      return [{ key, checkpoint: note, consistency: hashes.map((hash) => Buffer.from(hash).toString('base64')) }];
    });
  }

  #entry(index: number, entry: string): string {
    const path = this.#pathOf(index).map((hash) => Buffer.from(hash).toString('base64'));
    return lineOf({ index, entry, path });
  }
}

const isSameKey = (one: string, other: string): boolean =>
  isSame(parseKey(sha256, one)!.publicKey, parseKey(sha256, other)!.publicKey);

const lineOf = (value: ProofHead | ProofEntry | ProofEnd): string => `${JSON.stringify(value)}\n`;

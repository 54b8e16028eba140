import { inclusionPaths, type Subtrees } from '../../shared/proof/merkle.ts';
import { formatKey } from '../../shared/proof/note.ts';
import { PROOF_FORMAT, type ProofEnd, type ProofEntry, type ProofHead } from '../../shared/proof/proof-file.ts';
import type { StoreName } from '../../shared/protocol/codes.ts';
import type { Position, StoreLog, StoresView } from '../store/port.ts';
import { type LogSigner, sha256 } from './log-key.ts';

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
  /** As the store has it now, Unix milliseconds. */
  readonly receivedAt: number;
  readonly line: string | null;
}

/** Makes the lines of proofs of a store's tree of one size. */
export class ProofLines {
  readonly #view: StoresView;
  readonly #log: StoreLog;
  readonly #size: number;
  readonly #pathOf: (index: number) => Uint8Array[];

  /** `size` is that of an earlier tree; null: as it is now. */
  private constructor(view: StoresView, log: StoreLog, size: number | null) {
    const subtree: Subtrees = (level, position) => log.subtree(level, position);
    this.#view = view;
    this.#log = log;
    this.#size = size ?? log.size;
    this.#pathOf = inclusionPaths({ sha256, subtree }, this.#size);
  }

  static async of(view: StoresView, store: StoreName, size: number | null = null): Promise<ProofLines> {
    const log = await view.log(store);
    // A store that was put back meanwhile.
    if (size !== null && size > log.size) throw new Error(`the log has no ${size} entries`);
    return new ProofLines(view, log, size);
  }

  get size(): number {
    return this.#size;
  }

  /** The head and the corrections of times. Only for the tree as it is now. */
  begin(signer: LogSigner, { store, device }: ProofOrder): { readonly lines: string; readonly corrections: number } {
    const head: ProofHead = {
      ...{ format: PROOF_FORMAT, device },
      log: formatKey(sha256, signer.keyOf(store)),
      checkpoint: signer.checkpoint(store, this.#log),
    };
    const corrections = this.#log.corrections().map(({ index, text }) => this.#entry(index, text));
    return { lines: [lineOf(head), ...corrections].join(''), corrections: corrections.length };
  }

  /** The next readings after a position, at most `limit`, in the order of their timestamps. */
  async readings(
    { store, device, from, to }: ProofOrder,
    after: Position | null,
    limit: number,
  ): Promise<ProvenReading[]> {
    const span = { axis: 'timestamp', from, to } as const;
    const page = await this.#view.loggedReadings(store, device, span, after, limit);
    return page.map(({ seq, timestamp, receivedAt, index, text }) => ({
      ...{ seq, timestamp, receivedAt },
      line: index === null || index >= this.#size ? null : this.#entry(index, text),
    }));
  }

  /** The last line. */
  end(counts: Omit<ProofEnd, 'end'>): string {
    return lineOf({ end: true, readings: counts.readings, corrections: counts.corrections });
  }

  #entry(index: number, entry: string): string {
    const path = this.#pathOf(index).map((hash) => Buffer.from(hash).toString('base64'));
    return lineOf({ index, entry, path });
  }
}

const lineOf = (value: ProofHead | ProofEntry | ProofEnd): string => `${JSON.stringify(value)}\n`;

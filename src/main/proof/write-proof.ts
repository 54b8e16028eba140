import { setImmediate as nextTurn } from 'node:timers/promises';
import { inclusionPaths, type Subtrees } from '../../shared/proof/merkle.ts';
import { formatKey } from '../../shared/proof/note.ts';
import { PROOF_FORMAT, type ProofEnd, type ProofEntry, type ProofHead } from '../../shared/proof/proof-file.ts';
import type { StoreName } from '../../shared/protocol/codes.ts';
import type { LoggedReading, Position, StoresReader } from '../store/port.ts';
import { type LogSigner, sha256 } from './log-key.ts';

const READINGS_AT_ONCE = 500;

/** The subject of a proof. */
export interface ProofOrder {
  readonly store: StoreName;
  readonly device: string;
  /** Timestamps of the device, both inclusive. */
  readonly from: bigint;
  readonly to: bigint;
}

/** The contents of a proof, and the part of the span that it lacks. */
export interface ProofWritten {
  readonly readings: number;
  /** Readings that are not in the log: stored by an earlier version, or less than a minute ago. */
  readonly leftOut: number;
  /** The size of the tree. */
  readonly size: number;
}

/**
 * Writes a proof line by line, of any number of readings, from one snapshot of the store. Rejects with what `write` throws.
 */
export async function writeProof(
  reader: StoresReader,
  signer: LogSigner,
  { store, device, from, to }: ProofOrder,
  write: (lines: string) => void,
): Promise<ProofWritten> {
  return reader.snapshot(async (view) => {
    const log = await view.log(store);
    const subtree: Subtrees = (level, position) => log.subtree(level, position);
    const pathOf = inclusionPaths({ sha256, subtree }, log.size);
    const entryOf = (index: number, entry: string): ProofEntry => {
      return { index, entry, path: pathOf(index).map((hash) => Buffer.from(hash).toString('base64')) };
    };
    const head: ProofHead = {
      ...{ format: PROOF_FORMAT, device },
      log: formatKey(sha256, signer.keyOf(store)),
      checkpoint: signer.checkpoint(store, log),
    };
    write(lineOf(head));
    const corrections = log.corrections();
    for (const { index, text } of corrections) write(lineOf(entryOf(index, text)));
    let [readings, leftOut] = [0, 0];
    let after: Position | null = null;
    for (;;) {
      const span = { axis: 'timestamp', from, to } as const;
      const page: readonly LoggedReading[] = await view.loggedReadings(store, device, span, after, READINGS_AT_ONCE);
      const logged = page.filter(({ index }) => index !== null);
      write(logged.map(({ index, text }) => lineOf(entryOf(index!, text))).join(''));
      readings += logged.length;
      leftOut += page.length - logged.length;
      if (page.length < READINGS_AT_ONCE) break;
      after = page.at(-1)!;
      // Memory of rows is given back between turns of the event loop.
      await nextTurn();
    }
    const end: ProofEnd = { end: true, readings, corrections: corrections.length };
    write(lineOf(end));
    return { readings, leftOut, size: log.size };
  });
}

const lineOf = (value: ProofHead | ProofEntry | ProofEnd): string => `${JSON.stringify(value)}\n`;

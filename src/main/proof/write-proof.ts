import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Position } from '../store/reading.ts';
import type { LogReader } from '../store/stores-view.ts';
import type { LogSigner } from './log-key.ts';
import { ProofLines, type ProofOrder, type ProvenReading } from './proof-lines.ts';

const READINGS_AT_ONCE = 500;

/** The contents of a proof, and the number of missing readings. */
export interface ProofWritten {
  readonly readings: number;
  /** The number of readings that are not in the log: stored by an earlier version, or less than a minute ago. */
  readonly leftOut: number;
  /** The number of readings with opened values. */
  readonly opened: number;
  /** The size of the tree. */
  readonly size: number;
}

/**
 * Writes a proof line by line, with any number of readings, from one snapshot of the store. `open` returns the lines
 * with opened values of some entries. Rejects with the errors of `write` and `open`.
 */
export async function writeProof(
  reader: Pick<LogReader, 'snapshot'>,
  signer: LogSigner,
  order: ProofOrder,
  write: (lines: string) => void,
  open: (entries: readonly string[]) => readonly (string | null)[] = () => [],
): Promise<ProofWritten> {
  return reader.snapshot(async (view) => {
    const proof = await ProofLines.of(view, order.store);
    const { lines, corrections, registrations } = proof.begin(signer, order);
    write(lines);
    let [readings, leftOut, opened] = [0, 0, 0];
    let after: Position | null = null;
    for (;;) {
      const page: readonly ProvenReading[] = await proof.readings(order, after, READINGS_AT_ONCE);
      const proven = page.flatMap(({ line, entry }) => (line === null ? [] : [{ line, entry }]));
      const statements = open(proven.map(({ entry }) => entry));
      write(proven.map(({ line }, at) => `${line}${statements[at] ?? ''}`).join(''));
      opened += statements.filter((each) => each !== null).length;
      readings += proven.length;
      leftOut += page.length - proven.length;
      if (page.length < READINGS_AT_ONCE) break;
      after = page.at(-1)!;
      // The memory of rows is freed between turns of the event loop.
      await nextTurn();
    }
    write(proof.end({ readings, corrections, registrations, opened }));
    return { readings, leftOut, opened, size: proof.size };
  });
}

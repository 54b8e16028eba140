import type { Destination } from '../../shared/protocol/codes.ts';
import { type PackedChecks, packedRange } from './signature-packing.ts';

/** A caller's batch on its way through the threads. */
export interface Batch {
  /** Whose queue it waits in. */
  readonly destination: Destination;
  readonly checks: PackedChecks;
  /** One byte for each check, 1 where its signature is good. */
  readonly verdicts: Uint8Array;
  left: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Consecutive checks of a batch, from `from` to before `to`. */
export interface Run {
  readonly batch: Batch;
  readonly from: number;
  readonly to: number;
  /** How many threads went down with it. */
  readonly tries: number;
}

/** Runs of checks that wait for a thread, first come first served. */
export class VerificationQueue {
  readonly #runs: Run[] = [];
  #length = 0;

  /** How many checks wait. */
  get length(): number {
    return this.#length;
  }

  push(run: Run): void {
    this.#runs.push(run);
    this.#length += run.to - run.from;
  }

  /** Puts a run before all others. */
  unshift(run: Run): void {
    this.#runs.unshift(run);
    this.#length += run.to - run.from;
  }

  /** Takes at most `count` checks. */
  take(count: number): Run[] {
    const taken: Run[] = [];
    let left = Math.min(count, this.#length);
    this.#length -= left;
    while (left > 0) {
      const first = this.#runs[0]!;
      const end = Math.min(first.to, first.from + left);
      left -= end - first.from;
      if (end === first.to) taken.push(this.#runs.shift()!);
      else {
        taken.push({ ...first, to: end });
        this.#runs[0] = { ...first, from: end };
      }
    }
    return taken;
  }
}

/** How many checks the runs hold. */
export function countOf(runs: readonly Run[]): number {
  return runs.reduce((sum, { from, to }) => sum + to - from, 0);
}

/** The checks of several runs in a buffer of their own: of a slice of a shared one, a message would carry the whole. */
export function packRuns(runs: readonly Run[]): Uint8Array {
  const parts = runs.map(({ batch, from, to }) => packedRange(batch.checks, from, to));
  const packed = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) at += part.copy(packed, at);
  return packed;
}

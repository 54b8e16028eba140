/** Smaller differences come from the way of the answer; following them would make ages jump back and forth. */
const NOTICED_MS = 1500;

/**
 * The clock of a node, in Unix milliseconds. Every time in the contract is the node's; behind a tunnel the browser's clock
 * may differ, and an age would be off by as much.
 */
export class ClockOfNode {
  #offsetMs = 0;

  readonly now = (): number => Date.now() + this.#offsetMs;

  /** Takes the node's time, as it was just read. */
  set(nodeNow: number): void {
    const offset = nodeNow - Date.now();
    if (Math.abs(offset - this.#offsetMs) > NOTICED_MS) this.#offsetMs = Math.abs(offset) > NOTICED_MS ? offset : 0;
  }
}

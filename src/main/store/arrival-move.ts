/** A move of the times of readings that were received by a wrong clock. */
export interface ArrivalMove {
  /** The number of the wrong clock, and the number that the moved readings get. */
  readonly clock: number;
  readonly next: number;
  /** Milliseconds, negative if the clock was ahead. */
  readonly by: number;
  /** The first and the last time that the clock gave, both inclusive. */
  readonly from: number;
  readonly to: number;
  /** When the error of the clock was found, Unix milliseconds. */
  readonly at: number;
}

/**
 * The position that a move has reached: a step returns it, and the next step continues there. Only the engine reads it.
 */
export type MovedTo = string;

/**
 * The result of one step of a move: the devices whose readings were moved, and the next position (null: the move is
 * complete).
 */
export interface MovedStep {
  readonly devices: readonly string[];
  readonly next: MovedTo | null;
}

/** A note that times of a device were moved. */
export interface MovedArrivals {
  readonly at: number;
  readonly by: number;
  readonly readings: number;
}

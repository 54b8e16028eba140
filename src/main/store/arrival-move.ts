/** A move of readings that were received by a clock that was wrong. */
export interface ArrivalMove {
  /** The number of that clock, and the one by which they are found from now on. */
  readonly clock: number;
  readonly next: number;
  /** Milliseconds, negative where the clock was ahead. */
  readonly by: number;
  /** The times that were received by it lie between these, both inclusive. */
  readonly from: number;
  readonly to: number;
  /** When it was found. */
  readonly at: number;
}

/** Up to where readings were moved: a step gives it and the next one goes on from it. Only the engine reads it. */
export type MovedTo = string;

/** One step of a move: the devices concerned, and where it goes on; null: all is moved. */
export interface MovedStep {
  readonly devices: readonly string[];
  readonly next: MovedTo | null;
}

/** That times of a device were moved. */
export interface MovedArrivals {
  readonly at: number;
  readonly by: number;
  readonly readings: number;
}

/** The node's time, as the door needs it. */
export interface DoorClock {
  /** Unix milliseconds of the node, for what is dated: they do not follow a clock that is wrong for a moment. */
  now(): number;
  /** Milliseconds of a clock that nobody sets, for what lasts so long. */
  steady(): number;
}

import type { Bell } from '../../common/bell.ts';
import type { StoreRefusal } from '../../common/node-events.ts';
import type { Store } from '../port.ts';
import type { LaneMemory, Ticket } from './lane-memory.ts';

/**
 * The way of blocks to a store: memory in which the store's own thread finds them once their signatures are checked. It
 * stores the readings of the good ones, in the order in which they were put in, and says in place what became of each.
 */
export interface StoreLane {
  readonly memory: LaneMemory;
  /** Wakes the store's thread: to be rung each time a chunk is checked. */
  readonly bell: Bell;
  /** There is one listener; it is told on the main thread. */
  listen(listener: LaneListener): void;
}

export interface LaneListener {
  /** The store's thread is done with all chunks before `end`. `refusal` is why some of their blocks are NOT_STORED. */
  onDone(end: Ticket, refusal: StoreRefusal | null): void;
  /** The thread died: what was put in so far may or may not be stored, and is answered no more. */
  onLost(): void;
}

/** A store that devices' blocks can be taken in for. */
export interface StoreWithLane extends Store {
  readonly lane: StoreLane;
}

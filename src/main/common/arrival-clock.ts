/** The node's time, as those need it who say when something arrived. */
export interface ArrivalClock {
  /** Unix milliseconds. */
  now(): number;
  /** Now, and the number by which arrivals of now are found again should the time turn out to be wrong; 0: it is known. */
  arrival(): { readonly receivedAt: number; readonly clock: number };
}

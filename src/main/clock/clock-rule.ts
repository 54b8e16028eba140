/** A clock that changes by more than this relative to the machine's uptime was set. */
export const STEP_MS = 5000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The time for which a known time continues after the clock was set: a wrong change is usually undone soon. */
export const FOLLOW_AFTER_MS = 5 * MINUTE_MS;
/** A clock that nobody sets for this long counts as right. */
export const KNOWN_AFTER_MS = HOUR_MS;
/** The same limit if the system reports, for the first time since its start, that it has the time from the network. */
export const KNOWN_SYNCHRONISED_MS = 10 * MINUTE_MS;
/** Earlier dates are wrong, since this program is younger. */
export const EARLIEST_MS = Date.UTC(2025, 0, 1);
/** The largest drift of a clock that nobody corrects. */
const DRIFT = 1e-4;
const MOST_DRIFT_MS = 10 * MINUTE_MS;

/** The machine's clocks at one moment, in milliseconds. */
export interface Look {
  /** Unix time; somebody may set it. */
  readonly wall: number;
  /** The time since the machine's start, including sleep. Nobody can set it. */
  readonly uptime: number;
  /** Whether the system has had the time from the network since its start; null if it does not report it. */
  readonly isSynchronised: boolean | null;
}

/**
 * The state of the clock. It is stored in a file, so that another process of the same boot can continue. Times as in
 * Look.
 */
export interface ClockState {
  /** The wall clock's time at uptime 0. */
  offset: number;
  /** The lead of the node's time over the wall clock. */
  lead: number;
  /**
   * The lead of the time that was known before the clock was set; null if none has been known since the machine's
   * start.
   */
  knownLead: number | null;
  /**
   * The number of the present clock, stored with arrivals so that they can be corrected; 0 if the clock is known and
   * arrivals need no correction.
   */
  clock: number;
  /** The earliest time of an arrival with that number. */
  from: number;
  /** Uptime since which nobody has set the clock. */
  steadySince: number;
  hasStepped: boolean;
  /** The latest time that was known to be right; 0 if there was none. */
  mark: number;
}

/** The clock was set; `by` is the difference. */
export interface Stepped {
  readonly kind: 'stepped';
  readonly by: number;
}

/** The node's time changed. Arrivals with the number `clock` must be moved by `by`, and then have the number `next`. */
export interface Followed {
  readonly kind: 'followed';
  readonly clock: number;
  readonly next: number;
  readonly by: number;
  /** The range of these arrivals, both inclusive. */
  readonly from: number;
  readonly to: number;
}

/** A result of a comparison of the clocks. */
export type ClockNews = Stepped | Followed | { readonly kind: 'known' };

/** Returns the state of the clock at the start of a boot without a stored state. */
export function firstState({ wall, uptime }: Look, mark: number, newClock: () => number): ClockState {
  const lead = Math.max(0, mark - wall);
  return {
    ...{ offset: wall - uptime, lead, knownLead: null, clock: newClock(), from: wall + lead },
    ...{ steadySince: uptime, hasStepped: false, mark },
  };
}

/**
 * Determines the node's time from the machine's clocks. The wall clock can be set, the uptime can't. Their difference
 * changes only when the wall clock is set.
 *
 * - A clock is *known* once nobody has set it for an hour, or once the system has the time from the network.
 * - After a start and until the clock is known, the node follows it at once. If it is behind the mark (the latest time
 *   that was known before), the node's time continues from the mark instead. Changes move all arrivals so far.
 * - If a known clock is set, the node follows it after five minutes; until then its time continues as before. A clock
 *   that is set back to the known time is trusted at once. Changes move all arrivals since the clock was set, until it
 *   is known again.
 */
export class ClockRule {
  readonly state: ClockState;
  readonly #newClock: () => number;

  /** `newClock` returns a number above 0 that it never returned before. */
  constructor(state: ClockState, newClock: () => number) {
    this.state = state;
    this.#newClock = newClock;
  }

  /** Call this every second, and when the clock was found to be set. */
  look(look: Look): ClockNews[] {
    const { state } = this;
    const news: ClockNews[] = [];
    const moved = look.wall - look.uptime - state.offset;
    state.offset += moved;
    if (Math.abs(moved) > STEP_MS) {
      news.push({ kind: 'stepped', by: moved });
      if (Math.abs(moved) > drift(look, state.steadySince)) this.#onStep(moved, look);
    }
    if (state.clock !== 0) this.#decide(look, news);
    if (state.clock === 0) state.mark = look.wall;
    return news;
  }

  #onStep(moved: number, { wall, uptime }: Look): void {
    const { state } = this;
    state.lead -= moved;
    if (state.knownLead !== null) state.knownLead -= moved;
    if (state.clock === 0) {
      state.clock = this.#newClock();
      state.knownLead = state.lead;
      state.from = wall + state.lead;
    }
    state.steadySince = uptime;
    state.hasStepped = true;
  }

  #decide(look: Look, news: ClockNews[]): void {
    const { state } = this;
    const isBack = state.knownLead !== null && Math.abs(state.knownLead) <= STEP_MS;
    if (state.lead !== 0 && (isBack || this.#mayFollow(look))) this.#follow(look, news);
    if (state.lead !== 0 || !(isBack || this.#isConfirmed(look))) return;
    state.clock = 0;
    state.knownLead = null;
    news.push({ kind: 'known' });
  }

  #mayFollow(look: Look): boolean {
    const { wall, uptime, isSynchronised } = look;
    const { knownLead, steadySince, hasStepped, mark } = this.state;
    if (wall < EARLIEST_MS) return false;
    const steadyFor = uptime - steadySince;
    if (knownLead !== null) return steadyFor >= FOLLOW_AFTER_MS;
    if (wall >= mark || isSynchronised === true) return true;
    // The mark itself may be wrong, if a clock was ahead for an hour.
    return steadyFor >= KNOWN_AFTER_MS && (isSynchronised === null || hasStepped);
  }

  #isConfirmed({ wall, uptime, isSynchronised }: Look): boolean {
    const { knownLead, steadySince, hasStepped } = this.state;
    if (wall < EARLIEST_MS) return false;
    const steadyFor = uptime - steadySince;
    const isFirst = knownLead === null;
    if (isFirst && isSynchronised === true) return steadyFor >= KNOWN_SYNCHRONISED_MS;
    // While the system waits for the time from the network, the node does so, too, unless the owner sets the clock.
    if (isFirst && isSynchronised === false && !hasStepped) return false;
    return steadyFor >= KNOWN_AFTER_MS;
  }

  #follow({ wall }: Look, news: ClockNews[]): void {
    const { state } = this;
    const by = -state.lead;
    if (Math.abs(by) > STEP_MS) {
      const next = this.#newClock();
      news.push({ kind: 'followed', clock: state.clock, next, by, from: state.from, to: wall + state.lead });
      state.clock = next;
      state.from += by;
    }
    state.lead = 0;
  }
}

/** Returns the largest step that may be the correction of drift since the clock was set. */
function drift({ uptime, isSynchronised }: Look, since: number): number {
  return isSynchronised === true ? 0 : Math.min(MOST_DRIFT_MS, (uptime - since) * DRIFT);
}

/** A clock that moves by more than this against the machine's uptime was set. */
export const STEP_MS = 5000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How long a time that was known is held on to when the clock is set: one that was set wrongly is soon set back. */
export const FOLLOW_AFTER_MS = 5 * MINUTE_MS;
/** A clock that nobody sets for so long is right, as far as can be told. */
export const KNOWN_AFTER_MS = HOUR_MS;
/** The same where the system says, for the first time since its start, that it has the time from the network. */
export const KNOWN_SYNCHRONISED_MS = 10 * MINUTE_MS;
/** No machine has an earlier date: this program is younger. */
export const EARLIEST_MS = Date.UTC(2025, 0, 1);
/** The most that a clock which nobody corrects may drift. */
const DRIFT = 1e-4;
const MOST_DRIFT_MS = 10 * MINUTE_MS;

/** The machine's clocks at one moment, in milliseconds. */
export interface Look {
  /** Unix time; somebody may set it. */
  readonly wall: number;
  /** Since the machine's start, with the time in which it slept: nobody sets it. */
  readonly uptime: number;
  /** Whether the system had the time from the network since its start; null: it does not say. */
  readonly isSynchronised: boolean | null;
}

/** The facts about the clock: kept in a file, so that another process of the same boot can go on. Times as in Look. */
export interface ClockState {
  /** The wall clock's time when the uptime began. */
  offset: number;
  /** By how much the node's time is ahead of the wall clock. */
  lead: number;
  /** By how much the time that was known before the clock was set is; null: none was known since the machine's start. */
  knownLead: number | null;
  /** The number by which arrivals of now are found again; 0: the clock is known, and they stay as they are. */
  clock: number;
  /** The least time that an arrival with that number has. */
  from: number;
  /** Uptime since which nobody has set the clock. */
  steadySince: number;
  hasStepped: boolean;
  /** The latest time that was known to be right; 0: none ever was. */
  mark: number;
}

/** That the clock was set, by so much. */
export interface Stepped {
  readonly kind: 'stepped';
  readonly by: number;
}

/** That the node's time changed: arrivals under a number are to be moved by as much, and have another number then. */
export interface Followed {
  readonly kind: 'followed';
  readonly clock: number;
  readonly next: number;
  readonly by: number;
  /** The arrivals lie between these, both inclusive. */
  readonly from: number;
  readonly to: number;
}

/** The result of a look. */
export type ClockNews = Stepped | Followed | { readonly kind: 'known' };

/** How a machine's clock is taken at the start of a boot of which nothing is known yet. */
export function firstState({ wall, uptime }: Look, mark: number, newClock: () => number): ClockState {
  const lead = Math.max(0, mark - wall);
  return {
    ...{ offset: wall - uptime, lead, knownLead: null, clock: newClock(), from: wall + lead },
    ...{ steadySince: uptime, hasStepped: false, mark },
  };
}

/**
 * Tells the node's time from the machine's clocks. The wall clock can be set, the uptime can't: what the two differ by
 * changes only where the wall clock is set.
 *
 * - A clock is *known* once nobody has set it for an hour, or once the system has the time from the network.
 * - Until then after a start it is followed at once, unless it is behind the mark, the latest time that was known before:
 *   then time goes on from the mark. All arrivals until then are moved with it.
 * - A known clock that is set is followed after five minutes; until then time goes on as before. One that is set back to
 *   what was known is believed at once. Arrivals since it was set are moved with it until it is known again.
 */
export class ClockRule {
  readonly state: ClockState;
  readonly #newClock: () => number;

  /** `newClock` gives a number, above 0, that was never given before. */
  constructor(state: ClockState, newClock: () => number) {
    this.state = state;
    this.#newClock = newClock;
  }

  /** Call this every second, and by whoever sees that the clock was set. */
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
    // The mark may be what is wrong: of a clock that was ahead for an hour.
    return steadyFor >= KNOWN_AFTER_MS && (isSynchronised === null || hasStepped);
  }

  #isConfirmed({ wall, uptime, isSynchronised }: Look): boolean {
    const { knownLead, steadySince, hasStepped } = this.state;
    if (wall < EARLIEST_MS) return false;
    const steadyFor = uptime - steadySince;
    const isFirst = knownLead === null;
    if (isFirst && isSynchronised === true) return steadyFor >= KNOWN_SYNCHRONISED_MS;
    // The system waits for the time from the network, and so do we, but for an owner who sets it.
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

/** How far a step may be no more than what the clock has gone wrong by since it was set: time that was about right. */
function drift({ uptime, isSynchronised }: Look, since: number): number {
  return isSynchronised === true ? 0 : Math.min(MOST_DRIFT_MS, (uptime - since) * DRIFT);
}

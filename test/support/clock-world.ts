import {
  type ClockNews,
  ClockRule,
  type ClockState,
  type Followed,
  firstState,
  type Look,
} from '../../src/main/clock/clock-rule.ts';

/** The start of the tests' worlds: a Sunday in November. */
export const BEGIN = Date.UTC(2026, 10, 22, 12);

/** An arrival: its true time and its recorded time. */
export interface Arrived {
  readonly trueAt: number;
  receivedAt: number;
  clock: number;
  /** Whether its clock was taken for right, so that its time no longer changes. */
  isSettled: boolean;
  /** Whether its clock was taken for right while it was wrong. No node can detect that. */
  isLost: boolean;
}

/**
 * A machine whose clock goes wrong, and a node on it. It records arrivals and moves their times when the rule says so.
 */
export class ClockWorld {
  readonly arrived: Arrived[] = [];
  readonly news: ClockNews[] = [];
  rule: ClockRule;
  /** The true time. */
  time = BEGIN;
  /** The error of the wall clock in milliseconds. */
  error: number;
  isSynchronised: boolean | null;
  #bootAt: number;
  #clocks = 0;

  constructor({
    error = 0,
    mark = 0,
    isSynchronised = null,
    uptime = 20_000,
  }: {
    readonly error?: number;
    readonly mark?: number;
    readonly isSynchronised?: boolean | null;
    readonly uptime?: number;
  } = {}) {
    this.error = error;
    this.isSynchronised = isSynchronised;
    this.#bootAt = this.time - uptime;
    this.rule = new ClockRule(firstState(this.look, mark, this.#newClock), this.#newClock);
    this.#look();
  }

  get look(): Look {
    return {
      wall: this.time + this.error,
      uptime: this.time - this.#bootAt,
      isSynchronised: this.isSynchronised,
    };
  }

  /** The node's time. */
  get now(): number {
    return this.time + this.error + this.rule.state.lead;
  }

  get isKnown(): boolean {
    return this.rule.state.clock === 0;
  }

  get moves(): Followed[] {
    return this.news.filter((each) => each.kind === 'followed');
  }

  /** Sets the wall clock, which then has this error. */
  set(error: number): void {
    this.error = error;
    this.#look();
  }

  /** Lets time pass. Something arrives every `everyMs`, and at the end. */
  pass(ms: number, everyMs = 60_000): void {
    const end = this.time + ms;
    while (this.time < end) {
      this.time = Math.min(end, this.time + everyMs);
      this.#look();
      this.arrive();
    }
  }

  arrive(): void {
    const isWrong = this.error !== 0;
    const arrival = { trueAt: this.time, receivedAt: this.now, clock: this.rule.state.clock };
    this.arrived.push({ ...arrival, isSettled: this.isKnown, isLost: this.isKnown && isWrong });
  }

  /** Starts another process of the same boot, with the state that this one has written. */
  restart(): void {
    const left = JSON.parse(JSON.stringify(this.rule.state)) as ClockState;
    this.rule = new ClockRule(left, this.#newClock);
    this.#look();
  }

  /** Restarts the machine: all its state is lost except the mark. */
  reboot(error: number): void {
    this.error = error;
    this.#bootAt = this.time - 20_000;
    for (const each of this.arrived) each.isSettled = true;
    this.rule = new ClockRule(firstState(this.look, this.rule.state.mark, this.#newClock), this.#newClock);
    this.#look();
  }

  /** Returns the arrivals whose times are wrong by more than a second. */
  wrong(): Arrived[] {
    return this.arrived.filter(({ trueAt, receivedAt }) => Math.abs(receivedAt - trueAt) > 1000);
  }

  readonly #newClock = () => {
    this.#clocks += 1;
    return this.#clocks;
  };

  #look(): void {
    for (const news of this.rule.look(this.look)) {
      this.news.push(news);
      if (news.kind === 'followed') this.#move(news);
      if (news.kind === 'known') this.#settle();
    }
  }

  #move({ clock, next, by, from, to }: Followed): void {
    for (const each of this.arrived) {
      if (each.clock !== clock) continue;
      if (each.receivedAt < from || each.receivedAt > to) throw new Error('an arrival lies outside of what is moved');
      each.receivedAt += by;
      each.clock = next;
    }
  }

  #settle(): void {
    for (const each of this.arrived) {
      if (!each.isSettled && this.error !== 0) each.isLost = true;
      each.isSettled = true;
    }
  }
}

/** Sends one retained message; resolves once the broker has confirmed it, rejects where the connection is lost. */
export type SendRetained = (topic: string, payload: string) => Promise<void>;

/** So many messages may wait for the broker's confirmation. A broker that stops reading holds no more than these. */
const MAX_IN_FLIGHT = 32;

interface Wanted {
  /** Empty: the broker is to hold nothing. */
  readonly payload: string;
  /** Sent once before it, where Home Assistant has to be told something in two steps. */
  readonly first: string | null;
  /** Lower ones are sent first after a connection. */
  readonly rank: number;
}

/**
 * The desired messages of the broker by topic, and those that it is known to hold. Only differences are sent. A topic
 * has one pending message, which a newer one replaces: however long the broker is away or slow, only the number of
 * topics grows.
 */
export class RetainedMirror {
  readonly #wanted = new Map<string, Wanted>();
  readonly #confirmed = new Map<string, string>();
  /** In the order in which they are sent. */
  #pending = new Set<string>();
  readonly #inFlight = new Set<string>();
  readonly #onSent: () => void;
  #send: SendRetained | null = null;
  /** Changes with each connection: what an earlier one answers late counts for nothing. */
  #connection = 0;
  #settled: (() => void)[] = [];

  /** `onSent` is called after each confirmed message. */
  constructor(onSent: () => void = () => {}) {
    this.#onSent = onSent;
  }

  /** The topics that the broker should hold something at. */
  get topics(): readonly string[] {
    return [...this.#wanted].flatMap(([topic, { payload }]) => (payload === '' ? [] : [topic]));
  }

  /** At how many topics a message waits or is under way. */
  get pending(): number {
    return new Set([...this.#pending, ...this.#inFlight]).size;
  }

  /** Whether a message waits for the broker's confirmation. */
  get isSending(): boolean {
    return this.#inFlight.size > 0;
  }

  /** The desired message of a topic; null if the topic belongs to another mirror. */
  wantedAt(topic: string): string | null {
    return this.#wanted.get(topic)?.payload ?? null;
  }

  /** The broker should hold this at a topic from now on. */
  want(topic: string, payload: string, rank: number, first: string | null = null): void {
    const before = this.#wanted.get(topic);
    const isSent = this.#confirmed.get(topic) === payload && !this.#inFlight.has(topic) && first === null;
    this.#wanted.set(topic, { payload, rank, first: first ?? before?.first ?? null });
    if (isSent) this.#pending.delete(topic);
    else if (before?.payload !== payload || first !== null || !this.#isKnown(topic)) this.#pending.add(topic);
    this.#pump();
  }

  /** Whether the broker has a topic's message, or is about to: the same again needs no second one. */
  #isKnown(topic: string): boolean {
    return this.#confirmed.has(topic) || this.#inFlight.has(topic);
  }

  /** The broker should hold nothing at a topic. */
  clear(topic: string): void {
    if (this.#wanted.get(topic)?.payload === '') return;
    this.#wanted.set(topic, { payload: '', rank: 0, first: null });
    this.#pending.add(topic);
    this.#pump();
  }

  /** A message is sent again although the broker had it. */
  repeat(topic: string): void {
    if (!this.#wanted.has(topic)) return;
    this.#confirmed.delete(topic);
    this.#pending.add(topic);
    this.#pump();
  }

  /** There is a connection: everything is sent, as the broker may have lost what it held. */
  connected(send: SendRetained): void {
    this.disconnected();
    this.#send = send;
    this.repeatAll();
  }

  /** Everything is sent again. */
  repeatAll(): void {
    this.#confirmed.clear();
    const ranked = [...this.#wanted].sort(([, a], [, b]) => a.rank - b.rank);
    this.#pending = new Set(ranked.map(([topic]) => topic));
    this.#pump();
  }

  disconnected(): void {
    this.#send = null;
    this.#connection += 1;
    this.#inFlight.clear();
    this.#confirmed.clear();
    this.#tellSettled();
  }

  /** Resolves once nothing waits for the broker, or the connection is lost. */
  settled(): Promise<void> {
    if (this.#send === null || this.pending === 0) return Promise.resolve();
    return new Promise((resolve) => this.#settled.push(resolve));
  }

  #pump(): void {
    while (this.#send !== null && this.#inFlight.size < MAX_IN_FLIGHT) {
      const topic = this.#next();
      if (topic === null) break;
      this.#pending.delete(topic);
      this.#inFlight.add(topic);
      void this.#sendOne(topic, this.#send);
    }
    if (this.pending === 0) this.#tellSettled();
  }

  /** No second message of a topic is sent while one is under way: they could arrive in any order. */
  #next(): string | null {
    for (const topic of this.#pending) if (!this.#inFlight.has(topic)) return topic;
    return null;
  }

  async #sendOne(topic: string, send: SendRetained): Promise<void> {
    const connection = this.#connection;
    const { payload, first } = this.#wanted.get(topic)!;
    try {
      if (first !== null) {
        await send(topic, first);
        const now = this.#wanted.get(topic);
        if (now?.first === first) this.#wanted.set(topic, { ...now, first: null });
      }
      await send(topic, payload);
    } catch {
      // The connection is lost, and everything is sent on the next.
      return;
    }
    if (connection !== this.#connection) return;
    this.#inFlight.delete(topic);
    this.#confirmed.set(topic, payload);
    const wanted = this.#wanted.get(topic);
    if (payload === '' && wanted?.payload === '') {
      this.#wanted.delete(topic);
      this.#confirmed.delete(topic);
      this.#pending.delete(topic);
    } else if (wanted !== undefined && (wanted.payload !== payload || wanted.first !== null)) this.#pending.add(topic);
    this.#onSent();
    this.#pump();
  }

  #tellSettled(): void {
    for (const resolve of this.#settled.splice(0)) resolve();
  }
}

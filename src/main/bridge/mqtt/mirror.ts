/** Sends one retained message; resolves once the broker has confirmed it. Rejects if the connection is lost. */
export type SendRetained = (topic: string, payload: string) => Promise<void>;

/**
 * The number of messages that may wait for the broker's confirmation. A broker that stops reading holds no more than
 * these.
 */
const MAX_IN_FLIGHT = 32;

interface Wanted {
  /** An empty string deletes the retained message at the broker. */
  readonly payload: string;
  /** A message to send once before `payload`, if Home Assistant needs two steps; else null. */
  readonly first: string | null;
  /** Messages with a lower rank are sent first after a connection. */
  readonly rank: number;
}

/**
 * The desired retained messages by topic, and the messages that the broker is known to have. Only differences are sent.
 * A topic has one pending message, which a newer one replaces. So memory grows only with the number of topics, even if
 * the broker is away or slow.
 */
export class RetainedMirror {
  readonly #wanted = new Map<string, Wanted>();
  readonly #confirmed = new Map<string, string>();
  /** The topics with pending messages, in order of sending. */
  #pending = new Set<string>();
  readonly #inFlight = new Set<string>();
  readonly #onSent: () => void;
  #send: SendRetained | null = null;
  /** Counts connections: late answers of an earlier one are ignored. */
  #connection = 0;
  #settled: (() => void)[] = [];

  /** `onSent` is called after each confirmed message. */
  constructor(onSent: () => void = () => {}) {
    this.#onSent = onSent;
  }

  /** The topics that should have a retained message. */
  get topics(): readonly string[] {
    return [...this.#wanted].flatMap(([topic, { payload }]) => (payload === '' ? [] : [topic]));
  }

  /** The number of topics with a message that waits or is being sent. */
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

  /** Sets the desired message of a topic. */
  want(topic: string, payload: string, rank: number, first: string | null = null): void {
    const before = this.#wanted.get(topic);
    const isSent = this.#confirmed.get(topic) === payload && !this.#inFlight.has(topic) && first === null;
    this.#wanted.set(topic, { payload, rank, first: first ?? before?.first ?? null });
    if (isSent) this.#pending.delete(topic);
    else if (before?.payload !== payload || first !== null || !this.#isKnown(topic)) this.#pending.add(topic);
    this.#pump();
  }

  /** Returns whether the broker has a topic's message or is about to: the same message need not be sent again. */
  #isKnown(topic: string): boolean {
    return this.#confirmed.has(topic) || this.#inFlight.has(topic);
  }

  /** Removes the message of a topic from the broker. */
  clear(topic: string): void {
    if (this.#wanted.get(topic)?.payload === '') return;
    this.#wanted.set(topic, { payload: '', rank: 0, first: null });
    this.#pending.add(topic);
    this.#pump();
  }

  /** Sends a topic's message again, although the broker had it. */
  repeat(topic: string): void {
    if (!this.#wanted.has(topic)) return;
    this.#confirmed.delete(topic);
    this.#pending.add(topic);
    this.#pump();
  }

  /** Call this when there is a connection. Everything is sent, since the broker may have lost its messages. */
  connected(send: SendRetained): void {
    this.disconnected();
    this.#send = send;
    this.repeatAll();
  }

  /** Sends all messages again. */
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

  /** Resolves once no message waits for the broker, or the connection is lost. */
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

  /** Returns the next topic to send. A topic has only one message in flight, since two could arrive in any order. */
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
      // The connection is lost; everything is sent again on the next one.
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

import { randomUUID } from 'node:crypto';
import { ChannelError } from '../channels/channel.ts';
import type { NoticeFacts } from '../channels/notice.ts';
import { type ChannelRecord, type Delivery, HOUR_MS, type KeptOutbox, NO_RECORD, waitAfter } from './delivery.ts';
import { begin, hold, summaryAt } from './hourly-bound.ts';
import { addDelivery, isFirstOfAlert, withoutUntold } from './order.ts';
import type { OpenChannel, OutboxDependencies } from './outbox-dependencies.ts';
import { quietEnd } from './quiet-hours.ts';

/** The longest timer: the system clock may be set while it runs, and a laptop may sleep. */
const MOST_MS = 60_000;
const STOP_WITHIN_MS = 5000;

/**
 * The messages that wait for their channels. Each is on disk before it is sent and is removed after the channel's
 * answer. If the answer is lost, it is sent again with the same id. Channels don't wait for each other.
 */
export class Outbox {
  readonly #dependencies: OutboxDependencies;
  #deliveries: readonly Delivery[];
  readonly #records: Map<string, ChannelRecord>;
  readonly #busy = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  #endTimer = () => {};
  #isRunning = false;
  /** The number of changes; those up to `#saved` are on disk. */
  #changes = 0;
  #saved = 0;

  constructor(dependencies: OutboxDependencies, kept: KeptOutbox) {
    this.#dependencies = dependencies;
    this.#deliveries = kept.deliveries;
    this.#records = new Map(Object.entries(kept.records));
  }

  /** Starts to send messages, including the restored ones. */
  start(): void {
    this.#isRunning = true;
    this.wake();
  }

  /** Stops. Running requests have five seconds to end; unsent messages stay in the outbox. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#endTimer();
    const end = setTimeout(() => this.#stopping.abort(), STOP_WITHIN_MS);
    await Promise.all(this.#busy.values());
    clearTimeout(end);
  }

  /** The state to save. */
  snapshot(): KeptOutbox {
    return { deliveries: [...this.#deliveries], records: Object.fromEntries(this.#records) };
  }

  /** Adds a message for some channels in memory. Call `wake` to send it when it is on disk. */
  put(facts: NoticeFacts, channels: readonly string[]): void {
    for (const channel of channels) {
      if (this.#open(channel) === null) continue;
      const next = { facts, channel, tries: 0, nextAt: this.#dependencies.clock.now(), isQuiet: false };
      this.#change(addDelivery(this.#deliveries, next));
    }
  }

  /** Removes the unsent messages about an alert, since the owner knows of it. */
  withdraw(alert: string): void {
    this.#change(withoutUntold(this.#deliveries, alert));
    this.wake();
  }

  /** Forgets a channel and its messages. */
  forget(channel: string): void {
    this.#records.delete(channel);
    this.#change(this.#deliveries.filter((each) => each.channel !== channel));
  }

  /** Call this when quiet hours or channels changed: messages that waited for the quiet hours are checked again. */
  reconsider(): void {
    const now = this.#dependencies.clock.now();
    const kept = this.#deliveries.filter(({ channel }) => this.#open(channel) !== null);
    this.#change(kept.map((each) => (each.isQuiet ? { ...each, isQuiet: false, nextAt: now } : each)));
    this.wake();
  }

  /** Returns the latest outcomes of a channel and how many messages wait. */
  state(channel: string): Pick<ChannelRecord, 'lastSuccessAt' | 'lastFailure'> & { waiting: number; held: number } {
    const { lastSuccessAt, lastFailure, held } = this.#record(channel);
    const waiting = this.#deliveries.filter((each) => each.channel === channel).length;
    return { lastSuccessAt, lastFailure, waiting, held: held?.count ?? 0 };
  }

  /** Sends a message now, once, ignoring the hourly limit and quiet hours. Resolves with the failure, or null. */
  async sendOnce(facts: NoticeFacts, id: string): Promise<ChannelError | null> {
    const open = this.#dependencies.channel(id);
    if (open === null) return new ChannelError('not_found', 'there is no such channel');
    const error = await this.#try(open, facts);
    this.#note(id, error, true);
    void this.#persisted();
    return error;
  }

  /** Sends the due messages, each channel independently, and sets a timer for the others. */
  wake(): void {
    if (!this.#isRunning) return;
    for (const channel of this.#waitingChannels()) {
      if (this.#busy.has(channel)) continue;
      const run = this.#run(channel)
        .catch((error: unknown) => this.#dependencies.log.error({ err: error, channel }, 'sending alerts failed'))
        .finally(() => {
          this.#busy.delete(channel);
          this.#plan();
        });
      this.#busy.set(channel, run);
    }
    this.#plan();
  }

  async #run(channel: string): Promise<void> {
    while (this.#isRunning) {
      this.#summarise(channel);
      const next = this.#takeDue(channel);
      if (next === null) return;
      await this.#persisted();
      const open = this.#open(channel);
      // The message may have been withdrawn meanwhile, or the channel turned off.
      if (!this.#isRunning || open === null || !this.#deliveries.includes(next)) continue;
      const error = await this.#try(open, this.#dependencies.upToDate(next.facts));
      if (error !== null && this.#stopping.signal.aborted) return;
      this.#settle(next, error);
    }
  }

  /** Returns the next message to send; null if no message is due. Postpones or holds back other messages on the way. */
  #takeDue(channel: string): Delivery | null {
    const { clock, log } = this.#dependencies;
    const open = this.#open(channel);
    const now = clock.now();
    const own = this.#deliveries.filter((each) => each.channel === channel);
    const quietUntil = own.length === 0 ? now : this.#quietEnd(now);
    for (const each of own) {
      if (!this.#isDue(each, now, quietUntil)) continue;
      if (open === null) {
        this.#replace(each, null);
        continue;
      }
      const nextAt = isHeld(each.facts) ? quietUntil : now;
      if (nextAt > now) {
        this.#replace(each, { ...each, isQuiet: true, nextAt });
        continue;
      }
      if (each.tries > 0 || each.facts.kind === 'summary' || each.facts.kind === 'digest') return each;
      const record = this.#record(channel);
      const begun = begin(record, now, open.maxPerHour);
      if (begun === null) {
        this.#records.set(channel, hold(record, each.facts, now));
        this.#replace(each, null);
        log.info({ channel, notice: each.facts.id }, 'too many alert messages in an hour: told together later');
        continue;
      }
      // This needs no write before the message: one message too many after a crash does no harm.
      this.#records.set(channel, begun);
      return each;
    }
    return null;
  }

  #isDue(each: Delivery, now: number, quietUntil: number): boolean {
    // The time is further ahead than any wait: the clock was set back.
    const isAstray = each.nextAt > (each.isQuiet ? quietUntil : now + HOUR_MS);
    return (each.nextAt <= now || isAstray) && isFirstOfAlert(this.#deliveries, each);
  }

  /** Returns when the quiet hours end; `now` outside of them. */
  #quietEnd(now: number): number {
    const hours = this.#dependencies.quietHours();
    return hours === null ? now : quietEnd(now, hours, this.#dependencies.timeZone());
  }

  /** Makes one message of those beyond the hourly limit, when it is due. */
  #summarise(channel: string): void {
    const record = this.#record(channel);
    const now = this.#dependencies.clock.now();
    const dueAt = summaryAt(record, now);
    if (record.held === null || dueAt === null || dueAt > now) return;
    const { count, about, isCritical } = record.held;
    this.#records.set(channel, { ...record, held: null, summaryAt: now });
    const facts: NoticeFacts = {
      ...{ id: randomUUID(), kind: 'summary', at: now, severity: isCritical ? 'critical' : 'warning' },
      ...{ alert: null, device: null, held: { count, about } },
    };
    this.#change([...this.#deliveries, { facts, channel, tries: 0, nextAt: now, isQuiet: false }]);
  }

  async #try({ channel, words }: OpenChannel, facts: NoticeFacts): Promise<ChannelError | null> {
    try {
      await channel.send(words(facts), this.#stopping.signal);
      return null;
    } catch (error) {
      if (error instanceof ChannelError) return error;
      // This is a bug in Wellhouse. The text of the error may contain secrets, so it is not logged.
      this.#dependencies.log.error(
        { fault: (error as Error).name, notice: facts.id },
        'an alert message could not be sent',
      );
      return new ChannelError('unreachable', 'a fault of Wellhouse');
    }
  }

  #settle(sent: Delivery, error: ChannelError | null): void {
    const { clock, log } = this.#dependencies;
    const tries = sent.tries + 1;
    const wait = error === null || error.isPermanent ? null : waitAfter(tries);
    this.#note(sent.channel, error, wait === null);
    if (error === null || wait === null) {
      this.#replace(sent, null);
    } else {
      const nextAt = clock.now() + Math.ceil(Math.max(wait, Math.min(error.retryAfterMs ?? 0, HOUR_MS)));
      this.#replace(sent, { ...sent, tries, nextAt });
    }
    // Saves at once, so that a sent message is not sent again after a crash.
    void this.#persisted();
    if (error === null) return;
    const { fault, detail } = error;
    const how = { channel: sent.channel, notice: sent.facts.id, fault, detail, tries };
    if (wait === null) log.warn(how, 'an alert message was given up');
    else log.info(how, 'an alert message was not taken, and is tried again');
  }

  /** Records the outcome of a try. */
  #note(channel: string, error: ChannelError | null, isLast: boolean): void {
    // The channel was deleted meanwhile.
    if (this.#dependencies.channel(channel) === null) return;
    const at = this.#dependencies.clock.now();
    const record = this.#record(channel);
    const failure =
      error === null
        ? record.lastFailure
        : { at, fault: error.fault, detail: error.detail, isPermanent: error.isPermanent, isGivenUp: isLast };
    const lastSuccessAt = error === null ? at : record.lastSuccessAt;
    this.#records.set(channel, { ...record, lastSuccessAt, lastFailure: failure });
    this.#change(this.#deliveries);
  }

  /** Returns the channel if it is on. */
  #open(channel: string): OpenChannel | null {
    const open = this.#dependencies.channel(channel);
    return open?.isOn === true ? open : null;
  }

  #record(channel: string): ChannelRecord {
    return this.#records.get(channel) ?? NO_RECORD;
  }

  #replace(old: Delivery, next: Delivery | null): void {
    this.#change(this.#deliveries.flatMap((each) => (each === old ? (next ?? []) : each)));
  }

  #change(deliveries: readonly Delivery[]): void {
    this.#deliveries = deliveries;
    this.#changes += 1;
    this.#dependencies.onChange();
  }

  /** Resolves when all changes so far are on disk, or the write failed: messages are sent anyway. */
  async #persisted(): Promise<void> {
    const changes = this.#changes;
    if (this.#saved < changes && (await this.#dependencies.persist())) this.#saved = Math.max(this.#saved, changes);
  }

  /** The channels with waiting messages. */
  #waitingChannels(): Set<string> {
    const held = [...this.#records].filter(([, record]) => record.held !== null).map(([id]) => id);
    return new Set([...this.#deliveries.map(({ channel }) => channel), ...held]);
  }

  #plan(): void {
    this.#endTimer();
    if (!this.#isRunning) return;
    const now = this.#dependencies.clock.now();
    const times = [...this.#waitingChannels()].flatMap((channel) => {
      // It checks again itself when it ends.
      if (this.#busy.has(channel)) return [];
      const own = this.#deliveries.filter((each) => each.channel === channel);
      // Other messages about an alert follow when the one before them is sent or given up.
      const first = own.filter((each) => isFirstOfAlert(own, each));
      return [...first.map(({ nextAt }) => nextAt), summaryAt(this.#record(channel), now) ?? []].flat();
    });
    if (times.length === 0) return;
    const ms = Math.min(Math.max(0, Math.min(...times) - now), MOST_MS);
    this.#endTimer = this.#dependencies.clock.after(ms, () => this.wake());
  }
}

/** Returns whether quiet hours hold a message. The owner chose when a summary is sent. */
function isHeld({ severity, kind }: NoticeFacts): boolean {
  return severity !== 'critical' && kind !== 'test' && kind !== 'digest';
}

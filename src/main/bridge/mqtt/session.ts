import type { Logger } from 'pino';
import type { Alert } from '../../../shared/alerts/alert.ts';
import type { Clock } from '../../common/clock.ts';
import type { BridgedDevice } from '../devices/bridged-device.ts';
import type { DeviceBoard } from '../devices/device-board.ts';
import { BrokerConnection, type BrokerMessage, type BrokerStanding } from './broker-connection.ts';
import type { BrokerAddress } from './broker-options.ts';
import { DeviceTopics, nodeTopics, RANK, topicsOf } from './device-topics.ts';
import { withDropped } from './discovery.ts';
import type { EntityLabel } from './entities.ts';
import { BrokerError } from './faults.ts';
import { LeftTopics } from './left-topics.ts';
import { RetainedMirror } from './mirror.ts';
import { birthTopic, configTopic, statusTopic, type TopicNames } from './topics.ts';

/** Readings within this time are sent together: one message per device. */
const GATHER_MS = 100;
const LOOK_EVERY_MS = 2000;
/** A broker that confirms nothing for this long counts as lost. */
const STALLED_MS = 20_000;
/** The longest wait for the retained messages of an earlier run. */
const SCAN_WITHIN_MS = 5000;
/** The longest time that a change of settings or a stop waits for the broker. */
const LEAVE_WITHIN_MS = 2000;

/** The broker and the topics of a session. */
export interface SessionConfig {
  readonly address: BrokerAddress;
  readonly names: TopicNames;
}

export interface SessionDependencies {
  readonly config: SessionConfig;
  readonly board: DeviceBoard;
  readonly clock: Clock;
  readonly log: Logger;
  /** Returns the present alerts. */
  readonly alerts: () => readonly Alert[];
  readonly silenceRuleMs: () => number | null;
  readonly label: () => (label: EntityLabel) => string;
  readonly onStanding: (standing: BrokerStanding) => void;
  readonly onSent: () => void;
}

/** Publishes the devices of a board at one broker, until it is stopped. */
export class Session {
  readonly #dependencies: SessionDependencies;
  readonly #mirror: RetainedMirror;
  readonly #topics: DeviceTopics;
  readonly #connection: BrokerConnection;
  readonly #touched = new Set<BridgedDevice>();
  #isAllTouched = true;
  #isPlanned = false;
  #left: LeftTopics | null = null;
  #scanned: (() => void) | null = null;
  #confirmedAt = 0;
  #ends: (() => void)[] = [];

  constructor(dependencies: SessionDependencies) {
    const { config, clock } = dependencies;
    const { names, address } = config;
    this.#dependencies = dependencies;
    this.#mirror = new RetainedMirror(() => {
      this.#confirmedAt = clock.steady();
      dependencies.onSent();
    });
    this.#topics = new DeviceTopics({ ...dependencies, names, mirror: this.#mirror });
    this.#connection = new BrokerConnection({
      ...{ address, clock, onStanding: dependencies.onStanding },
      clientId: `wellhouse-${names.node.slice(0, 12)}`,
      will: { topic: statusTopic(names), payload: 'offline' },
      onConnected: () => void this.#onConnected(),
      onLost: () => this.#mirror.disconnected(),
      onMessage: (message) => this.#onMessage(message),
    });
  }

  /** The number of messages that wait for the broker. */
  get pending(): number {
    return this.#mirror.pending;
  }

  /** The number of published devices. */
  get devices(): number {
    return this.#topics.ids.size;
  }

  start(): void {
    const { board, config } = this.#dependencies;
    this.#mirror.want(statusTopic(config.names), 'online', RANK.status);
    const timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    this.#ends = [
      () => clearInterval(timer),
      board.listen({
        onReading: (device) => {
          this.#touched.add(device);
          this.#plan();
        },
        onDevices: () => this.refresh(),
      }),
    ];
    this.refresh();
    this.#connection.start();
  }

  /** Updates all messages, for example after a change of language or alerts. */
  refresh(): void {
    this.#isAllTouched = true;
    this.#plan();
  }

  /**
   * Publishes that the node is offline, and ends the connection. With `withTopics`, all messages are removed from the
   * broker first, if it accepts that in time.
   */
  async stop(withTopics: boolean): Promise<void> {
    for (const end of this.#ends.splice(0)) end();
    const { names } = this.#dependencies.config;
    const leave = withTopics ? this.#clear() : this.#connection.publish(statusTopic(names), 'offline');
    await this.#within(
      leave.catch(() => {}),
      LEAVE_WITHIN_MS,
    );
    await this.#connection.stop();
  }

  #clear(): Promise<void> {
    const { names } = this.#dependencies.config;
    const topics = [...[...this.#topics.ids].flatMap((id) => topicsOf(names, id)), ...nodeTopics(names)];
    for (const topic of topics) this.#mirror.clear(topic);
    return this.#mirror.settled();
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    this.#dependencies.clock.after(GATHER_MS, () => {
      this.#isPlanned = false;
      if (this.#ends.length > 0) this.#update();
    });
  }

  get #shown(): BridgedDevice[] {
    const { board } = this.#dependencies;
    return board.all.filter(({ id }) => !board.leftOut.has(id));
  }

  #update(): void {
    const touched = [...this.#touched];
    this.#touched.clear();
    // Until the stores are read, the board is incomplete.
    if (!this.#dependencies.board.isLoaded) return;
    if (this.#isAllTouched || touched.some((device) => this.#topics.hasNewEntity(device))) {
      this.#isAllTouched = false;
      this.#topics.showAll(this.#shown, this.#dependencies.alerts());
    } else for (const device of touched) this.#topics.showReadings(device);
  }

  #look(): void {
    if (!this.#dependencies.board.isLoaded) return;
    this.#topics.look(this.#shown);
    const silence = this.#dependencies.clock.steady() - this.#confirmedAt;
    if (this.#mirror.isSending && silence > STALLED_MS) {
      this.#connection.reconnect(new BrokerError('timeout', 'the broker confirms nothing'));
    }
  }

  /** Finds the messages of an earlier run, removes unwanted ones, and publishes the rest. */
  async #onConnected(): Promise<void> {
    const { config, log, board } = this.#dependencies;
    try {
      await board.settled();
      this.#isAllTouched = true;
      this.#update();
      const left = await this.#scan(config.names);
      if (board.isLoaded) this.#clearLeft(left);
      this.#confirmedAt = this.#dependencies.clock.steady();
      this.#mirror.connected((topic, payload) => this.#connection.publish(topic, payload));
    } catch (error) {
      log.debug({ err: error }, 'the connection to the broker ended while it began');
    }
  }

  /**
   * Collects the retained messages of an earlier run. They arrive before a message that this node sends after its
   * subscription.
   */
  async #scan(names: TopicNames): Promise<LeftTopics> {
    const left = new LeftTopics(names);
    this.#left = left;
    const mark = `${names.prefix}/${names.node}/scan`;
    const { discoveryPrefix } = names;
    const always = [statusTopic(names), ...(discoveryPrefix === null ? [] : [birthTopic(discoveryPrefix)])];
    const filters = LeftTopics.filters(names);
    const refused = await this.#connection.subscribe([mark, ...always, ...filters]);
    if (refused.length > 0)
      this.#dependencies.log.warn({ refused }, 'the broker does not let this node read these topics');
    if (!refused.includes(mark)) {
      const scanned = new Promise<void>((resolve) => {
        this.#scanned = resolve;
      });
      await this.#connection.publish(mark, '', false);
      await this.#within(scanned, SCAN_WITHIN_MS);
    }
    this.#left = null;
    // Otherwise the broker would send all published messages back.
    await this.#connection.unsubscribe([mark, ...filters]);
    return left;
  }

  #clearLeft(left: LeftTopics): void {
    const { discoveryPrefix } = this.#dependencies.config.names;
    for (const topic of left.unwanted(this.#topics.ids)) {
      if (this.#mirror.wantedAt(topic) === null) this.#mirror.clear(topic);
    }
    if (discoveryPrefix === null) return;
    for (const id of this.#topics.ids) {
      const topic = configTopic(discoveryPrefix, id);
      const payload = this.#mirror.wantedAt(topic);
      if (payload === null || payload === '') continue;
      const first = withDropped(JSON.parse(payload) as object, left.componentsOf(id));
      if (first !== null) this.#mirror.want(topic, payload, RANK.config, JSON.stringify(first));
    }
  }

  #onMessage({ topic, payload, isRetained }: BrokerMessage): void {
    const { names } = this.#dependencies.config;
    if (topic === `${names.prefix}/${names.node}/scan`) this.#scanned?.();
    else if (isRetained) this.#left?.take(topic, payload);
    // This is the session's own last message.
    else if (this.#ends.length === 0) return;
    // The will of a lost connection may come late.
    else if (topic === statusTopic(names) && payload === 'offline') this.#mirror.repeat(topic);
    else if (names.discoveryPrefix !== null && topic === birthTopic(names.discoveryPrefix) && payload === 'online') {
      this.#mirror.repeatAll();
    }
  }

  async #within(wait: Promise<void>, ms: number): Promise<void> {
    let end = () => {};
    const late = new Promise<void>((resolve) => {
      end = this.#dependencies.clock.after(ms, resolve);
    });
    await Promise.race([wait, late]);
    end();
  }
}

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

/** Readings of so long go out together: a device has one message of them. */
const GATHER_MS = 100;
const LOOK_EVERY_MS = 2000;
/** A broker that confirms nothing for so long is taken for lost. */
const STALLED_MS = 20_000;
/** How long is waited for what an earlier run left. */
const SCAN_WITHIN_MS = 5000;
/** How long a change of settings or a stop waits for the broker. */
const LEAVE_WITHIN_MS = 2000;

/** The messages to publish and their topics. */
export interface SessionConfig {
  readonly address: BrokerAddress;
  readonly names: TopicNames;
}

export interface SessionDependencies {
  readonly config: SessionConfig;
  readonly board: DeviceBoard;
  readonly clock: Clock;
  readonly log: Logger;
  /** The alerts that there are now. */
  readonly alerts: () => readonly Alert[];
  readonly silenceRuleMs: () => number | null;
  readonly label: () => (label: EntityLabel) => string;
  readonly onStanding: (standing: BrokerStanding) => void;
  readonly onSent: () => void;
}

/** Shows the devices of a board at one broker, until it is stopped. */
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

  /** How many messages wait for the broker. */
  get pending(): number {
    return this.#mirror.pending;
  }

  /** How many devices it shows. */
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

  /** Works everything out again, as after a change of language or alerts. */
  refresh(): void {
    this.#isAllTouched = true;
    this.#plan();
  }

  /**
   * Says that the node is gone, and ends the connection. With `withTopics` all that it published is removed from the broker
   * first, as far as that takes messages.
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
    // Before the stores are read, a device that is not on the board may be in them.
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

  /** Finds what an earlier run left, clears what is no longer wanted, and publishes the rest. */
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

  /** Retained messages arrive before a message of our own that is sent after the subscription. */
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
    // Else the broker would send back whatever is published.
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
    // What this session says itself when it ends.
    else if (this.#ends.length === 0) return;
    // The will of a connection that was lost unnoticed may come late.
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

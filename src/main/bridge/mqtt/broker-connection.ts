import type { MqttClient } from 'mqtt';
import type { Clock } from '../../common/clock.ts';
import { type BrokerAddress, brokerOptions } from './broker-options.ts';
import { type BrokerError, brokerError } from './faults.ts';

/**
 * Each failure doubles the next wait up to the longest one, so that a restart of the broker is noticed within seconds.
 */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 10_000;
/** A broker that refuses a login or a certificate will do so again, and may count attempts. */
const REFUSED_WAIT_MS = 30_000;
const END_WITHIN_MS = 1000;

/** A message from the broker. */
export interface BrokerMessage {
  readonly topic: string;
  readonly payload: string;
  /** Whether the broker had retained it before the subscription. */
  readonly isRetained: boolean;
}

/** The state of the connection to the broker. */
export type BrokerStanding =
  | { readonly state: 'connecting' }
  | { readonly state: 'connected' }
  | { readonly state: 'waiting'; readonly error: BrokerError };

export interface BrokerConnectionDependencies {
  readonly address: BrokerAddress;
  /** The same for all connections of a node: then the broker ends a lost connection before it accepts the new one. */
  readonly clientId: string;
  /** The message that the broker publishes at `topic`, and retains, when the connection is lost. */
  readonly will: { readonly topic: string; readonly payload: string };
  readonly clock: Clock;
  readonly onStanding: (standing: BrokerStanding) => void;
  /** Called when there is a connection, which may be used until `onLost`. */
  readonly onConnected: (connection: BrokerConnection) => void;
  readonly onLost: () => void;
  readonly onMessage: (message: BrokerMessage) => void;
}

/** Keeps a connection to a broker, and makes a new one when it is lost. `start()` never throws. */
export class BrokerConnection {
  readonly #dependencies: BrokerConnectionDependencies;
  #client: MqttClient | null = null;
  #isConnected = false;
  #failures = 0;
  #error: BrokerError | null = null;
  #endWait: (() => void) | null = null;
  #isStopped = false;

  constructor(dependencies: BrokerConnectionDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    void this.#connect();
  }

  /**
   * Publishes a message, retained by default; resolves once the broker has confirmed it. Rejects if the connection is
   * lost.
   */
  async publish(topic: string, payload: string, isRetained = true): Promise<void> {
    if (this.#client === null || !this.#isConnected) throw new Error('not connected');
    await this.#client.publishAsync(topic, payload, { qos: 1, retain: isRetained });
  }

  /** Subscribes to topics; resolves with those that the broker refused. Rejects if the connection is lost. */
  async subscribe(topics: readonly string[]): Promise<string[]> {
    if (this.#client === null || !this.#isConnected) throw new Error('not connected');
    const refused: string[] = [];
    for (const topic of topics) {
      try {
        const [grant] = await this.#client.subscribeAsync(topic, { qos: 1 });
        if (grant === undefined || grant.qos === 128) refused.push(topic);
      } catch (error) {
        if (!this.#isConnected) throw error;
        refused.push(topic);
      }
    }
    return refused;
  }

  async unsubscribe(topics: readonly string[]): Promise<void> {
    if (this.#client !== null && this.#isConnected) await this.#client.unsubscribeAsync([...topics]);
  }

  /** Closes the connection and makes a new one. */
  reconnect(error: BrokerError): void {
    this.#error = error;
    this.#client?.end(true);
  }

  /** Ends the connection cleanly, so that the broker does not publish the will. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#endWait?.();
    const client = this.#client;
    this.#client = null;
    if (client === null) return;
    const wasConnected = this.#isConnected;
    this.#isConnected = false;
    await new Promise<void>((resolve) => {
      const endWait = this.#dependencies.clock.after(END_WITHIN_MS, () => {
        client.end(true);
        resolve();
      });
      client.end(!wasConnected, {}, () => {
        endWait();
        resolve();
      });
    });
    this.#dependencies.onLost();
  }

  async #connect(): Promise<void> {
    const { address, clientId, will, onStanding } = this.#dependencies;
    this.#endWait = null;
    this.#error = null;
    if (this.#failures === 0) onStanding({ state: 'connecting' });
    try {
      // Loaded only if a broker is set: it would take a tenth of every start.
      const { connect } = await import('mqtt');
      const options = await brokerOptions(address, clientId);
      if (this.#isStopped) return;
      const client = connect(address.url, {
        ...options,
        will: { ...will, payload: will.payload, qos: 1, retain: true },
      });
      this.#follow(client);
    } catch (error) {
      this.#wait(brokerError(error));
    }
  }

  #follow(client: MqttClient): void {
    const { onStanding, onConnected, onLost, onMessage } = this.#dependencies;
    this.#client = client;
    client.on('connect', () => {
      if (client !== this.#client) return;
      this.#isConnected = true;
      this.#failures = 0;
      onStanding({ state: 'connected' });
      onConnected(this);
    });
    client.on('message', (topic, payload, { retain }) => {
      if (client === this.#client) onMessage({ topic, payload: payload.toString('utf8'), isRetained: retain });
    });
    client.on('error', (error) => {
      this.#error ??= brokerError(error);
      if (!this.#isConnected) client.end(true);
    });
    client.on('close', () => {
      if (client !== this.#client) return;
      this.#client = null;
      const wasConnected = this.#isConnected;
      this.#isConnected = false;
      client.end(true);
      if (wasConnected) onLost();
      this.#wait(this.#error ?? brokerError({ message: wasConnected ? 'the connection was lost' : 'no answer' }));
    });
  }

  #wait(error: BrokerError): void {
    const { clock, onStanding } = this.#dependencies;
    if (this.#isStopped) return;
    this.#failures += 1;
    onStanding({ state: 'waiting', error });
    const isRefusal = error.fault === 'login' || error.fault.startsWith('certificate');
    const grown = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (this.#failures - 1));
    this.#endWait = clock.after(isRefusal ? REFUSED_WAIT_MS : grown, () => void this.#connect());
  }
}

import type { MqttClient } from 'mqtt';
import type { Clock } from '../../common/clock.ts';
import { type BrokerAddress, brokerOptions } from './broker-options.ts';
import { type BrokerError, brokerError } from './faults.ts';

/** After each failure the next wait is twice as long, up to this: the broker's restart is seen within seconds. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 10_000;
/** Who refuses a login or a certificate will do so again, and may count attempts. */
const REFUSED_WAIT_MS = 30_000;
const END_WITHIN_MS = 1000;

/** A message that came from the broker. */
export interface BrokerMessage {
  readonly topic: string;
  readonly payload: string;
  /** Whether the broker held it before it was asked. */
  readonly isRetained: boolean;
}

/** How it is with the broker. */
export type BrokerStanding =
  | { readonly state: 'connecting' }
  | { readonly state: 'connected' }
  | { readonly state: 'waiting'; readonly error: BrokerError };

export interface BrokerConnectionDependencies {
  readonly address: BrokerAddress;
  /** Always the same of a node: the broker then ends a connection that was lost unnoticed before it takes the new one. */
  readonly clientId: string;
  /** The message that the broker publishes at `topic`, and retains, when the connection is lost. */
  readonly will: { readonly topic: string; readonly payload: string };
  readonly clock: Clock;
  readonly onStanding: (standing: BrokerStanding) => void;
  /** There is a connection; it may be used until `onLost`. */
  readonly onConnected: (connection: BrokerConnection) => void;
  readonly onLost: () => void;
  readonly onMessage: (message: BrokerMessage) => void;
}

/** Keeps a connection to a broker, and makes a new one whenever it is lost. Never throws and rejects nothing at a start. */
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

  /** Publishes a message that the broker keeps; resolves once it has confirmed it, rejects where the connection is lost. */
  async publish(topic: string, payload: string, isRetained = true): Promise<void> {
    if (this.#client === null || !this.#isConnected) throw new Error('not connected');
    await this.#client.publishAsync(topic, payload, { qos: 1, retain: isRetained });
  }

  /** Resolves with the topics that the broker refused. Rejects where the connection is lost. */
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

  /** Gives the connection up and makes another. */
  reconnect(error: BrokerError): void {
    this.#error = error;
    this.#client?.end(true);
  }

  /** Ends the connection cleanly: the broker says nothing for this node then. */
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
      // Loaded where a broker is set: it would be a tenth of every start.
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

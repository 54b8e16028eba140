import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { Alert } from '../../../shared/alerts/alert.ts';
import type { Connections } from '../../../shared/owner-api/connections.ts';
import { SerialQueue } from '../../../shared/serial-queue.ts';
import { chooseLanguage, type Language } from '../../../shared/texts/languages.ts';
import type { Clock } from '../../common/clock.ts';
import { messageTextsFor } from '../../common/texts.ts';
import type { Settings } from '../../settings/settings.ts';
import type { DeviceBoard } from '../devices/device-board.ts';
import type { BrokerStanding } from './broker-connection.ts';
import type { EntityLabel } from './entities.ts';
import { Session, type SessionConfig } from './session.ts';

export interface MqttBridgeDependencies {
  readonly board: DeviceBoard;
  readonly clock: Clock;
  readonly log: Logger;
  /** Returns the node's public key in lowercase hex; available once the node's folder is open. */
  readonly node: () => string;
  /** The language of the settings, or null for the system's. */
  readonly language: () => Language | null;
  readonly alerts: () => readonly Alert[];
  readonly silenceRuleMs: () => number | null;
  /** Called after each change of `standing`. */
  readonly onChange: () => void;
}

type Standing = Connections['mqtt'];

/**
 * Publishes the owner's devices at the broker of the settings, and follows changes of the settings. An unavailable
 * broker is not a failure.
 */
export class MqttBridge {
  readonly #dependencies: MqttBridgeDependencies;
  readonly #turns = new SerialQueue();
  #config: SessionConfig | null = null;
  #session: Session | null = null;
  #state: BrokerStanding['state'] | 'off' = 'off';
  #since: number | null = null;
  #error: Standing['error'] = null;
  #messages = 0;

  constructor(dependencies: MqttBridgeDependencies) {
    this.#dependencies = dependencies;
  }

  get standing(): Standing {
    return {
      ...{ state: this.#state, since: this.#since, error: this.#error, messages: this.#messages },
      devices: this.#session?.devices ?? 0,
    };
  }

  /** The configuration of the session; null if no broker is set. */
  get config(): SessionConfig | null {
    return this.#config;
  }

  /** Applies the settings. Messages under other topics than before are removed. */
  apply(settings: Settings, password: string | null): void {
    const config = configOf(settings, password, this.#dependencies.node());
    if (isDeepStrictEqual(config, this.#config)) {
      this.refresh();
      return;
    }
    const isElsewhere = whereOf(config) !== whereOf(this.#config);
    this.#config = config;
    void this.#turns.run(async () => {
      await this.#end(isElsewhere);
      if (config !== null) this.#begin(config);
    });
  }

  /** Updates the messages that depend on alerts or the language. */
  refresh(): void {
    this.#session?.refresh();
  }

  /** Ends the session at the node's stop. The messages stay, and the status becomes offline. */
  async stop(): Promise<void> {
    this.#config = null;
    await this.#turns.run(() => this.#end(false));
  }

  /** Resolves once the latest settings are applied. */
  async settled(): Promise<void> {
    await this.#turns.settled();
  }

  #begin(config: SessionConfig): void {
    const { board, clock, log, alerts, silenceRuleMs } = this.#dependencies;
    this.#session = new Session({
      ...{ config, board, clock, log, alerts, silenceRuleMs },
      label: () => this.#label(),
      onStanding: (standing) => this.#onStanding(standing),
      onSent: () => {
        this.#messages += 1;
      },
    });
    this.#session.start();
  }

  async #end(withTopics: boolean): Promise<void> {
    const session = this.#session;
    this.#session = null;
    await session?.stop(withTopics);
    this.#set('off', null);
  }

  #label(): (label: EntityLabel) => string {
    const { locale } = Intl.DateTimeFormat().resolvedOptions();
    const t = messageTextsFor(this.#dependencies.language() ?? chooseLanguage([locale]));
    return (label) => {
      return label === 'battery' || label === 'lastSeen' || label === 'needsYou'
        ? t(`app:entity.${label}`)
        : t(`app:field.${label}`);
    };
  }

  #onStanding(standing: BrokerStanding): void {
    const { clock, log } = this.#dependencies;
    if (standing.state === 'waiting') {
      const { fault, message } = standing.error;
      if (this.#state !== 'waiting' || this.#error?.fault !== fault) {
        log.warn({ fault, reason: message }, 'there is no connection to the MQTT broker');
      }
      this.#set('waiting', { fault, detail: message, at: clock.now() });
    } else {
      if (standing.state === 'connected') log.info('connected to the MQTT broker');
      this.#set(standing.state, this.#error);
    }
  }

  #set(state: BrokerStanding['state'] | 'off', error: Standing['error']): void {
    if (state !== this.#state) this.#since = state === 'connected' ? this.#dependencies.clock.now() : null;
    this.#state = state;
    this.#error = error;
    this.#dependencies.onChange();
  }
}

/** Returns the configuration from the settings; null if no broker is set. */
function configOf(settings: Settings, password: string | null, node: string): SessionConfig | null {
  const { mqttUrl, mqttUsername, mqttCa, mqttPrefix, mqttDiscoveryPrefix } = settings;
  if (mqttUrl === null) return null;
  return {
    address: { url: mqttUrl, username: mqttUsername, password, caFile: mqttCa },
    names: { prefix: mqttPrefix, discoveryPrefix: mqttDiscoveryPrefix === '' ? null : mqttDiscoveryPrefix, node },
  };
}

/** Returns the broker and the topics as a string. The login does not count. */
function whereOf(config: SessionConfig | null): string {
  return config === null ? '' : JSON.stringify([config.address.url, config.names]);
}

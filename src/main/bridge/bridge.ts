import type { Logger } from 'pino';
import type { Alert } from '../../shared/alerts/alert.ts';
import type { Connections } from '../../shared/owner-api/connections.ts';
import type { ClockInfo } from '../../shared/owner-api/node.ts';
import type { StoreName } from '../../shared/protocol/codes.ts';
import type { Language } from '../../shared/texts/languages.ts';
import type { Clock } from '../common/clock.ts';
import type { NodeEvents } from '../common/node-events.ts';
import { OwnerError } from '../common/owner-error.ts';
import type { Settings } from '../settings/settings.ts';
import type { StoreLocations } from '../store/engine.ts';
import type { Store } from '../store/port.ts';
import { DeviceBoard } from './devices/device-board.ts';
import { deviceFamilies } from './metrics/device-families.ts';
import { type Exposition, exposition } from './metrics/exposition.ts';
import { Meters } from './metrics/meters.ts';
import { MetricsListener } from './metrics/metrics-listener.ts';
import { nodeFamilies } from './metrics/node-families.ts';
import { type SharedFacts, sharedFamilies } from './metrics/shared-families.ts';
import { brokerError } from './mqtt/faults.ts';
import { MqttBridge } from './mqtt/mqtt-bridge.ts';
import { testBroker } from './mqtt/test-broker.ts';
import { operatorPage } from './operator-page.ts';
import { type BridgeSecrets, BridgeSecretsFile } from './secrets-file.ts';
import type { SharedStore } from './shared-store.ts';

export interface BridgeDependencies {
  /** The data folder. */
  readonly folder: { readonly path: string };
  readonly stores: {
    /** The locations of the open stores. */
    readonly locations: StoreLocations;
    find(name: StoreName): Pick<Store, 'bytes'> | null;
  };
  readonly settings: Settings;
  readonly events: NodeEvents;
  readonly log: Logger;
  readonly clock: Clock;
  /** Available once the node's folder is open. */
  readonly nodePublicKey: () => string;
  /** The language of the settings, or null for the system's. */
  readonly language: () => Language | null;
  /** Returns the present alerts. */
  readonly alerts: () => readonly Alert[];
  /** The silence threshold of the owner's rule for all devices, in milliseconds; null if there is no such rule. */
  readonly silenceRuleMs: () => number | null;
  /** The time of the newest backup in Unix milliseconds; null if there is none. */
  readonly backupAt: () => number | null;
  readonly clockState: () => ClockInfo['state'];
  /** The public store if nodes share it, else null. */
  readonly shared: SharedStore | null;
}

/** Several changes of alerts within this time cause one refresh. */
const GATHER_ALERTS_MS = 500;

/**
 * Publishes the owner's devices to other programs. The part runs in every node, and does nothing until the owner
 * configures it.
 */
export class Bridge {
  readonly name = 'bridge';
  readonly #dependencies: BridgeDependencies;
  readonly #board: DeviceBoard;
  readonly #mqtt: MqttBridge;
  readonly #meters = new Meters();
  readonly #metrics: MetricsListener;
  #settings: Settings;
  #secrets: BridgeSecretsFile | null = null;
  #ends: (() => void)[] = [];

  constructor(dependencies: BridgeDependencies) {
    const { settings, events, log, clock, stores } = dependencies;
    this.#dependencies = dependencies;
    this.#settings = settings;
    this.#board = new DeviceBoard({ locations: () => stores.locations, events, clock, log });
    const changed = () => events.emit('connectionsChanged', () => ({}));
    this.#mqtt = new MqttBridge({
      ...{ board: this.#board, clock, log, language: dependencies.language, alerts: dependencies.alerts },
      node: dependencies.nodePublicKey,
      silenceRuleMs: dependencies.silenceRuleMs,
      onChange: changed,
    });
    const { shared } = dependencies;
    this.#metrics = new MetricsListener({
      ...{ log, events, onChange: changed, write: (format) => this.#write(format) },
      ...(shared !== null && { page: async (query) => operatorPage(await shared.operator(), clock.now(), query) }),
    });
  }

  /** Does not wait for the network: the broker is connected in the background. */
  async start(): Promise<void> {
    const { folder, log, clock, events } = this.#dependencies;
    this.#secrets = new BridgeSecretsFile({ path: folder.path, log, now: () => clock.now() });
    let endWait: (() => void) | null = null;
    this.#ends = [
      events.on('alertsChanged', () => {
        endWait ??= clock.after(GATHER_ALERTS_MS, () => {
          endWait = null;
          this.#mqtt.refresh();
        });
      }),
      () => endWait?.(),
    ];
    await this.#follow();
  }

  /** Applies new settings. */
  async apply(settings: Settings): Promise<void> {
    this.#settings = settings;
    if (this.#secrets !== null) await this.#follow();
  }

  async stop(): Promise<void> {
    for (const end of this.#ends.splice(0)) end();
    await this.#metrics.stop();
    this.#meters.stop();
    await this.#mqtt.stop();
    await this.#board.stop();
    await this.#dependencies.shared?.close();
  }

  /** The state of the listener for metrics. */
  get metrics(): Connections['metrics'] {
    return this.#metrics.standing;
  }

  /** The state of the connections to other programs. Read it only while the node runs. */
  get connections(): Connections {
    const source = (name: keyof BridgeSecrets) => {
      if (this.#settings[name] !== null) return 'environment' as const;
      return this.#typed[name] === null ? null : ('page' as const);
    };
    return {
      mqtt: this.#mqtt.standing,
      metrics: this.metrics,
      mqttPassword: { source: source('mqttPassword') },
      metricsToken: { source: source('metricsToken') },
    };
  }

  /**
   * Replaces secrets, or removes them (null). A password is stored for the broker and user of the present settings.
   * Rejects with OwnerError if no broker is set, and with errors of the file system.
   */
  async setSecrets(change: Partial<BridgeSecrets>): Promise<void> {
    const broker = brokerOf(this.#settings);
    if (typeof change.mqttPassword === 'string' && broker === null) {
      throw new OwnerError('invalid_input', 'set the broker before its password');
    }
    await this.#secrets!.set(change, broker);
    await this.#follow();
  }

  /** Sends a message to the broker and back; resolves with the failure, or null. */
  async testMqtt(): Promise<{ fault: ReturnType<typeof brokerError>['fault']; detail: string } | null> {
    const { config } = this.#mqtt;
    if (config === null) return { fault: 'other', detail: 'no broker is set' };
    try {
      await testBroker(config);
      return null;
    } catch (error) {
      const { fault, message } = brokerError(error);
      return { fault, detail: message };
    }
  }

  /** Secrets from the environment have priority over those from the page. */
  #secret(name: keyof BridgeSecrets): string | null {
    return this.#settings[name] ?? this.#typed[name];
  }

  get #typed(): BridgeSecrets {
    return this.#secrets!.at(brokerOf(this.#settings));
  }

  async #follow(): Promise<void> {
    const { mqttUrl, metricsPort } = this.#settings;
    const isWanted = mqttUrl !== null || metricsPort !== null;
    if (isWanted) this.#board.start();
    if (metricsPort === null) this.#meters.stop();
    else this.#meters.start(this.#dependencies.events);
    this.#mqtt.apply(this.#settings, this.#secret('mqttPassword'));
    await this.#metrics.apply(this.#settings, this.#secret('metricsToken'));
    if (isWanted) return;
    await this.#mqtt.settled();
    await this.#board.stop();
  }

  async #write(format: Exposition): Promise<string> {
    const { folder, alerts, backupAt, clockState, nodePublicKey, shared } = this.#dependencies;
    await this.#board.settled();
    const facts = (await shared?.facts()) ?? null;
    const node = await nodeFamilies({
      ...{ node: nodePublicKey(), dataDir: folder.path, alerts: alerts(), backupAt: backupAt(), clock: clockState() },
      storeBytes: await this.#storeBytes(facts),
      mqtt: this.#mqtt.standing,
    });
    const ofShared = facts === null ? [] : sharedFamilies(facts);
    return exposition([...node, ...ofShared, ...deviceFamilies(this.#board.all), ...this.#meters.families], format);
  }

  async #storeBytes(shared: SharedFacts | null): Promise<ReadonlyMap<StoreName, number>> {
    const bytes = new Map<StoreName, number>();
    for (const name of ['private', 'public'] as const) {
      const store = this.#dependencies.stores.find(name);
      // If a database is unavailable, the other sizes are still reported.
      if (name === 'public' && shared !== null) {
        if (shared.database !== null) bytes.set(name, shared.database.bytes);
      } else if (store !== null) bytes.set(name, await store.bytes());
    }
    return bytes;
  }
}

/** Returns the broker and user that the password is for; null if no broker is set. */
function brokerOf({ mqttUrl, mqttUsername }: Settings): string | null {
  return mqttUrl === null ? null : JSON.stringify([mqttUrl, mqttUsername]);
}

import type { Alert } from '../../../shared/alerts/alert.ts';
import type { Clock } from '../../common/clock.ts';
import type { BridgedDevice } from '../devices/bridged-device.ts';
import { componentsOf, discoveryConfig, expireAfter, withDropped } from './discovery.ts';
import { type EntityLabel, entitiesOf } from './entities.ts';
import { alertsOf, stateOf } from './messages.ts';
import type { RetainedMirror } from './mirror.ts';
import { configTopic, DEVICE_TOPICS, deviceTopic, statusTopic, type TopicNames } from './topics.ts';

/** The usual interval of a device is computed at most this often. */
const INTERVAL_EVERY_MS = 60_000;
/** The order of messages after a connection: configuration, state, availability. */
export const RANK = { config: 1, state: 2, alerts: 2, availability: 3, status: 4 } as const;

export interface DeviceTopicsDependencies {
  readonly names: TopicNames;
  readonly mirror: RetainedMirror;
  readonly clock: Clock;
  /** The silence threshold of the owner's rule for all devices, in milliseconds; null if there is no such rule. */
  readonly silenceRuleMs: () => number | null;
  readonly label: () => (label: EntityLabel) => string;
}

interface Known {
  readonly silentAfterMs: number;
  readonly expireAfter: number;
  /** Time of the steady clock. */
  readonly workedOutAt: number;
  /** All its entities since the start, by key with their platforms. */
  entities: Readonly<Record<string, string>>;
}

/** Keeps the retained messages about each device up to date. */
export class DeviceTopics {
  readonly #dependencies: DeviceTopicsDependencies;
  readonly #known = new Map<string, Known>();

  constructor(dependencies: DeviceTopicsDependencies) {
    this.#dependencies = dependencies;
  }

  /** The ids of the published devices. */
  get ids(): ReadonlySet<string> {
    return new Set(this.#known.keys());
  }

  /** Publishes these devices in their present state, and removes all others. */
  showAll(devices: readonly BridgedDevice[], alerts: readonly Alert[]): void {
    const ids = new Set(devices.map(({ id }) => id));
    for (const id of this.ids) if (!ids.has(id)) this.#drop(id);
    const concerned = Map.groupBy(alerts, ({ device }) => device);
    for (const device of devices) {
      this.#workOut(device, this.#known.get(device.id) ?? null);
      this.#showConfig(device);
      this.#want(
        device.id,
        'alerts',
        alertsOf(device.id, concerned.get(device.id) ?? [], this.#dependencies.names.node),
      );
      this.#show(device);
    }
  }

  /** Returns whether a published device has a new entity. */
  hasNewEntity(device: BridgedDevice): boolean {
    const known = this.#known.get(device.id);
    return known !== undefined && entitiesOf(device).some(({ key }) => !Object.hasOwn(known.entities, key));
  }

  /** Publishes newer readings of a device, if it is published. */
  showReadings(device: BridgedDevice): void {
    if (this.#known.has(device.id)) this.#show(device);
  }

  /** Publishes which devices are silent now. */
  look(devices: readonly BridgedDevice[]): void {
    const now = this.#dependencies.clock.steady();
    for (const device of devices) {
      const known = this.#known.get(device.id);
      if (known === undefined) continue;
      if (now - known.workedOutAt >= INTERVAL_EVERY_MS) {
        const before = known.expireAfter;
        if (this.#workOut(device, known).expireAfter !== before) this.#showConfig(device);
      }
      this.#want(device.id, 'availability', this.#isThere(device, known) ? 'online' : 'offline');
    }
  }

  #show(device: BridgedDevice): void {
    const known = this.#known.get(device.id)!;
    this.#want(device.id, 'state', stateOf(device, this.#dependencies.names.node));
    this.#want(device.id, 'availability', this.#isThere(device, known) ? 'online' : 'offline');
  }

  #showConfig(device: BridgedDevice): void {
    const { names, mirror, label } = this.#dependencies;
    if (names.discoveryPrefix === null) return;
    const known = this.#known.get(device.id)!;
    const config = discoveryConfig(device, { names, label: label(), expireAfter: known.expireAfter });
    const payload = JSON.stringify(config);
    const topic = configTopic(names.discoveryPrefix, device.id);
    const first = mirror.wantedAt(topic) === payload ? null : withDropped(config, known.entities);
    known.entities = { ...known.entities, ...componentsOf(config) };
    mirror.want(topic, payload, RANK.config, first && JSON.stringify(first));
  }

  #isThere({ lastReceivedAt }: BridgedDevice, { silentAfterMs }: Known): boolean {
    return lastReceivedAt !== null && this.#dependencies.clock.now() - lastReceivedAt < silentAfterMs;
  }

  #workOut(device: BridgedDevice, before: Known | null): Known {
    const silentAfterMs = device.silentAfterMs(this.#dependencies.silenceRuleMs());
    const known: Known = {
      silentAfterMs,
      expireAfter: expireAfter(silentAfterMs, before?.expireAfter ?? null),
      workedOutAt: this.#dependencies.clock.steady(),
      entities: before?.entities ?? {},
    };
    this.#known.set(device.id, known);
    return known;
  }

  #want(device: string, topic: (typeof DEVICE_TOPICS)[number], payload: string): void {
    const { mirror, names } = this.#dependencies;
    mirror.want(deviceTopic(names, device, topic), payload, RANK[topic]);
  }

  #drop(id: string): void {
    this.#known.delete(id);
    for (const topic of topicsOf(this.#dependencies.names, id)) this.#dependencies.mirror.clear(topic);
  }
}

/** Returns all topics of a device. */
export function topicsOf(names: TopicNames, device: string): string[] {
  const { discoveryPrefix } = names;
  const config = discoveryPrefix === null ? [] : [configTopic(discoveryPrefix, device)];
  return [...config, ...DEVICE_TOPICS.map((topic) => deviceTopic(names, device, topic))];
}

/** Returns the topics of the node itself. */
export function nodeTopics(names: TopicNames): string[] {
  return [statusTopic(names)];
}

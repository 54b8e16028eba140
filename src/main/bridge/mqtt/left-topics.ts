import { componentsOf } from './discovery.ts';
import { DEVICE_TOPICS, deviceOfConfig, deviceTopic, partsOfTopic, statusTopic, type TopicNames } from './topics.ts';

/** Configurations are small; a larger message is not ours. */
const MAX_PAYLOAD = 64 * 1024;

/** The topics that an earlier run of this node left at a broker. */
export class LeftTopics {
  readonly #names: TopicNames;
  /** The topics of each device that belong to this node. */
  readonly #topics = new Map<string, Set<string>>();
  readonly #components = new Map<string, Record<string, string>>();
  /** Devices with an availability message, which does not name its node. */
  readonly #available = new Set<string>();
  readonly #others = new Set<string>();

  constructor(names: TopicNames) {
    this.#names = names;
  }

  /** Returns the topic filters to subscribe to. */
  static filters({ prefix, discoveryPrefix }: TopicNames): string[] {
    const own = DEVICE_TOPICS.map((topic) => `${prefix}/+/${topic}`);
    return discoveryPrefix === null ? own : [...own, `${discoveryPrefix}/device/+/config`];
  }

  /** Examines a retained message. It may come from anyone: a broker is shared. */
  take(topic: string, payload: string): void {
    if (payload === '' || payload.length > MAX_PAYLOAD) return;
    const { prefix, discoveryPrefix, node } = this.#names;
    const device = discoveryPrefix === null ? null : deviceOfConfig(discoveryPrefix, topic);
    if (device !== null) this.#takeConfig(device, topic, parsed(payload));
    const parts = partsOfTopic(prefix, topic);
    if (parts === null) return;
    if (parts.kind === 'availability') this.#available.add(parts.device);
    else if ((parsed(payload) as { node?: unknown } | null)?.node === node) this.#add(parts.device, topic);
  }

  /** Returns the former entities of a device: platforms by key. */
  componentsOf(device: string): Record<string, string> {
    return this.#components.get(device) ?? {};
  }

  /** Returns the topics to clear if only these devices are wanted. */
  unwanted(wanted: ReadonlySet<string>): string[] {
    const stale = [...this.#topics].filter(([device]) => !wanted.has(device));
    const available = stale
      .filter(([device]) => this.#available.has(device))
      .map(([device]) => deviceTopic(this.#names, device, 'availability'));
    return [...new Set([...stale.flatMap(([, topics]) => [...topics]), ...available, ...this.#others])];
  }

  #takeConfig(device: string, topic: string, config: unknown): void {
    const { prefix, node } = this.#names;
    const status = statusOf(config, node);
    if (status === null) return;
    this.#add(device, topic);
    this.#components.set(device, componentsOf(config));
    const before = status.slice(0, -`/${node}/status`.length);
    for (const kind of DEVICE_TOPICS) {
      const each = deviceTopic({ prefix: before }, device, kind);
      // Topics under an earlier prefix are no longer wanted.
      if (before === prefix) this.#add(device, each);
      else this.#others.add(each);
    }
    if (before !== prefix) this.#others.add(status);
  }

  #add(device: string, topic: string): void {
    const topics = this.#topics.get(device) ?? new Set();
    this.#topics.set(device, topics.add(topic));
  }
}

/** Returns the status topic in a configuration if it belongs to this node, else null. */
function statusOf(config: unknown, node: string): string | null {
  const { availability } = (config ?? {}) as { availability?: unknown };
  if (!Array.isArray(availability)) return null;
  const topics = availability.map((each: { topic?: unknown } | null) => each?.topic);
  return topics.find((topic): topic is string => isStatus(topic, node)) ?? null;
}

function isStatus(topic: unknown, node: string): boolean {
  if (typeof topic !== 'string' || /[+#\0]/.test(topic)) return false;
  const prefix = topic.slice(0, -`/${node}/status`.length);
  return prefix !== '' && topic === statusTopic({ prefix, node, discoveryPrefix: null });
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return null;
  }
}

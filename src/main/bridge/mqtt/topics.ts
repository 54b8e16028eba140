/** The parts of this node's topics. */
export interface TopicNames {
  readonly prefix: string;
  /** The discovery prefix of Home Assistant; null if devices are not announced to it. */
  readonly discoveryPrefix: string | null;
  /** The node's public key, lowercase hex. */
  readonly node: string;
}

/** The topics of each device below the prefix. */
export const DEVICE_TOPICS = ['state', 'availability', 'alerts'] as const;
export type DeviceTopic = (typeof DEVICE_TOPICS)[number];

/** Returns the topic with the node's status. */
export function statusTopic({ prefix, node }: TopicNames): string {
  return `${prefix}/${node}/status`;
}

/** Returns a topic of a device, whose id is lowercase hex. No other part of it comes from a device. */
export function deviceTopic(names: Pick<TopicNames, 'prefix'>, device: string, topic: DeviceTopic): string {
  return `${names.prefix}/${device}/${topic}`;
}

/** Returns the topic of a device's configuration for Home Assistant. */
export function configTopic(discoveryPrefix: string, device: string): string {
  return `${discoveryPrefix}/device/wellhouse_${device}/config`;
}

/** Returns the topic on which Home Assistant reports its start. */
export function birthTopic(discoveryPrefix: string): string {
  return `${discoveryPrefix}/status`;
}

/** Returns the device of a configuration topic; null if the topic is not from this program. */
export function deviceOfConfig(discoveryPrefix: string, topic: string): string | null {
  const [, id] = /\/device\/wellhouse_([0-9a-f]{64})\/config$/.exec(topic) ?? [];
  return id !== undefined && topic === configTopic(discoveryPrefix, id) ? id : null;
}

/** Returns the device and the kind of a topic below the prefix; null if it is not a device's. */
export function partsOfTopic(prefix: string, topic: string): { device: string; kind: DeviceTopic } | null {
  if (!topic.startsWith(`${prefix}/`)) return null;
  const [, device, kind] = /^([0-9a-f]{64})\/(state|availability|alerts)$/.exec(topic.slice(prefix.length + 1)) ?? [];
  return device === undefined ? null : { device, kind: kind as DeviceTopic };
}

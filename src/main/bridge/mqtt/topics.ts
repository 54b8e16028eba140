/** Where messages of this node go. */
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

/** Where the node says whether it is there. */
export function statusTopic({ prefix, node }: TopicNames): string {
  return `${prefix}/${node}/status`;
}

/** A topic of a device, whose id is lowercase hex. No other part of a name comes from a device. */
export function deviceTopic(names: Pick<TopicNames, 'prefix'>, device: string, topic: DeviceTopic): string {
  return `${names.prefix}/${device}/${topic}`;
}

/** Where Home Assistant looks for a device. */
export function configTopic(discoveryPrefix: string, device: string): string {
  return `${discoveryPrefix}/device/wellhouse_${device}/config`;
}

/** Where Home Assistant says that it has started. */
export function birthTopic(discoveryPrefix: string): string {
  return `${discoveryPrefix}/status`;
}

/** The device that a topic of some node's configuration is about; null: it is none of this program's. */
export function deviceOfConfig(discoveryPrefix: string, topic: string): string | null {
  const [, id] = /\/device\/wellhouse_([0-9a-f]{64})\/config$/.exec(topic) ?? [];
  return id !== undefined && topic === configTopic(discoveryPrefix, id) ? id : null;
}

/** The device and the kind of a topic below the prefix; null: it is none of a device. */
export function partsOfTopic(prefix: string, topic: string): { device: string; kind: DeviceTopic } | null {
  if (!topic.startsWith(`${prefix}/`)) return null;
  const [, device, kind] = /^([0-9a-f]{64})\/(state|availability|alerts)$/.exec(topic.slice(prefix.length + 1)) ?? [];
  return device === undefined ? null : { device, kind: kind as DeviceTopic };
}

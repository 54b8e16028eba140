import { VERSION } from '../../common/version.ts';
import type { BridgedDevice } from '../devices/bridged-device.ts';
import { type Entity, type EntityLabel, entitiesOf } from './entities.ts';
import { deviceTopic, statusTopic, type TopicNames } from './topics.ts';

/** The shortest `expire_after`: a shorter one would make entities flicker. */
const LEAST_EXPIRE_S = 60;
/** The steps of `expire_after`: a varying interval must not change the configuration repeatedly. */
const EXPIRE_STEPS_S = [60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800, 86_400, 172_800, 604_800, 31_622_400];

/** The inputs of a device's configuration, in addition to the device. */
export interface DiscoveryDependencies {
  readonly names: TopicNames;
  /** The texts for names of entities in the owner's language. */
  readonly label: (label: EntityLabel) => string;
  /** Seconds. */
  readonly expireAfter: number;
}

/** Returns the configuration for Home Assistant's discovery: one message with all entities of a device. */
export function discoveryConfig(device: BridgedDevice, dependencies: DiscoveryDependencies): object {
  const { names } = dependencies;
  const { id, name, model, firmware } = device.facts;
  const status = { topic: statusTopic(names) };
  return {
    device: {
      identifiers: [`wellhouse_${id}`],
      name,
      ...(model !== null && { model }),
      ...(firmware !== null && { sw_version: firmware }),
    },
    origin: { name: 'Wellhouse', sw_version: VERSION },
    availability: [status],
    availability_mode: 'all',
    state_topic: deviceTopic(names, id, 'state'),
    qos: 1,
    components: Object.fromEntries(
      entitiesOf(device).map((entity) => [entity.key, component(entity, device, dependencies)]),
    ),
  };
}

function component(entity: Entity, { id, facts }: BridgedDevice, dependencies: DiscoveryDependencies): object {
  const { names, label, expireAfter } = dependencies;
  const { key, platform, deviceClass, stateClass, unit, digits, icon, isDiagnostic } = entity;
  const isMeasured = entity.topic === 'state' && entity.needsDevice;
  return {
    platform,
    unique_id: `wellhouse_${id}_${key}`,
    default_entity_id: `${platform}.${slug(facts.name, id)}_${key}`,
    name: label(entity.label),
    ...(deviceClass !== null && { device_class: deviceClass }),
    ...(stateClass !== null && { state_class: stateClass }),
    ...(unit !== null && { unit_of_measurement: unit }),
    ...(digits !== null && { suggested_display_precision: digits }),
    ...(icon !== undefined && { icon }),
    ...(isDiagnostic && { entity_category: 'diagnostic' }),
    ...(isMeasured && { expire_after: expireAfter }),
    value_template: templateOf(entity),
    ...(entity.topic === 'alerts' && {
      state_topic: deviceTopic(names, id, 'alerts'),
      json_attributes_topic: deviceTopic(names, id, 'alerts'),
    }),
    availability: availabilityOf(entity, id, names),
  };
}

function templateOf({ key, topic }: Entity): string {
  if (topic === 'alerts') return "{{ 'ON' if value_json.needs_you else 'OFF' }}";
  return key === 'last_seen' ? '{{ value_json.received_at }}' : `{{ value_json.${key} }}`;
}

function availabilityOf({ of, needsDevice }: Entity, id: string, names: TopicNames): object[] {
  const isOneSealed = of.map((key) => `'${key}' in value_json.sealed`).join(' or ');
  return [
    { topic: statusTopic(names) },
    ...(needsDevice ? [{ topic: deviceTopic(names, id, 'availability') }] : []),
    ...(of.length === 0
      ? []
      : [
          {
            topic: deviceTopic(names, id, 'state'),
            value_template: `{{ 'offline' if ${isOneSealed} else 'online' }}`,
          },
        ]),
  ];
}

/** Returns a name in the form of entity ids. If it has no Latin letters or digits, uses the start of the id. */
export function slug(name: string, id: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return plain === '' ? `wellhouse_${id.slice(0, 8)}` : plain.slice(0, 60).replace(/_+$/, '');
}

/**
 * Returns the seconds after which a value expires, for a device that is silent after `silentAfterMs`. `before` is kept
 * while it is acceptable, so that a varying interval changes nothing.
 */
export function expireAfter(silentAfterMs: number, before: number | null): number {
  const wanted = Math.max(LEAST_EXPIRE_S, Math.ceil(silentAfterMs / 1000));
  const step = EXPIRE_STEPS_S.find((each) => each >= wanted) ?? EXPIRE_STEPS_S.at(-1)!;
  // One step more than needed is still acceptable.
  if (before !== null && before > step && EXPIRE_STEPS_S.indexOf(before) === EXPIRE_STEPS_S.indexOf(step) + 1) {
    return wanted > step * 0.8 ? before : step;
  }
  return step;
}

/**
 * Returns the configuration that removes dropped entities, which have only their platforms in it; null if there are
 * none.
 */
export function withDropped(config: object, dropped: Readonly<Record<string, string>>): object | null {
  const { components } = config as { components: Readonly<Record<string, unknown>> };
  const gone = Object.entries(dropped).filter(([key]) => !Object.hasOwn(components, key));
  if (gone.length === 0) return null;
  const emptied = Object.fromEntries(gone.map(([key, platform]) => [key, { platform }]));
  return { ...config, components: { ...components, ...emptied } };
}

/** Returns the platforms of a configuration's entities by key; empty if it is not a configuration. */
export function componentsOf(config: unknown): Record<string, string> {
  const components =
    (config as { components?: Record<string, { platform?: unknown } | null> } | null)?.components ?? {};
  const known = Object.entries(components).flatMap(([key, value]) => {
    return /^[a-z_]{1,40}$/.test(key) && typeof value?.platform === 'string' ? [[key, value.platform] as const] : [];
  });
  return Object.fromEntries(known);
}

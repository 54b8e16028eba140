import { displayText } from '../../../shared/display-text.ts';
import { shortestFloat32 } from '../../../shared/float32.ts';
import { DERIVED_FIELDS, type DerivedName } from '../../../shared/measures/derived.ts';
import { type FieldLabel, fieldScale, PERCENT_FULL } from '../../../shared/measures/field-scale.ts';
import {
  convert,
  QUANTITIES,
  type Quantity,
  REFERENCE_UNITS,
  UNITS,
  type UnitId,
} from '../../../shared/measures/units.ts';
import { FIELD_NAMES, type FieldName, SENSOR_FIELDS } from '../../../shared/protocol/fields.ts';
import type { BridgedDevice } from '../devices/bridged-device.ts';

/** The text key of an entity's name in the owner's language. */
export type EntityLabel = FieldLabel | 'battery' | 'lastSeen' | 'needsYou';

/** The attributes of an entity for Home Assistant, without its topic. */
export interface EntityKind {
  readonly platform: 'sensor' | 'binary_sensor';
  readonly deviceClass: string | null;
  readonly stateClass: 'measurement' | null;
  /** null for no unit. */
  readonly unit: string | null;
  readonly digits: number | null;
  readonly icon?: string;
  readonly isDiagnostic: boolean;
}

/** One entity of a device. */
export interface Entity extends EntityKind {
  /** The key in the state's JSON and in unique ids. It never changes while the entity has the same meaning. */
  readonly key: string;
  readonly label: EntityLabel;
  /** The device's topic with the value. */
  readonly topic: 'state' | 'alerts';
  /** Keys of the fields that the entity depends on: it is unavailable while one of them is sealed. */
  readonly of: readonly string[];
  /** Whether the entity is unavailable while the device is silent. */
  readonly needsDevice: boolean;
}

/** The attributes of each quantity. Values are always sent in one unit, since Home Assistant converts units itself. */
const QUANTITY_KINDS: Readonly<Record<Quantity, EntityKind & { readonly unitId: UnitId }>> = {
  // pH has no unit: Home Assistant does not accept "pH".
  acidity: { ...measured('ph', null, 2), unitId: 'ph' },
  conductivity: { ...measured('conductivity', 'mS/cm', 3), unitId: 'millisiemens' },
  distance: { ...measured('distance', 'mm', 0), unitId: 'millimetre' },
  temperature: { ...measured('temperature', '°C', 2), unitId: 'celsius' },
  humidity: { ...measured('humidity', '%', 2), unitId: 'percentHumidity' },
  pressure: { ...measured('pressure', 'kPa', 2), unitId: 'kilopascal' },
};
const TANK_KIND: EntityKind = { ...measured(null, '%', 1), icon: 'mdi:waves' };

const BATTERY: Entity = {
  ...{ key: 'battery', label: 'battery', topic: 'state', of: [], needsDevice: true },
  ...measured('battery', '%', 0),
  isDiagnostic: true,
};
/** The entities of derived fields, unavailable while one of their sources is sealed. */
const DERIVED: ReadonlyMap<DerivedName, Entity> = new Map(
  DERIVED_FIELDS.map(({ name, policyName, unit, decimals, of }) => {
    const { platform, deviceClass, stateClass, unit: symbol } = QUANTITY_KINDS[UNITS[unit].quantity];
    const kind = { platform, deviceClass, stateClass, unit: symbol, digits: decimals, isDiagnostic: false };
    const sources = of.map(policyNameOf);
    return [name, { key: policyName, label: name, topic: 'state', of: sources, needsDevice: true, ...kind }];
  }),
);
const LAST_SEEN: Entity = {
  ...{ key: 'last_seen', label: 'lastSeen', topic: 'state', of: [], needsDevice: false },
  ...{ platform: 'sensor', deviceClass: 'timestamp', stateClass: null, unit: null, digits: null, isDiagnostic: true },
};
const NEEDS_YOU: Entity = {
  ...{ key: 'needs_you', label: 'needsYou', topic: 'alerts', of: [], needsDevice: false },
  ...{ platform: 'binary_sensor', deviceClass: 'problem', stateClass: null, unit: null, digits: null },
  isDiagnostic: false,
};

function measured(deviceClass: string | null, unit: string | null, digits: number): EntityKind {
  return { platform: 'sensor', deviceClass, stateClass: 'measurement', unit, digits, isDiagnostic: false };
}

function policyNameOf(field: FieldName): string {
  return SENSOR_FIELDS.find(({ name }) => name === field)!.policyName;
}

/** A field of a device as it is handed on. */
export interface HandedField {
  readonly entity: Entity;
  /** Converts a value as sent by the device to the entity's unit. */
  readonly toUnit: (sent: number) => number;
}

/** Returns the entity of a field, according to the owner's choice of its unit. */
export function handedField(device: Pick<BridgedDevice, 'facts' | 'general'>, field: FieldName): HandedField {
  const choice = device.facts.notes.units[field];
  const scale = fieldScale(field, choice, device.general);
  const of = (key: string, label: EntityLabel, kind: EntityKind): Entity => {
    const { platform, deviceClass, stateClass, unit, digits, icon, isDiagnostic } = kind;
    const own = { key, label, topic: 'state', of: [key], needsDevice: true } as const;
    return { ...own, platform, deviceClass, stateClass, unit, digits, isDiagnostic, ...(icon && { icon }) };
  };
  const policyName = policyNameOf(field);
  if (choice !== undefined && 'label' in choice) {
    const unit = displayText(choice.label) || null;
    return { entity: of(policyName, field, { ...measured(null, unit, 2), digits: null }), toUnit: shortestFloat32 };
  }
  // The level needs the owner's values for empty and full, and is not used if the owner chose to see the distance.
  if (scale.unit === PERCENT_FULL) return { entity: of(policyName, field, TANK_KIND), toUnit: scale.toShown };
  const kind = QUANTITY_KINDS[QUANTITIES[field]];
  const isDistance = scale.label === 'waterDistance';
  const sent = choice?.sent ?? REFERENCE_UNITS[field];
  return {
    entity: of(isDistance ? 'water_distance' : policyName, isDistance ? 'waterDistance' : field, kind),
    toUnit: (value) => convert(shortestFloat32(value), sent, kind.unitId),
  };
}

/** Returns the fields that a device has sent, plain or sealed. */
export function fieldsOf(device: Pick<BridgedDevice, 'values' | 'sealed'>): FieldName[] {
  return FIELD_NAMES.filter((field) => device.values.has(field) || device.sealed.has(field));
}

/** Returns the entities of a device. */
export function entitiesOf(device: BridgedDevice): Entity[] {
  return [
    ...fieldsOf(device).map((field) => handedField(device, field).entity),
    ...device.derives.map((name) => DERIVED.get(name)!),
    ...(device.batteryPercent === null ? [] : [BATTERY]),
    ...(device.newest === null ? [] : [LAST_SEEN]),
    NEEDS_YOU,
  ];
}

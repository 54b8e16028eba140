import { z } from 'zod';

/**
 * The part of Home Assistant 2026.11's schema of a device's configuration that Wellhouse uses, copied from its
 * `mqtt/schemas.py`, `mqtt/sensor.py`, `mqtt/binary_sensor.py` and `sensor/const.py`.
 */

const topic = z.string().regex(/^[^\p{Cc}+#\0]+$/u);
const template = z.string().regex(/^\{\{ [^{}]* \}\}$/);
const availability = z.array(z.strictObject({ topic, value_template: template.optional() })).min(1);
const shared = { availability, availability_mode: z.enum(['all', 'any', 'latest']), state_topic: topic };

const UNITS: Readonly<Record<string, readonly (string | undefined)[]>> = {
  ph: [undefined],
  conductivity: ['S/cm', 'mS/cm', 'μS/cm'],
  distance: ['km', 'm', 'cm', 'mm', 'mi', 'nmi', 'yd', 'in', 'ft'],
  temperature: ['°C', '°F', 'K'],
  humidity: ['%'],
  pressure: ['mPa', 'Pa', 'hPa', 'kPa', 'bar', 'cbar', 'mbar', 'mmHg', 'inHg', 'inH₂O', 'psi', 'atm'],
  battery: ['%'],
  timestamp: [undefined],
};

const entity = {
  unique_id: z.string().min(1),
  name: z.string().min(1),
  value_template: template,
  availability,
  expire_after: z.int().min(0).optional(),
  json_attributes_topic: topic.optional(),
  state_topic: topic.optional(),
  entity_category: z.literal('diagnostic').optional(),
  icon: z
    .string()
    .regex(/^mdi:[a-z-]+$/)
    .optional(),
};

const sensor = z
  .strictObject({
    platform: z.literal('sensor'),
    ...entity,
    default_entity_id: z.string().regex(/^sensor\.[a-z0-9]+(?:_[a-z0-9]+)*$/),
    device_class: z.enum(Object.keys(UNITS)).optional(),
    state_class: z.literal('measurement').optional(),
    unit_of_measurement: z.string().trim().min(1).optional(),
    suggested_display_precision: z.int().min(0).optional(),
  })
  .refine(({ device_class: kind, unit_of_measurement: unit }) => kind === undefined || UNITS[kind]!.includes(unit), {
    error: 'a unit that does not go with the device class',
  })
  .refine(({ device_class: kind, state_class: state }) => kind !== 'timestamp' || state === undefined, {
    error: 'a time has no state class',
  });

const binarySensor = z.strictObject({
  platform: z.literal('binary_sensor'),
  ...entity,
  default_entity_id: z.string().regex(/^binary_sensor\.[a-z0-9]+(?:_[a-z0-9]+)*$/),
  device_class: z.literal('problem'),
});

const config = z.strictObject({
  device: z.strictObject({
    identifiers: z.array(z.string()).min(1),
    name: z.string(),
    model: z.string().optional(),
    sw_version: z.string().optional(),
  }),
  origin: z.strictObject({ name: z.string().min(1), sw_version: z.string() }),
  ...shared,
  qos: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  components: z.record(z.string().regex(/^[a-zA-Z0-9_-]+$/), z.union([sensor, binarySensor])),
});

/** Returns why Home Assistant would refuse a configuration; an empty list if it would accept it. */
export function faultsOf(value: unknown): string[] {
  const { error } = config.safeParse(value);
  return error === undefined ? [] : error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

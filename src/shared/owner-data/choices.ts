import { z } from 'zod';
import { QUANTITIES, type Quantity, UNITS, type UnitId } from '../measures/units.ts';
import { MAX_LEAF_OFFSET, MAX_LINES, SETUP_STEPS } from './limits.ts';
import { anyField, deviceId, timeMs } from './values.ts';

const MAX_GROUPS = 100;
const MAX_DEVICES = 1000;
const MAX_COMPARISONS = 100;

const name = z.string().trim().min(1).max(100);
export const unitId = z.enum(Object.keys(UNITS) as [UnitId, ...UnitId[]]);
const quantity = z.enum([...new Set(Object.values(QUANTITIES))] as [Quantity, ...Quantity[]]);

/** Devices under one name, in the owner's order. A device is in at most one group. */
const group = z.strictObject({
  id: z.uuid(),
  name,
  /** Whether lists show only its name. */
  isCollapsed: z.boolean(),
  devices: z.array(deviceId).max(MAX_DEVICES),
});
export type DeviceGroup = z.infer<typeof group>;

/** Fields of devices that are shown together under a name. */
const comparison = z.strictObject({
  id: z.uuid(),
  name,
  lines: z
    .array(
      z.strictObject({
        device: deviceId,
        field: anyField,
        /** The other node that has the device; missing for this node. */
        node: deviceId.optional(),
      }),
    )
    .min(1)
    .max(MAX_LINES),
  /** A range in the form of the page's address, such as "range=7d". */
  range: z.string().max(200),
});
export type Comparison = z.infer<typeof comparison>;

/** The owner's copies of the keystore. An unlocked keystore has more details. */
const keyCopies = z.strictObject({
  /** When its file was last exported, also in locked state; null if never. */
  exportedAt: timeMs.nullable(),
  /** Whether it has keys that no copy has, as far as is known; true if nothing is known. */
  isLacking: z.boolean(),
});
export type KeyCopies = z.infer<typeof keyCopies>;

/** The owner's answers during set-up. The page finds out by itself which steps are done. */
export const setup = z.strictObject({
  /** The steps that the owner put off. */
  skipped: z.array(z.enum(SETUP_STEPS)).max(SETUP_STEPS.length),
  /** The devices that the owner wants no alerts for. */
  unwatched: z.array(deviceId).max(MAX_DEVICES),
  /** Whether the owner wants no more reminders of the remaining steps. */
  isOver: z.boolean(),
});

/** The connections of the node to other programs. */
const bridge = z.strictObject({
  /** The devices that are not sent to the MQTT broker. */
  leftOut: z.array(deviceId).max(MAX_DEVICES),
});

const clockTime = z.string().regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/);

/** The hours of day at a device, and the offset of its leaves. */
const deviceClimate = z.strictObject({
  /**
   * The hours that count as day, in local time; if missing, the time between sunrise and sunset, or the usual hours.
   */
  dayHours: z
    .strictObject({ from: clockTime, to: clockTime })
    .refine(({ from, to }) => from !== to, { error: 'day and night of no length' })
    .optional(),
  /** How many °C leaves are warmer than the air, usually less than 0; missing if the owner did not enter it. */
  leafOffset: z.number().min(-MAX_LEAF_OFFSET).max(MAX_LEAF_OFFSET).optional(),
});
export type DeviceClimate = z.infer<typeof deviceClimate>;

/** The owner's choices for all devices, the same on every screen. Each part is stored and replaced as a whole. */
export const CHOICES = {
  /** The unit of shown values if the device has no own choice. */
  units: z
    .partialRecord(quantity, unitId)
    .refine((units) => Object.entries(units).every(([each, unit]) => UNITS[unit].quantity === each), {
      error: 'a unit of another quantity',
    }),
  /** In the order of lists. */
  groups: z
    .array(group)
    .max(MAX_GROUPS)
    .refine((groups) => isEachOnce(groups.flatMap(({ devices }) => devices)), { error: 'a device in two groups' })
    .refine((groups) => isEachOnce(groups.map(({ id }) => id)), { error: 'two groups of one id' }),
  comparisons: z
    .array(comparison)
    .max(MAX_COMPARISONS)
    .refine((list) => isEachOnce(list.map(({ id }) => id)), { error: 'two comparisons of one id' }),
  keyCopies,
  bridge,
  setup,
  climate: z.record(deviceId, deviceClimate).refine((devices) => Object.keys(devices).length <= MAX_DEVICES, {
    error: 'too many devices',
  }),
} as const;

export const ownerChoices = z.strictObject(CHOICES);
export type OwnerChoices = z.infer<typeof ownerChoices>;
/**
 * The stored choices of the owner. Retention, tasks, crop cycles and the notes (which include `hidden`) have their own
 * methods.
 */
export type ChoiceName = keyof OwnerChoices | 'retention' | 'tasks' | 'cycles' | 'hidden';

function isEachOnce(ids: readonly string[]): boolean {
  return new Set(ids).size === ids.length;
}

import { z } from 'zod';
import { QUANTITIES, type Quantity, UNITS, type UnitId } from '../measures/units.ts';
import { MAX_LINES } from './limits.ts';
import { anyField, deviceId, timeMs } from './values.ts';

const MAX_GROUPS = 100;
const MAX_DEVICES = 1000;
const MAX_COMPARISONS = 100;

const name = z.string().trim().min(1).max(100);
export const unitId = z.enum(Object.keys(UNITS) as [UnitId, ...UnitId[]]);
const quantity = z.enum([...new Set(Object.values(QUANTITIES))] as [Quantity, ...Quantity[]]);

/** Devices under one name, in the owner's order; a device is in one group at most. */
const group = z.strictObject({
  id: z.uuid(),
  name,
  /** Whether lists show its name alone. */
  isCollapsed: z.boolean(),
  devices: z.array(deviceId).max(MAX_DEVICES),
});
export type DeviceGroup = z.infer<typeof group>;

/** Fields of devices that are shown together, under a name. */
const comparison = z.strictObject({
  id: z.uuid(),
  name,
  lines: z
    .array(
      z.strictObject({
        device: deviceId,
        field: anyField,
        /** The other node that the device is of; missing: this one. */
        node: deviceId.optional(),
      }),
    )
    .min(1)
    .max(MAX_LINES),
  /** A range as the page's address has it, such as "range=7d". */
  range: z.string().max(200),
});
export type Comparison = z.infer<typeof comparison>;

/** The owner's actions on copies of the keystore, whose contents say more once it is unlocked. */
const keyCopies = z.strictObject({
  /** When its file was last exported, also while it was locked; null: never. */
  exportedAt: timeMs.nullable(),
  /** Whether it has keys that no copy has, as far as is known; where nothing is known, it has. */
  isLacking: z.boolean(),
});
export type KeyCopies = z.infer<typeof keyCopies>;

/** The steps of setting up a node, in their order. */
export const SETUP_STEPS = ['device', 'place', 'crop', 'phone', 'backup'] as const;
export type SetupStep = (typeof SETUP_STEPS)[number];

/** The owner's answers while setting up; what is done shows by itself. */
export const setup = z.strictObject({
  /** The steps that the owner put off. */
  skipped: z.array(z.enum(SETUP_STEPS)).max(SETUP_STEPS.length),
  /** The devices that the owner wants nothing watched of. */
  unwatched: z.array(deviceId).max(MAX_DEVICES),
  /** The owner wants no more reminders of what is left. */
  isOver: z.boolean(),
});

/** The connections of the node to other programs. */
const bridge = z.strictObject({
  /** Devices that are kept from the MQTT broker. */
  leftOut: z.array(deviceId).max(MAX_DEVICES),
});

/** In °C, to either side. */
export const MAX_LEAF_OFFSET = 20;

const clockTime = z.string().regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/);

/** The hours of day at a device, and what its leaves are like. */
const deviceClimate = z.strictObject({
  /** The hours that count as day, by the wall clock; missing: while the sun is up, or the usual ones. */
  dayHours: z
    .strictObject({ from: clockTime, to: clockTime })
    .refine(({ from, to }) => from !== to, { error: 'day and night of no length' })
    .optional(),
  /** By how many °C leaves are warmer than the air, usually less than 0; missing: the owner did not say. */
  leafOffset: z.number().min(-MAX_LEAF_OFFSET).max(MAX_LEAF_OFFSET).optional(),
});
export type DeviceClimate = z.infer<typeof deviceClimate>;

/** The owner's choices for all devices, the same on every screen. Each part is kept and replaced as a whole. */
export const CHOICES = {
  /** The unit that values are shown in where nothing else is said for a device. */
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
 * The owner's choices that are kept; retention, tasks, crop cycles and the notes, of which `hidden` is a part, have methods of their
 * own.
 */
export type ChoiceName = keyof OwnerChoices | 'retention' | 'tasks' | 'cycles' | 'hidden';

function isEachOnce(ids: readonly string[]): boolean {
  return new Set(ids).size === ids.length;
}

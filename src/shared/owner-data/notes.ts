import { z } from 'zod';
import { type FieldUnitChoice, PERCENT_FULL } from '../measures/field-scale.ts';
import { QUANTITIES, UNITS, type UnitId } from '../measures/units.ts';
import { DeviceStatus } from '../protocol/codes.ts';
import { FIELD_NAMES } from '../protocol/fields.ts';
import { unitId } from './choices.ts';
import { MAX_DEVICE_TEXT_LENGTH, MAX_LABEL_LENGTH } from './limits.ts';
import { fieldName } from './values.ts';

const distanceMm = z.number().min(0).max(100_000);

/** See FieldUnitChoice. */
export const fieldUnitChoice: z.ZodType<FieldUnitChoice, FieldUnitChoice> = z.union([
  z.strictObject({ label: z.string().trim().min(1).max(MAX_LABEL_LENGTH) }),
  z.strictObject({
    sent: unitId.optional(),
    shown: z.union([unitId, z.literal(PERCENT_FULL)]).optional(),
    tank: z
      .strictObject({ empty: distanceMm, full: distanceMm })
      .refine(({ empty, full }) => empty !== full, { error: 'empty and full are the same' })
      .optional(),
  }),
]);

/** The owner's units for a device: each in the field's own quantity, a tank only for the water level. */
const fieldUnits = z.partialRecord(fieldName, fieldUnitChoice).refine(
  (units) =>
    FIELD_NAMES.every((field) => {
      const choice = units[field];
      if (choice === undefined || 'label' in choice) return true;
      const isOwn = (unit: string | undefined) =>
        unit === undefined ||
        (unit === PERCENT_FULL ? field === 'waterLevel' : UNITS[unit as UnitId].quantity === QUANTITIES[field]);
      return isOwn(choice.sent) && isOwn(choice.shown) && (choice.tank === undefined || field === 'waterLevel');
    }),
  { error: 'a unit of another quantity' },
);

/** The owner's notes on a device. They affect only this app. */
export const deviceNotes = z.strictObject({
  /** null for the device's own name. */
  displayName: z.string().min(1).max(200).nullable(),
  /** A missing field is sent in the reference unit and shown in the owner's general unit. */
  units: fieldUnits,
  /**
   * Labels of the first version that became `units` without the owner's answer. They stay until the page has asked
   * whether the device sends in these units.
   */
  earlierLabels: z.partialRecord(fieldName, z.string().max(MAX_LABEL_LENGTH)),
  /** The owner's other text about it. */
  text: z.string().max(MAX_DEVICE_TEXT_LENGTH),
  /** The time without a reading after which it is silent; null for three times its usual interval. */
  silentAfterMs: z
    .int()
    .min(1000)
    .max(366 * 86_400_000)
    .nullable(),
  status: z.enum(DeviceStatus),
  /** Whether the owner counts a device that only the public store has as theirs; null if they have not said. */
  mine: z.boolean().nullable(),
  /**
   * Whether it is in no list, count or alert. Its readings are still accepted and stored. Notes of an earlier version
   * lack it.
   */
  isHidden: z.boolean().default(false),
});
export type DeviceNotes = z.infer<typeof deviceNotes>;

/** The notes of a device about which the owner noted nothing. */
export const NO_NOTES: DeviceNotes = {
  displayName: null,
  units: {},
  earlierLabels: {},
  text: '',
  silentAfterMs: null,
  status: 0,
  mine: null,
  isHidden: false,
};

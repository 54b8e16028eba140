import { z } from 'zod';
import { type Calibration, type CalibrationFault, calibrationFault } from '../measures/correction.ts';
import { MAX_PHOTO_BYTES, MAX_PHOTO_SIDE, MAX_PHOTOS_OF_ENTRY } from '../photos/photo-limits.ts';
import { MAX_ENTRY_LENGTH } from './limits.ts';
import { LOG_KIND_NAMES, LOG_UNITS, type LogKindName, logKind, MAX_AMOUNT, MAX_PRODUCT_LENGTH } from './log-kinds.ts';
import { deviceId, fieldName, timeMs } from './values.ts';

/** The faults of a calibration in words, for users of the API or the command. */
const FAULTS: Readonly<Record<CalibrationFault, string>> = {
  sameReference: 'both points have the same reference value',
  sameShown: 'both points have the same shown value, which gives no slope',
  absurdSlope: 'the slope is not between 0.2 and 5: no sensor is that far off',
  absurdValue: 'a value of a calibration is a number between -100000 and 100000',
  noPh: 'a reference of pH is between 0 and 14',
  farOff: 'a shown pH is not more than 5 from its reference',
};

/** A photo of an entry. Its file is next to the private store. */
export const photo = z.strictObject({
  /** SHA-256 of its bytes, lowercase hex. */
  id: z.string().regex(/^[0-9a-f]{64}$/),
  width: z.int().min(1).max(MAX_PHOTO_SIDE),
  height: z.int().min(1).max(MAX_PHOTO_SIDE),
  bytes: z.int().min(1).max(MAX_PHOTO_BYTES),
});
export type Photo = z.infer<typeof photo>;

/** Something that was done or seen; see LOG_KINDS. */
export const logAct = z
  .strictObject({
    kind: z.enum(LOG_KIND_NAMES as [LogKindName, ...LogKindName[]]),
    /** The name of the product used. */
    product: z.string().trim().min(1).max(MAX_PRODUCT_LENGTH).optional(),
    amount: z
      .strictObject({
        value: z.number().positive({ error: 'an amount must be more than 0' }).max(MAX_AMOUNT),
        unit: z.enum(LOG_UNITS),
      })
      .refine(({ value, unit }) => unit !== 'pieces' || Number.isInteger(value), { error: 'pieces are whole' })
      .optional(),
    /** The sensor that was calibrated. */
    field: fieldName.optional(),
    /**
     * One or two references in the unit that the device sends: their true values and the values that the device sent.
     */
    points: z
      .array(z.strictObject({ reference: z.number(), shown: z.number() }))
      .min(1)
      .max(2)
      .optional(),
    /**
     * The crop cycle of a change of stage, or the one that the owner chose. If the entry names no device, it is of the
     * whole place of this cycle, and counts once.
     */
    cycle: z.uuid().optional(),
    photos: z
      .array(photo)
      .min(1)
      .max(MAX_PHOTOS_OF_ENTRY)
      .refine((photos) => new Set(photos.map(({ id }) => id)).size === photos.length, { error: 'a photo twice' })
      .optional(),
  })
  .superRefine(({ kind, product, amount, field, points, cycle }, context) => {
    const {
      hasProduct = false,
      units,
      isAmountOptional = false,
      isCalibration = false,
      isAutomatic = false,
    } = logKind(kind);
    const refuse = (message: string, path: string) => context.addIssue({ code: 'custom', message, path: [path] });
    if (hasProduct && product === undefined) refuse(`${kind} needs a product`, 'product');
    if (!hasProduct && product !== undefined) refuse(`${kind} has no product`, 'product');
    if (cycle !== undefined && isCalibration) refuse(`${kind} has no crop cycle`, 'cycle');
    if (cycle === undefined && isAutomatic) refuse(`${kind} needs the crop cycle`, 'cycle');
    if (units === undefined ? amount !== undefined : amount === undefined && !isAmountOptional)
      refuse(`${kind} ${units === undefined ? 'has no' : 'needs an'} amount`, 'amount');
    if (amount !== undefined && units !== undefined && !units.includes(amount.unit))
      refuse(`the unit of ${kind} is ${units.join(' or ')}`, 'amount');
    if (!isCalibration && field !== undefined) refuse(`${kind} has no sensor`, 'field');
    if (!isCalibration && points !== undefined) refuse(`${kind} has no points`, 'points');
    if (isCalibration && field === undefined) refuse(`${kind} needs the sensor`, 'field');
    if (isCalibration && points === undefined) refuse(`${kind} needs one or two points`, 'points');
    const fault = field === undefined || points === undefined ? null : calibrationFault(field, points);
    if (fault !== null) refuse(FAULTS[fault], 'points');
  });
export type LogAct = z.infer<typeof logAct>;

/** Something that the owner noted or did, with its time. */
export const journalEntry = z.strictObject({
  id: z.int().min(1),
  /** null for all devices. */
  device: deviceId.nullable(),
  /** When it happened. */
  at: timeMs,
  text: z.string().trim().max(MAX_ENTRY_LENGTH),
  /** Missing for a note. */
  act: logAct.optional(),
  /** The name of the pairing that last wrote it; missing if somebody wrote it at the machine itself. */
  by: z.string().max(200).optional(),
  /** When it was last written. */
  updatedAt: timeMs,
});
export type JournalEntry = z.infer<typeof journalEntry>;

/** An entry as the owner writes it. */
export const writtenEntry = journalEntry
  .omit({ id: true, by: true, updatedAt: true })
  .refine(({ text, act }) => text !== '' || (act !== undefined && saysEnough(act)), {
    error: 'it needs a text',
    path: ['text'],
  })
  .refine(({ device, act }) => device !== null || act?.kind !== 'calibrated', {
    error: 'a calibration is of one device',
    path: ['device'],
  });

/** Returns whether an act needs no text: a photo shows the observation. */
function saysEnough({ kind, photos }: LogAct): boolean {
  return logKind(kind).needsText !== true || (kind === 'observed' && photos !== undefined);
}

/** Returns the calibrations among entries. */
export function calibrationsIn(entries: readonly JournalEntry[]): Calibration[] {
  return entries.flatMap(({ id, at, act }) =>
    act?.kind === 'calibrated' && act.field !== undefined && act.points !== undefined
      ? [{ id, at, field: act.field, points: act.points }]
      : [],
  );
}

import { z } from 'zod';
import { Disposition } from '../protocol/codes.ts';
import { perFieldName } from '../protocol/fields.ts';
import { isUint64Text } from '../protocol/uint64.ts';

// What the subjects of the owner API have in common. 64-bit values (seq, timestamp, location) are decimal strings, so
// that no digit is lost; every other time is Unix milliseconds of this node's clock; ids and keys are lowercase hex.

export const nothing = z.strictObject({});
export const uint64Text = z.string().refine(isUint64Text);
export const count = z.int().min(0);
export const disposition = z.enum(Disposition);

/** A value of the same kind for each field. */
export const perField = <T extends z.ZodType>(value: T) => z.strictObject(perFieldName(() => value));

/** A field as stored: a number in plain, sealed bytes in hex, or null where the reading has none. */
export const fieldValue = z.union([z.number(), z.strictObject({ cipher: z.string(), nonce: z.string() }), z.null()]);
export type FieldValue = z.infer<typeof fieldValue>;

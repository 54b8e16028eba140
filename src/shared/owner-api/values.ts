import { z } from 'zod';
import { Disposition } from '../protocol/codes.ts';
import { perFieldName } from '../protocol/fields.ts';
import { isUint64Text } from '../protocol/uint64.ts';

// Schemas that several subjects of the owner API share. 64-bit values (seq, timestamp, location) are decimal strings, so
// that no digit is lost. Other times are Unix milliseconds of this node's clock. Ids and keys are lowercase hex.

export const nothing = z.strictObject({});
export const uint64Text = z.string().refine(isUint64Text);
export const count = z.int().min(0);
export const disposition = z.enum(Disposition);

/** Returns the schema of an object with the same kind of value for each field. */
export const perField = <T extends z.ZodType>(value: T) => z.strictObject(perFieldName(() => value));

/** A field as stored: a plain number, sealed bytes in hex, or null if the reading does not have it. */
export const fieldValue = z.union([z.number(), z.strictObject({ cipher: z.string(), nonce: z.string() }), z.null()]);
export type FieldValue = z.infer<typeof fieldValue>;

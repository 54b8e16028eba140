import { z } from 'zod';
import { ANY_FIELDS, type AnyField } from '../measures/derived.ts';
import type { StoreName } from '../protocol/codes.ts';
import { FIELD_NAMES, type FieldName } from '../protocol/fields.ts';

/** A device's public key in lowercase hex. */
export const deviceId = z.string().regex(/^[0-9a-f]{64}$/);
/** Unix milliseconds. */
export const timeMs = z.int().min(0).max(8_640_000_000_000_000);
/** The two stores of a node. */
export const storeName = z.enum(['private', 'public'] as const satisfies readonly StoreName[]);
/** A field that is measured or derived. */
export const anyField = z.enum(ANY_FIELDS as readonly [AnyField, ...AnyField[]]);
export const fieldName = z.enum(FIELD_NAMES as readonly [FieldName, ...FieldName[]]);

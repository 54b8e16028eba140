import { z } from 'zod';
import { FIELD_NAMES, type FieldName, perFieldName } from './fields.ts';
import {
  MAX_BLOCKS_PER_BATCH,
  MAX_CIPHER_BYTES,
  MAX_KEY_VERSION,
  MAX_RAW_BYTES,
  MIN_CIPHER_BYTES,
  NONCE_BYTES,
  PUBLIC_KEY_BYTES,
} from './limits.ts';
import { hexBytes, uint64Text } from './primitives.ts';

/** One sensor field as sent, in exactly one of the plain and the encrypted form. */
export const sensorFieldInput = z
  .object(
    {
      plain: z.number({ error: 'must be a finite number' }).optional(),
      cipher: hexBytes(MIN_CIPHER_BYTES, MAX_CIPHER_BYTES).optional(),
      nonce: hexBytes(NONCE_BYTES).optional(),
    },
    { error: 'must be an object' },
  )
  .refine(hasOneForm, { error: 'must be either { plain } or { cipher, nonce }' })
  .meta({
    oneOf: [
      { required: ['plain'], properties: { cipher: false, nonce: false } },
      { required: ['cipher', 'nonce'], properties: { plain: false } },
    ],
  });

/** One sensor field as sent. */
export type SensorFieldInput = z.infer<typeof sensorFieldInput>;

function hasOneForm(field: { plain?: unknown; cipher?: unknown; nonce?: unknown }): boolean {
  const sealed = field.cipher !== undefined && field.nonce !== undefined;
  const anySealed = field.cipher !== undefined || field.nonce !== undefined;
  return field.plain === undefined ? sealed : !anySealed;
}

const field = sensorFieldInput.nullish();

/**
 * A telemetry block, as in the specification's table. Unknown members are ignored; `null` is an absent field. A
 * signature of any length is accepted here: a length other than 64 bytes is reported as a wrong signature, after the
 * device lookup.
 */
export const block = z.object(
  {
    deviceId: hexBytes(PUBLIC_KEY_BYTES),
    seq: uint64Text,
    timestamp: uint64Text,
    keyVersion: z
      .int({ error: 'must be an integer from 0 to 2^32-1' })
      .min(0, { error: 'must be an integer from 0 to 2^32-1' })
      .max(MAX_KEY_VERSION, { error: 'must be an integer from 0 to 2^32-1' })
      .optional(),
    ...perFieldName(() => field),
    signature: z.string({ error: 'must be a string' }).regex(/^(?:[0-9a-fA-F]{2})*$/, { error: 'must be hex' }),
    raw: hexBytes(0, MAX_RAW_BYTES),
  },
  { error: 'must be an object' },
);

/** A valid block. */
export type Block = z.infer<typeof block>;

/** The envelope of a batch. Its blocks are checked one by one, so that only a malformed one fails. */
export const telemetryBatch = z.object(
  {
    blocks: z
      .array(z.unknown(), { error: 'must be an array' })
      .min(1, { error: 'must hold at least 1 block' })
      .max(MAX_BLOCKS_PER_BATCH, { error: `must hold at most ${MAX_BLOCKS_PER_BATCH} blocks` }),
  },
  { error: 'must be a JSON object' },
);

/** A field of a block: its name in the protocol and its value as sent. */
export type FieldEntry = readonly [FieldName, SensorFieldInput];

/** Returns the fields of a block in the protocol's order. */
export function fieldsOf(sound: Block): FieldEntry[] {
  const entries: FieldEntry[] = [];
  for (const name of FIELD_NAMES) {
    const value = sound[name];
    if (value !== undefined && value !== null) entries.push([name, value]);
  }
  return entries;
}

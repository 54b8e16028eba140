import { z } from 'zod';
import { isUint64Text, MAX_UINT64 } from './uint64.ts';

/**
 * Returns a schema of hex of any case, of a fixed or limited number of bytes. Convert it to lowercase to store or
 * compare it.
 */
export function hexBytes(minBytes: number, maxBytes: number = minBytes) {
  const size = minBytes === maxBytes ? `${minBytes} bytes` : `${minBytes} to ${maxBytes} bytes`;
  return z
    .string({ error: 'must be a string' })
    .min(minBytes * 2, { error: `must be ${size} in hex`, abort: true })
    .max(maxBytes * 2, { error: `must be ${size} in hex`, abort: true })
    .regex(/^(?:[0-9a-fA-F]{2})*$/, { error: 'must be hex' });
}

/** Returns whether the text is a 32-byte key in hex of any case. */
export function isPublicKeyHex(text: string): boolean {
  return /^[0-9a-fA-F]{64}$/.test(text);
}

/** Returns the length of a string in characters (code points), as JSON Schema counts them. */
export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** No control characters and no bidirectional controls: they change the text around them in a terminal or a page. */
const SHOWABLE = /^[^\p{Cc}\u202A-\u202E\u2066-\u2069]*$/u;

/**
 * Returns a schema of a string without control characters, with a limited number of characters. JSON Schema's maxLength
 * counts code points; zod's counts UTF-16 units.
 */
export function boundedString(maxLength: number, minLength = 0) {
  return z
    .string({ error: 'must be a string' })
    .refine((text) => text.length <= maxLength || characters(text) <= maxLength, {
      error: `must have at most ${maxLength} characters`,
    })
    .refine((text) => text.length >= minLength, { error: `must have at least ${minLength} characters` })
    .regex(SHOWABLE, { error: 'must not hold control characters' })
    .meta({ minLength, maxLength });
}

/** An unsigned 64-bit integer in a JSON request body, as `parseJson64` reads it. The output is a bigint. */
export const uint64 = z
  .union([z.int().min(0), z.bigint().min(0n).max(MAX_UINT64)], { error: 'must be an integer from 0 to 2^64-1' })
  .transform((value) => BigInt(value));

/** An unsigned 64-bit integer as decimal text without sign or leading zeros. */
export const uint64Text = z
  .string({ error: 'must be a decimal string' })
  .refine(isUint64Text, {
    error: 'must be a decimal integer from 0 to 2^64-1 without leading zeros',
  })
  .meta({ pattern: '^(?:0|[1-9][0-9]{0,19})$' });

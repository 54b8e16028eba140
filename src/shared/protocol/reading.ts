import { z } from 'zod';
import { perFieldName } from './fields.ts';

/** A sensor field in a response: plain, encrypted (cipher and tag, without the nonce) or absent. */
export const sensorFieldOutput = z.union([
  z.strictObject({ value: z.number() }),
  z.strictObject({ encrypted: z.string().regex(/^(?:[0-9a-f]{2}){16,256}$/) }),
  z.null(),
]);

const wholeUint64 = z.union([z.int().min(0), z.bigint()]);

/** A reading in a response. */
export const readingResponse = z.strictObject({
  seq: wholeUint64,
  timestamp: wholeUint64,
  receivedAt: z.int().min(0),
  ...perFieldName(() => sensorFieldOutput),
});

import { z } from 'zod';
import type { Methods } from './method.ts';
import { nothing } from './values.ts';

export const DIAGNOSTICS_METHODS = {
  /** What helps to find a fault, with all that is private redacted; `zip` holds just these files, in base64. */
  diagnostics: {
    role: 'owner',
    input: nothing,
    output: z.strictObject({
      name: z.string(),
      zip: z.base64(),
      files: z.array(z.strictObject({ name: z.string(), text: z.string() })),
    }),
  },
} as const satisfies Methods;

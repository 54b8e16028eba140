import { z } from 'zod';
import type { Methods } from './method.ts';
import { nothing } from './values.ts';

export const DIAGNOSTICS_METHODS = {
  /** Files that help to find a fault, with everything private redacted; `zip` holds these files, in base64. */
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

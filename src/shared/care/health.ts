import { z } from 'zod';

/**
 * How a node started with restored data. `message` is one English line. `slow`: it had not started before the timeout.
 */
export const restoreHealth = z.strictObject({
  state: z.enum(['healthy', 'failed', 'slow']),
  message: z.string().nullable(),
});
export type RestoreHealth = z.infer<typeof restoreHealth>;

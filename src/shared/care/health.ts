import { z } from 'zod';

/** How a node came up with restored data; `message` is one English line. `slow`: it had not when its time was over. */
export const restoreHealth = z.strictObject({
  state: z.enum(['healthy', 'failed', 'slow']),
  message: z.string().nullable(),
});
export type RestoreHealth = z.infer<typeof restoreHealth>;

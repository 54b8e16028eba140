import { z } from 'zod';
import type { Methods } from './method.ts';
import { nothing } from './values.ts';

export const nodeInfo = z.strictObject({
  version: z.string(),
  publicKey: z.string(),
  /** Where the endpoints listen; null where the public one is off. */
  publicUrl: z.string().nullable(),
  localUrl: z.string(),
  /** This machine's own addresses on its networks, for the connect page. */
  addresses: z.array(z.string()),
  /** This machine's addresses at which the local endpoint answers though it should not, with their port. */
  exposedAt: z.array(z.string()),
  dataDir: z.string(),
  home: z.enum(['browser', 'desktop']),
});
export type NodeInfo = z.infer<typeof nodeInfo>;

export const NODE_METHODS = {
  nodeInfo: { role: 'viewer', input: nothing, output: nodeInfo },
} as const satisfies Methods;

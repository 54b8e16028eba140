import type { Methods } from './method.ts';
import { nothing } from './values.ts';

export const DEMO_METHODS = {
  startDemo: { role: 'owner', input: nothing, output: nothing },
  /** Stops the demo devices and deletes them with their readings. Other devices are not affected. */
  stopDemo: { role: 'owner', input: nothing, output: nothing },
} as const satisfies Methods;

import type { Methods } from './method.ts';
import { nothing } from './values.ts';

export const DEMO_METHODS = {
  startDemo: { role: 'owner', input: nothing, output: nothing },
  /** Stops the demo devices where they run, and deletes them and their readings. No other device is touched. */
  stopDemo: { role: 'owner', input: nothing, output: nothing },
} as const satisfies Methods;

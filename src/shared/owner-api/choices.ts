import { z } from 'zod';
import { ownerChoices } from '../owner-data/choices.ts';
import type { Methods } from './method.ts';

export const CHOICE_METHODS = {
  ownerChoices: { role: 'viewer', input: z.strictObject({}), output: ownerChoices },
  /** Replaces the given choices and returns all of them. */
  setOwnerChoices: { role: 'owner', input: ownerChoices.partial(), output: ownerChoices },
} as const satisfies Methods;

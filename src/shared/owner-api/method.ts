import type { z } from 'zod';

/** Who calls, the least first: a viewer reads and exports what is plain, the owner may do everything. */
export const ROLES = ['viewer', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** A right that a method may ask for besides a role: that the caller may have the sealed keystore. */
export const OPENS_KEYS = 'keys';
/** Another one: that the caller is an owner, or a viewer who may add entries to the log. */
export const LOGS = 'log';
export type Right = typeof OPENS_KEYS | typeof LOGS;

/** One method of the owner API. `Checked` is what its input's schema gives. */
export interface Method<Checked = unknown> {
  readonly input: z.ZodType<Checked>;
  readonly output: z.ZodType;
  /** The least role that may call it. */
  readonly role: Role;
  readonly asks?: Right;
}

/** The methods of one subject, by name. */
export type Methods = Readonly<Record<string, Method>>;

/** A value, or the promise of one. */
type Later<T> = T | Promise<T>;

/** Answers each of the methods, after its input has passed its schema. Rejects with OwnerError where the failure is an expected one. */
export type MethodHandlers<Subject extends Methods> = {
  readonly [M in keyof Subject]: (input: z.output<Subject[M]['input']>) => Later<z.output<Subject[M]['output']>>;
};

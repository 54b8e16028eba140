import type { z } from 'zod';

/** The roles, the lowest first. A viewer reads and exports plain data; the owner may do everything. */
export const ROLES = ['viewer', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** A right that a method may require besides a role: the caller may read the encrypted keystore. */
export const OPENS_KEYS = 'keys';
/** The right to add entries to the log: every owner has it, and a viewer if the pairing says so. */
export const LOGS = 'log';
export type Right = typeof OPENS_KEYS | typeof LOGS;

/** One method of the owner API. */
export interface Method {
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** The lowest role that may call it. */
  readonly role: Role;
  readonly asks?: Right;
}

/** The methods of one subject, by name. */
export type Methods = Readonly<Record<string, Method>>;

/** A value, or the promise of one. */
type Later<T> = T | Promise<T>;

/** A handler for each method. It gets input that has passed the schema, and rejects with OwnerError on an expected failure. */
export type MethodHandlers<Subject extends Methods> = {
  readonly [M in keyof Subject]: (input: z.output<Subject[M]['input']>) => Later<z.output<Subject[M]['output']>>;
};

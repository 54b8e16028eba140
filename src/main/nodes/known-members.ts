import { z } from 'zod';
// Not `z.core`: for that the build keeps all of zod, with its messages in fifty languages.
import * as core from 'zod/v4/core';

/**
 * Returns a schema that drops unknown members at any depth instead of refusing them, since a newer node may send more.
 * Known members are checked as before. Throws for a kind of schema without a rule.
 */
export function knownMembers<T extends z.ZodType>(schema: T): T {
  return known(schema) as T;
}

/** Uses the core of the library, which schemas of `zod` and `zod/mini` share. */
function known(schema: core.$ZodType): core.$ZodType {
  if (schema instanceof core.$ZodObject) {
    const { catchall: _refusing, ...def } = schema._zod.def;
    const shape = Object.fromEntries(Object.entries(def.shape).map(([name, member]) => [name, known(member)]));
    return core.clone(schema, { ...def, shape });
  }
  if (schema instanceof core.$ZodUnion) {
    const { def } = schema._zod;
    return core.clone(schema, { ...def, options: def.options.map(known) });
  }
  if (schema instanceof core.$ZodArray) {
    const { def } = schema._zod;
    return core.clone(schema, { ...def, element: known(def.element) });
  }
  if (
    schema instanceof core.$ZodNullable ||
    schema instanceof core.$ZodOptional ||
    schema instanceof core.$ZodDefault
  ) {
    const { def } = schema._zod;
    return core.clone(schema, { ...def, innerType: known(def.innerType) } as never);
  }
  if (schema instanceof core.$ZodRecord) {
    const { def } = schema._zod;
    const { keyType } = def;
    const record = core.clone(schema, { ...def, valueType: known(def.valueType) });
    // Enumerated keys are names, such as those of fields, and unknown ones are dropped; other keys are values, which
    // must match.
    return keyType instanceof core.$ZodEnum ? z.preprocess((value) => withKeys(value, keyType), record) : record;
  }
  if (LEAVES.some((leaf) => schema instanceof leaf)) return schema;
  throw new Error(`no rule for unknown members of ${schema._zod.def.type}`);
}

/** The schemas without members. */
const LEAVES = [
  core.$ZodString,
  core.$ZodNumber,
  core.$ZodBoolean,
  core.$ZodEnum,
  core.$ZodLiteral,
  core.$ZodNull,
  core.$ZodUnknown,
];

function withKeys(value: unknown, keys: core.$ZodType): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => core.safeParse(keys, key).success));
}

import { z } from 'zod';

/**
 * Returns a schema that drops unknown members at any depth instead of refusing them, since a newer node may send more.
 * Known members are checked as before. Throws for a kind of schema without a rule.
 */
export function knownMembers<T extends z.ZodType>(schema: T): T;
export function knownMembers(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const members = Object.entries(schema.def.shape as Record<string, z.ZodType>);
    const shape = Object.fromEntries(members.map(([name, member]) => [name, knownMembers(member)]));
    const { catchall: _refusing, ...def } = schema.def;
    return schema.clone({ ...def, shape });
  }
  if (schema instanceof z.ZodUnion) {
    return schema.clone({
      ...schema.def,
      options: (schema.options as z.ZodType[]).map((option) => knownMembers(option)),
    });
  }
  if (schema instanceof z.ZodArray) {
    return schema.clone({ ...schema.def, element: knownMembers(schema.element as z.ZodType) });
  }
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return schema.clone({ ...schema.def, innerType: knownMembers(schema.def.innerType as z.ZodType) } as never);
  }
  if (schema instanceof z.ZodRecord) {
    const { keyType } = schema.def;
    const record = schema.clone({ ...schema.def, valueType: knownMembers(schema.def.valueType as z.ZodType) });
    // Enumerated keys are names, such as those of fields, and unknown ones are dropped; other keys are values, which
    // must match.
    return keyType instanceof z.ZodEnum ? z.preprocess((value) => withKeys(value, keyType), record) : record;
  }
  if (LEAVES.some((leaf) => schema instanceof leaf)) return schema;
  throw new Error(`no rule for unknown members of ${schema.def.type}`);
}

/** The schemas without members. */
const LEAVES = [
  z.ZodString,
  z.ZodStringFormat,
  z.ZodNumber,
  z.ZodBoolean,
  z.ZodEnum,
  z.ZodLiteral,
  z.ZodNull,
  z.ZodUnknown,
];

function withKeys(value: unknown, keys: z.ZodType): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => keys.safeParse(key).success));
}

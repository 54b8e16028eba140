import { expect, it } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { EVENTS } from '../../shared/owner-api/events.ts';
import { RELAYED } from '../../shared/owner-api/nodes.ts';
import { knownMembers } from './known-members.ts';

const inner = z.strictObject({ a: z.number() });
const kinds = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('x') }),
  z.strictObject({ kind: z.literal('y'), inner }),
]);
const small = z.strictObject({ m: mini.nullable(mini.strictObject({ a: mini.number() })) });
const byName = z.partialRecord(z.enum(['x', 'y']), inner);

it.each<[string, z.ZodType, unknown, unknown]>([
  ['of an object', inner, { a: 1, b: 2 }, { a: 1 }],
  ['in a list', z.strictObject({ l: z.array(inner) }), { l: [{ a: 1, b: {} }], m: 0 }, { l: [{ a: 1 }] }],
  ['of a nullable object', inner.nullable(), { a: 1, b: 2 }, { a: 1 }],
  ['of an optional object', z.strictObject({ i: inner.optional() }), { i: { a: 1, b: 2 } }, { i: { a: 1 } }],
  ['with a default for an older node', z.strictObject({ l: z.array(inner).default([]) }), { m: 0 }, { l: [] }],
  ['of one of several', z.union([z.number(), inner, z.null()]), { a: 1, b: 2 }, { a: 1 }],
  ['of one of several kinds', kinds, { kind: 'y', inner: { a: 1, b: 2 }, c: 3 }, { kind: 'y', inner: { a: 1 } }],
  ['of records by id', z.record(z.string().regex(/^\d+$/), inner), { 7: { a: 1, b: 2 } }, { 7: { a: 1 } }],
  ['of a smaller library', small, { m: { a: 1, b: 2 } }, { m: { a: 1 } }],
  ['of records by name', byName, { x: { a: 1, b: 2 }, z: 3 }, { x: { a: 1 } }],
])('members %s that a schema does not name are dropped', (_where, schema, given, expected) => {
  expect(schema.safeParse(given).success).toBe(false);
  expect(knownMembers(schema).parse(given)).toEqual(expected);
});

it.each<[string, z.ZodType, unknown]>([
  ['a value of another type', inner, { a: '1', b: 2 }],
  ['a member that is missing', inner, { b: 2 }],
  ['a kind that is not known', kinds, { kind: 'z' }],
  ['a value by a known name', byName, { x: 1 }],
  ['a list by names', byName, []],
  ['a key of another form', z.record(z.string().regex(/^\d+$/), inner), { seven: { a: 1 } }],
  ['a value that a refinement refuses', inner.refine(({ a }) => a > 1), { a: 1, b: 2 }],
  ['a list that is too long', z.array(inner).max(1), [{ a: 1 }, { a: 2 }]],
])('%s is refused as before', (_what, schema, given) => {
  expect(knownMembers(schema).safeParse(given).success).toBe(false);
});

it('has a rule for all answers and events of other nodes', () => {
  for (const { output } of Object.values(RELAYED)) knownMembers(output);
  for (const event of Object.values(EVENTS)) knownMembers(event);
  expect(() => knownMembers(z.tuple([inner]))).toThrow('no rule');
});

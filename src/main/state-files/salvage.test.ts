import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { salvage } from './salvage.ts';

const schema = z.object({
  version: z.literal(1),
  rules: z.array(
    z.union([
      z.strictObject({ id: z.string(), name: z.string().max(5), to: z.array(z.uuid()) }),
      z.strictObject({ id: z.enum(['silent']), threshold: z.number() }),
    ]),
  ),
  live: z.array(z.object({ alert: z.strictObject({ id: z.string(), since: z.int().min(0).max(1e15) }) })),
  options: z.strictObject({
    quiet: z.strictObject({ from: z.string().regex(/^\d\d$/) }).nullable(),
    link: z.string().nullable(),
  }),
  secrets: z.record(z.uuid(), z.partialRecord(z.enum(['token', 'key']), z.string())),
});
type Document = z.infer<typeof schema>;

const ID = 'a7c4d6f0-8a0e-4a52-9a7e-0b9f4d5f1c11';
const EMPTY: Document = { version: 1, rules: [], live: [], options: { quiet: null, link: null }, secrets: {} };
const WHOLE: Document = {
  version: 1,
  rules: [
    { id: 'one', name: 'pH', to: [ID] },
    { id: 'silent', threshold: 5 },
  ],
  live: [{ alert: { id: 'first', since: 1 } }, { alert: { id: 'second', since: 2 } }],
  options: { quiet: { from: '22' }, link: 'http://x' },
  secrets: { [ID]: { token: 'abc', key: 'def' } },
};

/** Returns the whole document with one value changed. */
function damaged(path: readonly (string | number)[], value: unknown): unknown {
  const copy = structuredClone(WHOLE) as unknown;
  const around = path.slice(0, -1).reduce((at, key) => (at as Record<string, unknown>)[key], copy);
  (around as Record<string, unknown>)[path.at(-1)!] = value;
  return copy;
}

it('an undamaged document stays unchanged', () => {
  expect(salvage(schema, WHOLE, EMPTY)).toEqual({ value: WHOLE, lost: [], repaired: [], restored: [] });
});

describe('one damaged value loses only the entry around it:', () => {
  it.each<[string, (string | number)[], unknown, Partial<Document>, { part: string; entry: string | null }]>([
    ['of a list', ['live', 0, 'alert', 'since'], 'x', { live: [WHOLE.live[1]!] }, { part: 'live', entry: 'first' }],
    ['of a union', ['rules', 0, 'name'], 7, { rules: [WHOLE.rules[1]!] }, { part: 'rules', entry: 'one' }],
    ['in place of an entry', ['rules', 1], null, { rules: [WHOLE.rules[0]!] }, { part: 'rules', entry: '2' }],
    ['in place of a list', ['rules'], 'gone', { rules: [] }, { part: 'rules', entry: null }],
    [
      'of a member with a default',
      ['options', 'quiet', 'from'],
      'late',
      { options: { quiet: null, link: 'http://x' } },
      { part: 'options.quiet', entry: null },
    ],
    [
      'of a record in a record',
      ['secrets', ID, 'key'],
      5,
      { secrets: { [ID]: { token: 'abc' } } },
      { part: 'secrets', entry: `${ID} › key` },
    ],
    ['of a key', ['secrets', 'no id'], {}, {}, { part: 'secrets', entry: 'no id' }],
    ['of an unknown member', ['options', 'more'], 1, {}, { part: 'options', entry: 'more' }],
  ])('%s', (_name, path, value, rest, lost) => {
    expect(salvage(schema, damaged(path, value), EMPTY)).toEqual({
      value: { ...WHOLE, ...rest },
      lost: [lost],
      repaired: [],
      restored: [],
    });
  });

  it('several, in any order', () => {
    const document = structuredClone(WHOLE) as unknown as Record<string, unknown[]>;
    document.live = [null, WHOLE.live[0], 4, { alert: {} }, WHOLE.live[1]];
    document.rules = [];
    expect(salvage(schema, document, EMPTY)).toMatchObject({ value: { rules: [], live: WHOLE.live } });
  });
});

it('a member with several faults loses no other member', () => {
  const twice = z.object({
    options: z.strictObject({
      quiet: z.strictObject({ from: z.string(), to: z.string() }).nullable(),
      link: z.string().nullable(),
    }),
  });
  const document = { options: { quiet: { from: 7, to: 8 }, link: 'http://x' } };
  expect(salvage(twice, document, { options: { quiet: null, link: null } })).toMatchObject({
    value: { options: { quiet: null, link: 'http://x' } },
    lost: [{ part: 'options.quiet', entry: null }],
  });
});

describe('the value of the previous copy', () => {
  it.each<[string, (string | number)[], unknown, { part: string; entry: string | null }]>([
    ['is used for an entry with the same id', ['rules', 0, 'name'], 7, { part: 'rules', entry: 'one' }],
    ['is used for an entry whose id is damaged', ['rules', 1, 'id'], 7, { part: 'rules', entry: '2' }],
    ['is used for a member', ['rules'], 'gone', { part: 'rules', entry: null }],
    ['is used for a member of a member', ['options', 'quiet', 'from'], 1, { part: 'options.quiet', entry: null }],
    ['is used for an entry of a record', ['secrets', ID, 'key'], 5, { part: 'secrets', entry: `${ID} › key` }],
  ])('%s', (_name, path, value, restored) => {
    expect(salvage(schema, damaged(path, value), EMPTY, { before: WHOLE })).toEqual({
      value: WHOLE,
      lost: [],
      repaired: [],
      restored: [restored],
    });
  });

  it('is not used if it has the same fault, or no such entry', () => {
    const document = damaged(['rules', 0, 'name'], 7);
    const lost = [{ part: 'rules', entry: 'one' }];
    for (const before of [document, { ...WHOLE, rules: [] }, null, 'text']) {
      expect(salvage(schema, document, EMPTY, { before })).toMatchObject({ value: { rules: [WHOLE.rules[1]] }, lost });
    }
  });
});

it('an entry with two faults is lost once, even if one is an unknown member', () => {
  const strict = z.object({ options: z.strictObject({ quiet: z.strictObject({ from: z.string() }).nullable() }) });
  const read = salvage(strict, { options: { quiet: { odd: 1 } } }, { options: { quiet: null } });
  expect(read).toMatchObject({ value: { options: { quiet: null } }, lost: [{ part: 'options.quiet', entry: null }] });
  const records = z.object({ sent: z.record(z.string(), z.object({ a: z.number(), b: z.number() })) });
  const sent = { one: { a: 1, b: 2 }, two: {} };
  expect(salvage(records, { sent }, { sent: {} })).toMatchObject({
    value: { sent: { one: sent.one } },
    lost: [{ part: 'sent', entry: 'two' }],
  });
});

it('an entry of a record is lost alone if its schema is of the smaller library', () => {
  const entries = mini.nullable(mini.record(mini.string(), mini.object({ a: mini.number() })));
  const read = salvage(z.object({ sent: entries }), { sent: { one: { a: 1 }, two: {} } }, { sent: null });
  expect(read).toMatchObject({ value: { sent: { one: { a: 1 } } }, lost: [{ part: 'sent', entry: 'two' }] });
});

it('a fraction in place of an integer is rounded', () => {
  const read = salvage(schema, damaged(['live', 0, 'alert', 'since'], 12.6), EMPTY);
  expect(read?.value.live[0]?.alert.since).toBe(13);
  expect(read).toMatchObject({ lost: [], repaired: ['live.0.alert.since'] });
});

describe('a document that is about to be written', () => {
  it.each<[string, (string | number)[], unknown, unknown]>([
    ['a time below the range', ['live', 0, 'alert', 'since'], -5, 0],
    ['a time above it', ['live', 0, 'alert', 'since'], 2e15, 1e15],
    ['a time beyond all dates', ['live', 0, 'alert', 'since'], 1e300, 1e15],
    ['a fraction out of range', ['live', 0, 'alert', 'since'], -5.5, 0],
  ])('is brought into range: %s', (_name, path, value, expected) => {
    const written = salvage(schema, damaged(path, value), EMPTY, { isOurs: true });
    expect(written?.value.live[0]?.alert.since).toBe(expected);
    expect(written?.lost).toEqual([]);
  });

  it('loses only an entry with NaN; the document itself is not changed', () => {
    const document = damaged(['live', 0, 'alert', 'since'], Number.NaN);
    expect(salvage(schema, document, EMPTY, { isOurs: true })).toMatchObject({ value: { live: [WHOLE.live[1]] } });
    expect(document).toEqual(damaged(['live', 0, 'alert', 'since'], Number.NaN));
  });
});

it('a shared part of a document is written twice', () => {
  const shared = { id: 'shared', since: 1.5 };
  const document = { ...WHOLE, live: [{ alert: shared }, { alert: { ...shared, id: 7 } }, { alert: shared }] };
  const written = salvage(schema, document, EMPTY, { isOurs: true });
  expect(written?.value.live.map(({ alert }) => alert.since)).toEqual([2, 2]);
  expect(shared.since).toBe(1.5);
});

it.each([[null], [[]], ['text'], [7]])('%j has no contents', (document) => {
  expect(salvage(schema, document, EMPTY)).toBeNull();
});

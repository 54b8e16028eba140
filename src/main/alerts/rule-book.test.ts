import { describe, expect, it } from 'vitest';
import { RANGE_RULE } from '../../../test/support/alerts.ts';
import { type BuiltInRule, builtInRules, MAX_RULES, type RangeRule } from '../../shared/alerts/rule.ts';
import { RuleBook } from './rule-book.ts';

it('has a limited number of rules, which can still be changed', () => {
  const book = new RuleBook();
  for (let count = book.all.length; count < MAX_RULES; count += 1) book.write(RANGE_RULE);
  expect(() => book.write(RANGE_RULE)).toThrow('there are too many rules');
  const [first] = book.ranges as readonly [RangeRule];
  expect(book.put({ ...first, id: crypto.randomUUID() })).toBe(false);
  expect(book.put({ ...first, low: 5 })).toBe(true);
  book.write({ ...first, low: 5.1 });
  expect(book.all).toHaveLength(MAX_RULES);
  expect(book.find(first.id)).toMatchObject({ low: 5.1 });
  book.delete(first.id);
  expect(book.put({ ...first, id: crypto.randomUUID() })).toBe(true);
});

describe('the rules', () => {
  it('are the built-in ones at first', () => {
    const book = new RuleBook();
    expect([book.all, book.builtIns, book.ranges]).toEqual([builtInRules(), builtInRules(), []]);
    expect([book.find('silent'), book.find('other')]).toEqual([builtInRules()[0], null]);
  });

  it('have the owner’s in the order of their creation before the built-in ones', () => {
    const book = new RuleBook();
    const first = book.write(RANGE_RULE);
    expect(first).toEqual({ before: null, rule: { ...RANGE_RULE, id: first.rule.id } });
    const second = book.write({ ...RANGE_RULE, name: 'EC' }).rule as RangeRule;
    expect(second.id).not.toBe(first.rule.id);
    const changed = { ...RANGE_RULE, id: first.rule.id, low: 5 };
    expect(book.write(changed)).toEqual({ before: first.rule, rule: changed });
    expect(book.all).toEqual([changed, second, ...builtInRules()]);
    const silent = { ...(builtInRules()[0] as BuiltInRule), isOn: false };
    expect(book.write(silent)).toEqual({ before: builtInRules()[0], rule: silent });
    expect(book.builtIns).toEqual([silent, ...builtInRules().slice(1)]);
    expect(book.delete(second.id)).toEqual(second);
    expect(book.ranges).toEqual([changed]);
  });

  it('are restored; a built-in rule that was not kept has its defaults', () => {
    const book = new RuleBook();
    const range = { ...RANGE_RULE, id: crypto.randomUUID() };
    const silent = { ...(builtInRules()[0] as BuiltInRule), threshold: 9 };
    book.restore([range, silent]);
    expect(book.all).toEqual([range, silent, ...builtInRules().slice(1)]);
  });

  it('that are unknown can be neither written nor deleted', () => {
    const book = new RuleBook();
    const missing = { code: 'not_found', message: 'there is no such rule' };
    const id = crypto.randomUUID();
    expect(() => book.write({ ...RANGE_RULE, id })).toThrow(expect.objectContaining(missing));
    expect(() => book.delete(id)).toThrow(expect.objectContaining(missing));
    expect(book.all).toEqual(builtInRules());
  });

  it('beyond the limit are a conflict', () => {
    const book = new RuleBook();
    book.restore(Array.from({ length: MAX_RULES }, () => ({ ...RANGE_RULE, id: crypto.randomUUID() })));
    expect(() => book.write(RANGE_RULE)).toThrow(expect.objectContaining({ code: 'conflict' }));
  });
});

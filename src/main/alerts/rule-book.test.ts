import { expect, it } from 'vitest';
import { RANGE_RULE } from '../../../test/support/alerts.ts';
import { MAX_RULES, type RangeRule } from '../../shared/alerts/rule.ts';
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

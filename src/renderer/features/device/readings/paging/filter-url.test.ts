import { expect, it } from 'vitest';
import { readFilter, writeFilter } from './filter-url.ts';
import { NO_FILTER } from './reading-filter.ts';

const read = (text: string) => readFilter(new URLSearchParams(text));

it('reads its own output, and keeps the rest of the address', () => {
  const form = { field: 'ec', form: 'plain', min: '1200', max: '1,5' } as const;
  const written = writeFilter(new URLSearchParams('range=7d'), form);
  expect(written.toString()).toBe('range=7d&filter=ec&form=plain&min=1200&max=1%2C5');
  expect(readFilter(written)).toEqual(form);
  expect(writeFilter(written, NO_FILTER).toString()).toBe('range=7d');
});

it('reads an address typed by hand', () => {
  expect(read('filter=acid&min=2')).toEqual(NO_FILTER);
  expect(read('min=2')).toEqual(NO_FILTER);
  expect(read('filter=ph&form=odd&min=x')).toEqual({ field: 'ph', form: 'any', min: 'x', max: '' });
  // A sealed value has no bounds.
  expect(read('filter=ph&form=sealed&min=2')).toEqual({ field: 'ph', form: 'sealed', min: '', max: '' });
  expect(read(`filter=ph&min=${'9'.repeat(100)}`).min).toHaveLength(40);
});

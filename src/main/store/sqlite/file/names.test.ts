import { expect, it } from 'vitest';
import { belongsToStore, isDatabase, isMadeAtOpening, logOf, madeAtOpeningOf } from './names.ts';

it.each([
  ['private.db', true],
  ['public.db', true],
  ['private.db-wal', true],
  ['public.db-shm', true],
  ['public.db-journal', true],
  ['private.db.new', true],
  ['private.db.new-wal', true],
  ['public.db.new-move', true],
  ['other.db', false],
  ['privatexdb', false],
  ['my-private.db', false],
  ['private.db-old', false],
  ['private.db-wal.gz', false],
  ['private.db.old', false],
])('%s belongs to a store: %s', (name, does) => {
  expect(belongsToStore(name)).toBe(does);
});

it('names the files beside a store', () => {
  expect([logOf('a.db'), madeAtOpeningOf('a.db')]).toEqual(['a.db-wal', 'a.db-shm']);
  expect(['a.db-shm', 'a.db-wal', 'a-shm.db'].map(isMadeAtOpening)).toEqual([true, false, false]);
  expect(['a.db', 'a.db-wal', 'a.db.new'].map(isDatabase)).toEqual([true, false, false]);
});

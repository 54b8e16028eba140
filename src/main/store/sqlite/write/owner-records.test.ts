import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreInMemory } from '../../../../../test/support/store-in-memory.ts';
import { type DeviceNotes, deviceNotes } from '../../../../shared/owner-data/notes.ts';
import { writeOwnerRecord } from './owner-records.ts';
import type { OwnerJob } from './write-jobs.ts';

const [ID, OTHER_ID] = ['0a'.repeat(32), '0b'.repeat(32)];
const BYTES = Buffer.from(ID, 'hex');
let store: StoreInMemory;
beforeEach(() => {
  store = new StoreInMemory();
});
afterEach(() => store.close());

const write = (job: OwnerJob) => writeOwnerRecord(store.db, job);
const choose = (name: string, value: unknown) =>
  write({ kind: 'choose', name, value: JSON.stringify(value), updatedAt: 1 });
/** Returns a choice and when it was written; undefined if there is none. */
function choice(name: string): unknown[] | undefined {
  const row = store.rows(`SELECT value, updated_at FROM owner_choices WHERE name = '${name}'`)[0];
  return row && [JSON.parse(row[0] as string), row[1]];
}

describe('a choice', () => {
  it('is replaced by its name', () => {
    expect(choose('a', 1)).toBeNull();
    choose('b', 2);
    expect(write({ kind: 'choose', name: 'a', value: '{"c":3}', updatedAt: 9 })).toBeNull();
    expect(store.rows('SELECT * FROM owner_choices ORDER BY name')).toEqual([
      ['a', '{"c":3}', 9],
      ['b', '2', 1],
    ]);
  });
});

describe('notes', () => {
  const NOTES: DeviceNotes = {
    ...{ displayName: 'Tank', units: { ph: { label: 'pH' } }, earlierLabels: { ec: 'mS' }, text: 'north' },
    ...{ silentAfterMs: 5000, status: 1, mine: true, isHidden: false },
  };
  const note = (notes: DeviceNotes | null, more: { updatedAt?: number; keepsLog?: boolean; id?: string } = {}) =>
    write({ kind: 'note', id: ID, updatedAt: 5, notes, ...more });
  const stored = () => store.rows('SELECT * FROM device_notes ORDER BY id');

  it('are stored whole, and replaced', () => {
    expect(deviceNotes.parse(NOTES)).toEqual(NOTES);
    expect(note(NOTES)).toBeNull();
    const row = [BYTES, 'Tank', '{"ec":"mS"}', 5000, 1, 5, 1, '{"ph":{"label":"pH"}}', 'north'];
    expect(stored()).toEqual([row]);
    note({ ...NOTES, mine: false, displayName: null, silentAfterMs: null }, { updatedAt: 6 });
    expect(stored()).toEqual([[BYTES, null, '{"ec":"mS"}', null, 1, 6, 0, '{"ph":{"label":"pH"}}', 'north']]);
    note({ ...NOTES, mine: null });
    expect(stored()[0]![6]).toBeNull();
    expect(store.rows('SELECT * FROM owner_choices')).toEqual([]);
  });

  it('add a hidden device to the list once, and remove it when it is shown or they are removed', () => {
    note({ ...NOTES, isHidden: true });
    expect(choice('hidden')).toEqual([[ID], 5]);
    note({ ...NOTES, isHidden: true }, { updatedAt: 6 });
    expect(choice('hidden')).toEqual([[ID], 5]);
    note({ ...NOTES, isHidden: true }, { id: OTHER_ID, updatedAt: 7 });
    expect(choice('hidden')).toEqual([[ID, OTHER_ID], 7]);
    note(NOTES, { updatedAt: 8 });
    expect(choice('hidden')).toEqual([[OTHER_ID], 8]);
    note(NOTES, { updatedAt: 9 });
    expect(choice('hidden')).toEqual([[OTHER_ID], 8]);
    note(null, { id: OTHER_ID, updatedAt: 9 });
    expect(choice('hidden')).toEqual([[], 9]);
  });

  describe('when they are removed', () => {
    const of = (id: string) => [
      { device: id, at: 1 },
      { place: { device: id }, at: 2 },
    ];
    const OTHERS = [...of(OTHER_ID), { place: {} }, {}];
    beforeEach(() => {
      note(NOTES);
      note(NOTES, { id: OTHER_ID });
      for (const device of [ID, OTHER_ID, null]) {
        write({ kind: 'writeEntry', id: null, device, at: 1, text: 'a', updatedAt: 1 });
      }
      for (const name of ['tasks', 'cycles']) choose(name, [...of(ID), ...OTHERS]);
      choose('climate', { [ID]: 1, [OTHER_ID]: 2 });
    });
    const entriesOf = () => store.values('SELECT device_id FROM journal ORDER BY entry');
    const OTHER_BYTES = Buffer.from(OTHER_ID, 'hex');

    it('take the device’s journal, tasks, crop cycles and climate with them', () => {
      expect(note(null)).toBeNull();
      expect(stored().map(([id]) => id)).toEqual([OTHER_BYTES]);
      expect(entriesOf()).toEqual([OTHER_BYTES, null]);
      expect([choice('tasks'), choice('cycles')]).toEqual([
        [OTHERS, 5],
        [OTHERS, 5],
      ]);
      expect(choice('climate')).toEqual([{ [OTHER_ID]: 2 }, 5]);
      note(null, { updatedAt: 6 });
      expect(['tasks', 'cycles', 'climate'].map((name) => choice(name)![1])).toEqual([5, 5, 5]);
    });

    it('leave journal, tasks and crop cycles if these are kept', () => {
      expect(note(null, { keepsLog: true })).toBeNull();
      expect(stored().map(([id]) => id)).toEqual([OTHER_BYTES]);
      expect(entriesOf()).toEqual([BYTES, OTHER_BYTES, null]);
      expect([choice('tasks')![1], choice('cycles')![1], choice('climate')]).toEqual([1, 1, [{ [OTHER_ID]: 2 }, 5]]);
    });

    it('leave choices that are missing or have another form', () => {
      store.db.exec('DELETE FROM owner_choices');
      choose('tasks', { some: [] });
      note(null);
      expect(store.rows('SELECT * FROM owner_choices')).toEqual([['tasks', '{"some":[]}', 1]]);
    });
  });
});

describe('an entry of the journal', () => {
  const ENTRY = { kind: 'writeEntry', id: null, device: ID, at: 3, text: 'fed', updatedAt: 4 } as const;
  const columns = 'entry, device_id, at, text, act, author, updated_at';
  const journal = () => store.rows(`SELECT ${columns} FROM journal ORDER BY entry`);

  it('is added, with its act and author if it has them', () => {
    expect(write({ ...ENTRY, act: { kind: 'fed' } as never, by: 'Ada' })).toBe(1);
    expect(write({ ...ENTRY, device: null })).toBe(2);
    expect(journal()).toEqual([
      [1, BYTES, 3, 'fed', '{"kind":"fed"}', 'Ada', 4],
      [2, null, 3, 'fed', null, null, 4],
    ]);
    expect(store.rows('SELECT * FROM owner_choices')).toEqual([]);
  });

  it('is replaced by its id, if it exists', () => {
    for (let count = 0; count < 2; count += 1) write(ENTRY);
    expect(write({ ...ENTRY, id: 1, device: null, at: 7, text: 'b', by: 'Eve', updatedAt: 8 })).toBe(1);
    expect(write({ ...ENTRY, id: 9 })).toBeNull();
    expect(journal()).toEqual([
      [1, null, 7, 'b', null, 'Eve', 8],
      [2, BYTES, 3, 'fed', null, null, 4],
    ]);
  });

  it('is written with a choice', () => {
    write({ ...ENTRY, choice: { name: 'tasks', value: '[]', updatedAt: 6 } });
    expect(choice('tasks')).toEqual([[], 6]);
  });

  it('is deleted by its id', () => {
    for (let count = 0; count < 2; count += 1) write(ENTRY);
    expect(write({ kind: 'deleteEntry', id: 1 })).toBe(true);
    expect(write({ kind: 'deleteEntry', id: 1 })).toBe(false);
    expect(journal().map(([id]) => id)).toEqual([2]);
  });
});

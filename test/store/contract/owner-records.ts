import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_NOTES } from '../../../src/shared/owner-data/notes.ts';
import { ask, type OpenStores, REGISTERED_AT, register, type StoresUnderTest } from './stores-under-test.ts';

/** The contract of the owner's choices for all devices, and of the journal. */
export function ownerRecordsContract(open: OpenStores): void {
  let stores: StoresUnderTest;
  beforeEach(async () => {
    stores = await open();
  });
  afterEach(() => stores.dispose());

  const own = () => stores.store('private');
  const entries = (device: string | null, from = 0, to = Number.MAX_SAFE_INTEGER, limit = 100) =>
    ask(stores, (both) => both.journal(device, from, to, limit));

  it('choices are any JSON value, replaced by name, also after a restart', async () => {
    expect(await ask(stores, (both) => both.choices())).toEqual(new Map());
    await own().setChoice('units', { temperature: 'fahrenheit' }, 1);
    await own().setChoice('groups', [{ name: 'Pozo nº 1 🌱' }], 2);
    await own().setChoice('units', {}, 3);
    await stores.restart();
    const expected = new Map<string, unknown>(Object.entries({ units: {}, groups: [{ name: 'Pozo nº 1 🌱' }] }));
    expect(await ask(stores, (both) => both.choices())).toEqual(expected);
  });

  describe('the journal', () => {
    const entry = (device: string | null, at: number) => ({ id: null, device, at, text: `at ${at}\n🌱`, updatedAt: 7 });

    it('returns entries of a device and of all, newest first, between two times', async () => {
      const [a, b] = ['aa'.repeat(32), 'bb'.repeat(32)];
      const ids: (number | null)[] = [];
      for (const each of [entry(a, 300), entry(null, 200), entry(b, 100), entry(a, 300)]) {
        ids.push(await own().writeEntry(each));
      }
      expect(new Set(ids).size).toBe(4);
      const times = async (...asked: Parameters<typeof entries>) => (await entries(...asked)).map(({ id }) => id);
      expect(await times(null)).toEqual([ids[3], ids[0], ids[1], ids[2]]);
      expect(await times(a)).toEqual([ids[3], ids[0], ids[1]]);
      expect(await times(b, 100, 199)).toEqual([ids[2]]);
      expect(await times(null, 200, 300, 2)).toEqual([ids[3], ids[0]]);
      expect((await entries(b, 100, 100))[0]).toEqual({ ...entry(b, 100), id: ids[2] });
    });

    it('changes and deletes entries, and reports missing ones', async () => {
      const id = (await own().writeEntry(entry(null, 5)))!;
      const changed = { ...entry(null, 9), id, text: 'changed', updatedAt: 8 };
      expect(await own().writeEntry(changed)).toBe(id);
      expect(await entries(null)).toEqual([changed]);
      expect(await own().deleteEntry(id)).toBe(true);
      expect(await own().deleteEntry(id)).toBe(false);
      expect(await own().writeEntry(changed)).toBeNull();
      expect(await entries(null)).toEqual([]);
      // A later entry is never taken for one that is gone.
      expect(await own().writeEntry(entry(null, 5))).not.toBe(id);
    });

    it('keeps the action and the author, until it becomes a note', async () => {
      const act = { kind: 'dosed', product: 'Part A 🌱', amount: { value: 7.5, unit: 'ml' } } as const;
      const id = (await own().writeEntry({ ...entry(null, 5), act, by: 'Ana' }))!;
      await stores.restart();
      expect(await entries(null)).toEqual([{ ...entry(null, 5), id, act, by: 'Ana' }]);
      await own().writeEntry({ ...entry(null, 5), id });
      expect(await entries(null)).toEqual([{ ...entry(null, 5), id }]);
    });

    it('finds an entry by its id, and those with photos, the oldest first', async () => {
      const photos = [{ id: 'ab'.repeat(32), width: 64, height: 48, bytes: 9 }];
      const act = { kind: 'observed', photos } as const;
      const later = (await own().writeEntry({ ...entry(null, 9), act }))!;
      const product = '"photos":[';
      await own().writeEntry({ ...entry(null, 7), act: { kind: 'dosed', product } });
      const first = (await own().writeEntry({ ...entry(null, 5), act }))!;
      expect(await own().entry(later)).toEqual({ ...entry(null, 9), id: later, act });
      expect(await own().entry(999)).toBeNull();
      const found = await own().entriesWithPhotos();
      expect(found.map(({ id }) => id)).toEqual([first, later]);
      expect(await ask(stores, (both) => both.entriesWithPhotos())).toEqual(found);
    });

    it('is written in one transaction with a choice', async () => {
      await own().setChoice('tasks', ['before'], 1);
      await own().writeEntry(entry(null, 5), { name: 'tasks', value: ['after'] });
      await stores.restart();
      expect(await own().choices()).toEqual(new Map([['tasks', ['after']]]));
      expect(await entries(null)).toHaveLength(1);
    });

    it('loses the entries of a device with its notes, and those of others not', async () => {
      const { id } = await register(own());
      await own().setNotes(id, NO_NOTES, REGISTERED_AT);
      for (const device of [id, null, 'bb'.repeat(32)]) await own().writeEntry(entry(device, 5));
      await own().setNotes(id, null, REGISTERED_AT);
      expect((await entries(null)).map(({ device }) => device)).toEqual(['bb'.repeat(32), null]);
    });

    it('loses tasks and crop cycles of a device with its notes, but nothing if its log is kept', async () => {
      const [id, other] = ['aa'.repeat(32), 'bb'.repeat(32)];
      const tasks = [{ device: id }, { device: other }, { device: null }];
      const cycles = [{ place: { device: id } }, { place: { device: other } }, { place: { group: 'x' } }];
      await own().setChoice('tasks', tasks, 1);
      await own().setChoice('cycles', cycles, 1);
      await own().writeEntry(entry(id, 5));
      await own().setNotes(id, null, 2, true);
      expect(await own().choices()).toMatchObject(
        new Map<string, unknown>([
          ['tasks', tasks],
          ['cycles', cycles],
        ]),
      );
      expect(await entries(id)).toHaveLength(1);
      await own().setNotes(id, null, 3);
      expect((await own().choices()).get('tasks')).toEqual(tasks.slice(1));
      expect((await own().choices()).get('cycles')).toEqual(cycles.slice(1));
      expect(await entries(id)).toEqual([]);
    });

    it('loses the hours of day and the leaf temperature of a device with its notes, also if its log is kept', async () => {
      const [id, other] = ['aa'.repeat(32), 'bb'.repeat(32)];
      await own().setChoice('climate', { [id]: { leafOffset: -2 }, [other]: { leafOffset: -1 } }, 1);
      await own().setNotes(other, NO_NOTES, 2);
      await own().setNotes(id, null, 2, true);
      expect((await own().choices()).get('climate')).toEqual({ [other]: { leafOffset: -1 } });
    });
  });
}

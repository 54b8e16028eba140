import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OwnerStoresForTest } from '../../../../test/support/owner-stores.ts';
import { MAX_ENTRIES } from '../../../shared/owner-api/journal.ts';
import { NO_CHOICES } from '../../../shared/owner-data/no-choices.ts';
import { NO_NOTES } from '../../../shared/owner-data/notes.ts';

let stores: OwnerStoresForTest;
beforeEach(() => {
  stores = new OwnerStoresForTest();
});
afterEach(() => stores.dispose());

describe('notes of an earlier version', () => {
  it('converts a label of another unit, and asks', async () => {
    const { id } = stores.register({}, ['private']);
    stores.write('private', [{ kind: 'note', id, notes: { ...NO_NOTES, displayName: 'Well' }, updatedAt: 0 }]);
    const labels = { tempWater: '°F', ec: 'ppm', ph: 'mV' };
    const db = new Database(stores.paths.private);
    db.prepare('UPDATE device_notes SET units = NULL, unit_labels = ?').run(JSON.stringify(labels));
    db.close();
    expect((await stores.ask('device', { id })).notes).toEqual({
      ...NO_NOTES,
      displayName: 'Well',
      units: { tempWater: { shown: 'fahrenheit' }, ph: { label: 'mV' } },
      earlierLabels: { tempWater: '°F' },
    });
  });
});

describe('the owner’s choices for all devices', () => {
  it('are empty at first, and later their valid part', async () => {
    expect(await stores.ask('ownerChoices', {})).toEqual(NO_CHOICES);
    const groups = [{ id: '6b1f4c2e-7a3d-4c55-9d10-2f6f0a1b2c3d', name: 'Roof', isCollapsed: false, devices: [] }];
    stores.write('private', [
      { kind: 'choose', name: 'units', value: JSON.stringify({ temperature: 'kelvin' }), updatedAt: 0 },
      { kind: 'choose', name: 'groups', value: JSON.stringify(groups), updatedAt: 0 },
      { kind: 'choose', name: 'later', value: '{}', updatedAt: 0 },
    ]);
    expect(await stores.ask('ownerChoices', {})).toEqual({ ...NO_CHOICES, groups });
  });
});

describe('the journal', () => {
  it('returns the entries of a device, of all devices, or of any, in order of time', async () => {
    const entry = (device: string | null, at: number, text: string) =>
      ({ kind: 'writeEntry', id: null, device, at, text, updatedAt: 7 }) as const;
    const [a, b] = ['aa'.repeat(32), 'bb'.repeat(32)];
    stores.write('private', [entry(a, 300, 'third'), entry(null, 200, 'second'), entry(b, 100, 'first')]);
    const texts = async (device: string | null, from: number | null = null, to: number | null = null) => {
      const { entries, isCut } = await stores.ask('journal', { device, from, to });
      expect(isCut).toBe(false);
      return entries.map(({ text }) => text);
    };
    expect(await texts(null)).toEqual(['first', 'second', 'third']);
    expect(await texts(a)).toEqual(['second', 'third']);
    expect(await texts(a, 201, 300)).toEqual(['third']);
    expect(await texts(null, null, 100)).toEqual(['first']);
    stores.write('private', [{ kind: 'note', id: a, notes: null, updatedAt: 0 }]);
    expect(await texts(null)).toEqual(['first', 'second']);
  });

  it('leaves out the oldest beyond the limit', async () => {
    const many = Array.from({ length: MAX_ENTRIES + 1 }, (_, at) => {
      return { kind: 'writeEntry', id: null, device: null, at, text: String(at), updatedAt: 0 } as const;
    });
    stores.write('private', many);
    const { entries, isCut } = await stores.ask('journal', { device: null, from: null, to: null });
    expect([entries.length, entries[0]!.text, isCut]).toEqual([MAX_ENTRIES, '1', true]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OwnerStoresForTest } from '../../../../../test/support/owner-stores.ts';
import type { LogAct } from '../../../../shared/owner-data/journal.ts';
import type { NewEntry } from '../../port.ts';
import {
  choicesOf,
  correctionsOfAll,
  correctionsOfOne,
  entriesWithPhotos,
  entryOf,
  journalOf,
} from './owner-records.ts';
import { ReadConnection } from './read-connection.ts';

const [A, B, C] = ['aa', 'bb', 'cc'].map((byte) => byte.repeat(32)) as [string, string, string];
const PHOTO = { id: 'ee'.repeat(32), width: 4, height: 3, bytes: 100 };
/** An act of a later version. */
const LATER = { kind: 'nutrient', parts: { photos: [PHOTO] } } as unknown as LogAct;
const SEEN: LogAct = { kind: 'observed', photos: [PHOTO] };
const calibrated = (reference: number, field: 'ph' | 'ec' = 'ph'): LogAct => {
  return { kind: 'calibrated', field, points: [{ reference, shown: 6 }] };
};

let stores: OwnerStoresForTest;
let connection: ReadConnection;

/** The entries, whose ids are their places from 1 on. */
const ENTRIES: readonly Omit<NewEntry, 'id'>[] = [
  { device: A, at: 30, text: 'of A', updatedAt: 101 },
  { device: null, at: 20, text: 'of all', updatedAt: 102, by: 'phone' },
  { device: B, at: 20, text: 'of B', updatedAt: 103, act: SEEN },
  { device: A, at: 10, text: '', updatedAt: 104, act: SEEN, by: 'tablet' },
  { device: A, at: 20, text: '', updatedAt: 105, act: LATER },
  { device: A, at: 40, text: '', updatedAt: 106, act: calibrated(7) },
  { device: A, at: 35, text: '', updatedAt: 107, act: calibrated(1000, 'ec') },
  { device: A, at: 40, text: '', updatedAt: 108, act: calibrated(8) },
  { device: B, at: 45, text: '', updatedAt: 109, act: calibrated(5) },
  { device: C, at: 50, text: '', updatedAt: 110, act: { kind: 'observed' } },
];
const entry = (id: number) => ({ id, ...ENTRIES[id - 1]! });

beforeAll(() => {
  stores = new OwnerStoresForTest();
  connection = ReadConnection.toBoth(stores.paths);
  expect(choicesOf(connection)).toEqual(new Map());
  expect(journalOf(connection, null, 0, 99, 99)).toEqual([]);
  stores.write(
    'private',
    ENTRIES.map((each) => ({ kind: 'writeEntry', id: null, ...each })),
  );
});
afterAll(async () => {
  connection.close();
  await stores.dispose();
});

it('choices are JSON values by name', () => {
  const choose = (name: string, value: unknown) =>
    ({ kind: 'choose', name, value: JSON.stringify(value), updatedAt: 1 }) as const;
  stores.write('private', [choose('hidden', [A]), choose('units', { ec: null })]);
  expect(choicesOf(connection)).toEqual(
    new Map<string, unknown>([
      ['hidden', [A]],
      ['units', { ec: null }],
    ]),
  );
});

describe('the journal', () => {
  const ids = (...asked: [device: string | null, from: number, to: number, limit?: number]) => {
    const [device, from, to, limit = 99] = asked;
    return journalOf(connection, device, from, to, limit).map(({ id }) => id);
  };

  it('has entries as they were written, newest first', () => {
    expect(journalOf(connection, null, 0, 99, 99)).toEqual([10, 9, 8, 6, 7, 1, 5, 3, 2, 4].map(entry));
  });

  it('has the entries of a device and those of none', () => {
    expect(ids(A, 0, 99)).toEqual([8, 6, 7, 1, 5, 2, 4]);
    expect(ids(B, 0, 99)).toEqual([9, 3, 2]);
    expect(ids('ff'.repeat(32), 0, 99)).toEqual([2]);
  });

  it('has the entries between two times, up to a limit', () => {
    expect(ids(null, 20, 30)).toEqual([1, 5, 3, 2]);
    expect(ids(null, 21, 29)).toEqual([]);
    expect(ids(null, 20, 30, 2)).toEqual([1, 5]);
    expect(ids(A, 10, 20, 2)).toEqual([5, 2]);
  });

  it('has an entry by its id', () => {
    expect([entryOf(connection, 2), entryOf(connection, 4), entryOf(connection, 99)]).toEqual([
      entry(2),
      entry(4),
      null,
    ]);
    expect(entryOf(connection, 1)).not.toHaveProperty('act');
    expect(entryOf(connection, 1)).not.toHaveProperty('by');
  });

  it('has the entries with photos, oldest first', () => {
    expect(entriesWithPhotos(connection)).toEqual([entry(4), entry(3)]);
    const [written] = stores.write('private', [{ kind: 'writeEntry', id: null, ...ENTRIES[2]! }]);
    const { result: id } = written as { result: number };
    expect(entriesWithPhotos(connection).map((each) => each.id)).toEqual([4, 3, id]);
    stores.write('private', [{ kind: 'deleteEntry', id }]);
  });
});

describe('corrections', () => {
  const OF_A = [
    { field: 'ec', from: 35, slope: 1, offset: 994 },
    { field: 'ph', from: 40, slope: 1, offset: 2 },
  ];
  const OF_B = [{ field: 'ph', from: 45, slope: 1, offset: -1 }];

  it('are those of the calibrations of each device', () => {
    expect(correctionsOfAll(connection)).toEqual(
      new Map<string, unknown>([
        [A, OF_A],
        [B, OF_B],
      ]),
    );
    expect([A, B, C].map((device) => correctionsOfOne(connection, device))).toEqual([OF_A, OF_B, []]);
  });

  it('are also those of a calibration without a device', () => {
    const act = calibrated(6.5);
    stores.write('private', [{ kind: 'writeEntry', id: null, device: null, at: 1, text: '', updatedAt: 1, act }]);
    expect(correctionsOfAll(connection).get('')).toEqual([{ field: 'ph', from: 1, slope: 1, offset: 0.5 }]);
    expect(correctionsOfOne(connection, A)).toEqual(OF_A);
  });
});

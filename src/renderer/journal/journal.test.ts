import { expect, it } from 'vitest';
import type { JournalEntry } from '../../shared/owner-data/journal.ts';
import { journalCsv } from './journal-csv.ts';
import { marksIn } from './marks.ts';

const entry = (id: number, at: number, more: Partial<JournalEntry> = {}): JournalEntry => ({
  id,
  device: null,
  at,
  text: `note ${id}`,
  updatedAt: at,
  ...more,
});

it('numbers the visible notes from the oldest, both ends inclusive', () => {
  const marks = marksIn([entry(1, 99), entry(4, 200), entry(3, 100), entry(2, 200), entry(5, 201)], {
    from: 100,
    to: 200,
  });
  expect(marks.map(({ number, entry: { id } }) => [number, id])).toEqual([
    [1, 3],
    [2, 2],
    [3, 4],
  ]);
});

it('has one list of no visible notes, so that the charts see no change', () => {
  const view = { from: 100, to: 200 };
  expect(marksIn([entry(1, 99)], view)).toBe(marksIn([], view));
});

it('writes a file with each note’s device, with escaped separators and without formulas', async () => {
  const of = 'ab'.repeat(32);
  const text = await journalCsv([entry(1, 0, { device: of, text: '=A1; b' })], () => 'Bench', 'semicolon').text();
  const [header, line] = text.split('\r\n');
  expect(header).toMatch(
    /^time;time_local \(.*\);device;device_id;note;written_at;kind;product;amount;unit;by;sensor;reference;shown;reference_2;shown_2;photos$/,
  );
  expect(line).toContain(`;Bench;${of};"'=A1; b";1970-01-01T00:00:00.000Z;note;;;;`);
});

import { expect, it } from 'vitest';
import { DEFAULT_TABLE, parseTablePreferences } from './table-preferences.ts';

it('reads its own output', () => {
  const kept = { hidden: ['ec', 'delay'], sort: { id: 'ph', desc: false } };
  expect(parseTablePreferences(JSON.stringify(kept))).toEqual({ ...kept, hidden: ['delay', 'ec'] });
});

it('uses defaults for invalid values', () => {
  for (const text of [
    undefined,
    '',
    'null',
    '[]',
    '3',
    '{"hidden":3,"sort":null}',
    '{"sort":{"id":"no","desc":true}}',
  ]) {
    expect(parseTablePreferences(text)).toEqual(DEFAULT_TABLE);
  }
  expect(parseTablePreferences('{"hidden":["no","seq"]}').hidden).toEqual(['seq']);
});

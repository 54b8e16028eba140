import { expect, it } from 'vitest';
import { fieldScale } from '../../../../shared/measures/field-scale.ts';
import { daysCsv, daysJson } from './days-file.ts';

const from = new Date(2026, 4, 1).getTime();
const to = new Date(2026, 4, 2).getTime();
const part = { from, to, inRange: 0.9412, mean: 6.1, day: 6.2, night: null, min: 5.5, max: 7, count: 144 };
const fields = [{ scale: fieldScale('ph', undefined, {}), parts: [part] }];

it('writes a line for each day of each field', () => {
  const lines = daysCsv(fields, 'comma').split('\r\n');
  expect(lines[0]).toMatch(/^from_local \(.+\),to_local \(.+\),field,unit,in_range,mean,mean_by_day,mean_by_night,/);
  expect(lines[1]).toBe('2026-05-01 00:00:00,2026-05-02 00:00:00,ph,,0.9412,6.1,6.2,,5.5,7,144');
  expect(daysCsv(fields, 'semicolon')).toContain(';0,9412;6,1;');
});

it('writes the same as JSON', () => {
  expect(JSON.parse(daysJson(fields))).toEqual([
    {
      ...{ from: new Date(from).toISOString(), to: new Date(to).toISOString(), field: 'ph', unit: '', inRange: 0.9412 },
      ...{ mean: 6.1, meanByDay: 6.2, meanByNight: null, min: 5.5, max: 7, readings: 144 },
    },
  ]);
});

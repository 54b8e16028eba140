import { expect, it } from 'vitest';
import { CROPS, PRESET_SOURCES, PRESETS } from './presets.ts';
import { ruleInput } from './rule.ts';

it.each(CROPS)('the ranges of %s are valid rules, each field once', (crop) => {
  const ranges = PRESETS[crop];
  for (const { source, ...range } of ranges) {
    const common = { severity: 'warning', channels: 'all', repeatMinutes: null, isOn: true };
    const rule = { id: null, kind: 'range', name: crop, scope: { kind: 'all' }, ...range, ...common };
    expect(ruleInput.safeParse(rule).error, JSON.stringify(rule)).toBeUndefined();
    expect(PRESET_SOURCES).toHaveProperty(source);
  }
  expect(new Set(ranges.map(({ field }) => field)).size).toBe(ranges.length);
});

it('EC is stored in the unit that the device sends', () => {
  expect(PRESETS.lettuce.find(({ field }) => field === 'ec')).toMatchObject({ low: 600, high: 1000 });
  expect(PRESETS.strawberry.find(({ field }) => field === 'ec')).toMatchObject({ low: null, high: 600 });
});

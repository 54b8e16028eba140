import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FIELD_NAMES } from '../../../shared/protocol/fields.ts';
import { type ChartAddress, readChartAddress, writeChartAddress } from './chart-url.ts';

const names = { presets: ['24h', 'lastNight', 'all'], overlays: ['yesterday', 'lastWeek'] } as const;
const read = (text: string) => readChartAddress(new URLSearchParams(text), names);
const nothing = { range: undefined, fields: undefined, overlay: undefined };

it('reads the written range back from a URL with other parameters', () => {
  const last = 8_640_000_000_000_000;
  const custom = fc
    .uniqueArray(fc.oneof(fc.integer({ min: 0, max: 2e12 }), fc.integer({ min: 0, max: last })), {
      minLength: 2,
      maxLength: 2,
    })
    .map(([a, b]) => ({ kind: 'custom' as const, from: Math.min(a!, b!), to: Math.max(a!, b!) }));
  const address = fc.record({
    range: fc.oneof(
      fc.constant(undefined),
      custom,
      fc.constantFrom(...names.presets).map((preset) => ({ kind: 'preset' as const, preset })),
    ),
    fields: fc.oneof(fc.constant(undefined), fc.subarray([...FIELD_NAMES], { minLength: 1 })),
    overlay: fc.constantFrom(undefined, ...names.overlays),
  });
  fc.assert(
    fc.property(address, address, fc.string(), (first: ChartAddress<string, string>, second, other) => {
      const search = new URLSearchParams({ other });
      const written = writeChartAddress(writeChartAddress(search, first), second);
      const carried = new URL(`http://node/#/device/ab?${written}`).hash.split('?')[1];
      expect(readChartAddress(new URLSearchParams(carried), names)).toEqual(second);
      expect(written.get('other')).toBe(other);
    }),
  );
});

it('leaves out unknown values', () => {
  expect(read('')).toEqual(nothing);
  expect(read('range=2weeks&fields=co2,&overlay=never')).toEqual(nothing);
  expect(read('from=2026-11-20T00:00:00Z')).toEqual(nothing);
  expect(read('from=2026-11-20T00:00:00Z&to=2026-11-19T00:00:00Z')).toEqual(nothing);
  expect(read('from=yesterday&to=tomorrow')).toEqual(nothing);
  expect(read('from=-000001-01-01T00:00:00Z&to=2026-11-19T00:00:00Z')).toEqual(nothing);
  expect(read('fields=humidity,co2,ph,ph').fields).toEqual(['ph', 'humidity']);
  expect(read('from=2026-11-19T00:00:00Z&to=2026-11-20T00:00:00Z').range).toMatchObject({ kind: 'custom' });
});

it('survives any text', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (from, to, fields) => {
      expect(() => readChartAddress(new URLSearchParams({ from, to, fields, range: from }), names)).not.toThrow();
    }),
  );
});

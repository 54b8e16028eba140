import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFormat } from '../../../../../shared/format/format.ts';
import { valueText } from '../../../../../shared/format/scaled.ts';
import { type FieldScale, fieldScale, PERCENT_FULL } from '../../../../../shared/measures/field-scale.ts';
import { filterOf, NO_FILTER } from './reading-filter.ts';

const asSent = fieldScale('ph', undefined);
const form = (min: string, max: string) => ({ ...NO_FILTER, field: 'ph' as const, min, max });

describe('filterOf', () => {
  it('filters nothing without a field', () => {
    expect(filterOf({ ...NO_FILTER, min: '3' }, null)).toEqual({ filter: null, refused: [] });
  });

  it('names limits that are not numbers, and filters by the other', () => {
    const { filter, refused } = filterOf(form('3', '1x'), asSent);
    expect(refused).toEqual(['max']);
    expect(filter).toEqual({ field: 'ph', form: 'any', min: 3, max: null });
  });

  it('reads a comma as a point', () => expect(filterOf(form('6,5', ''), asSent).filter?.min).toBe(6.5));

  it.each([
    ['as sent', 'ph', fieldScale('ph', undefined)],
    ['in °F', 'tempWater', fieldScale('tempWater', { shown: 'fahrenheit' })],
    ['in mS/cm', 'ec', fieldScale('ec', { shown: 'millisiemens' })],
    ['per cent full, reversed', 'waterLevel', fieldScale('waterLevel', { tank: { empty: 900, full: 100 } })],
  ] as const)('lets pass whose shown digits lie within, %s', (_name, field, scale: FieldScale) => {
    const format = createFormat('en-US');
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 90_000 }), fc.integer({ min: -300, max: 300 }), (cents, off) => {
        const sent = Math.fround(cents / 100);
        const shown = Number(valueText(format, scale, scale.toShown(sent)).replaceAll(',', ''));
        const passes = (min: number | null, max: number | null) => {
          const text = (bound: number | null) => (bound === null ? '' : String(bound));
          const { filter } = filterOf({ ...NO_FILTER, field, min: text(min), max: text(max) }, scale);
          return (filter!.min ?? Number.NEGATIVE_INFINITY) <= sent && sent <= (filter!.max ?? Number.POSITIVE_INFINITY);
        };
        expect(passes(shown, shown)).toBe(true);
        const other = shown + off;
        // No level is shown below 0 or above 100.
        if (scale.unit === PERCENT_FULL && (other < 0 || other > 100)) return;
        if (off > 1) expect([passes(other, null), passes(null, other)]).toEqual([false, true]);
        if (off < -1) expect([passes(other, null), passes(null, other)]).toEqual([true, false]);
      }),
    );
  });
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FIELD_NAMES } from '../../../../shared/protocol/fields.ts';
import { tableLayout } from './table-layout.ts';

const SIX = ['ph', 'ec', 'waterLevel', 'tempWater', 'tempAmbient', 'humidity'] as const;
const widths = fc.integer({ min: 200, max: 3000 });
const orders = fc.shuffledSubarray([...FIELD_NAMES], { minLength: 1 });

it('gives way from the end of the order, and by no more than there is room for', () => {
  fc.assert(
    fc.property(orders, widths, (order, width) => {
      const { fields, rowHeight } = tableLayout(order, width, false);
      expect(fields).toEqual(order.slice(0, fields.length));
      expect(fields.length).toBeGreaterThan(0);
      expect(rowHeight).toBe(76);
      const wider = tableLayout(order, width + 1, false).fields.length;
      expect(wider).toBeGreaterThanOrEqual(fields.length);
    }),
  );
  expect(tableLayout(SIX, 976, false).fields).toHaveLength(6);
  expect(tableLayout(SIX, 736, false).fields).toEqual(SIX.slice(0, 5));
});

it('shows every value of a card, whose height has room for all of them', () => {
  fc.assert(
    fc.property(orders, widths, (order, width) => {
      const { fields, columns, rowHeight } = tableLayout(order, width, true);
      expect(fields).toEqual(order);
      expect(rowHeight).toBe(100 + Math.ceil(order.length / columns) * 76);
    }),
  );
  expect(tableLayout(SIX, 366, true)).toMatchObject({ columns: 3, rowHeight: 252 });
});

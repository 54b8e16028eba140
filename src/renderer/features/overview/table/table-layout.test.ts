import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FIELD_NAMES } from '../../../../shared/protocol/fields.ts';
import { tableLayout } from './table-layout.ts';

const SIX = ['ph', 'ec', 'waterLevel', 'tempWater', 'tempAmbient', 'humidity'] as const;
const widths = fc.integer({ min: 200, max: 3000 });
const orders = fc.shuffledSubarray([...FIELD_NAMES], { minLength: 1 });

it('drops columns from the end of the order, and only as many as needed', () => {
  fc.assert(
    fc.property(orders, widths, (order, width) => {
      const { fields } = tableLayout(order, width);
      expect(fields).toEqual(order.slice(0, fields.length));
      expect(fields.length).toBeGreaterThan(0);
      const wider = tableLayout(order, width + 1).fields.length;
      expect(wider).toBeGreaterThanOrEqual(fields.length);
    }),
  );
  expect(tableLayout(SIX, 976).fields).toHaveLength(6);
  expect(tableLayout(SIX, 736).fields).toEqual(SIX.slice(0, 5));
});

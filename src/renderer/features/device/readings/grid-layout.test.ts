import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FIELD_NAMES } from '../../../../shared/protocol/fields.ts';
import { COLUMN_IDS } from '../row.ts';
import { gridLayout } from './grid-layout.ts';

const order = FIELD_NAMES;
const NONE = new Map();

it('shows as many columns as fit, the time always, and names those left out', () => {
  fc.assert(
    fc.property(
      fc.subarray([...COLUMN_IDS], { minLength: 1 }),
      fc.integer({ min: 100, max: 2000 }),
      (columns, width) => {
        const layout = gridLayout({ columns, order, needs: NONE, width, isCards: false });
        expect([...layout.columns, ...layout.left].toSorted()).toEqual(columns.toSorted());
        expect(layout.columns.includes('time')).toBe(columns.includes('time'));
        const needed = [...layout.template.matchAll(/minmax\((\d+)px/g)].reduce((sum, [, px]) => sum + Number(px), 68);
        expect(needed <= width || layout.columns.length === 1).toBe(true);
      },
    ),
  );
});

it('drops the delay first, then the fields from the end of the owner’s order', () => {
  const six = ['ph', 'ec', 'waterLevel', 'tempWater', 'tempAmbient', 'humidity'] as const;
  const columns = ['seq', 'time', 'receivedAt', 'delay', ...six, 'keyVersion', 'store'] as const;
  const left = (width: number, needs: Map<(typeof COLUMN_IDS)[number], number> = NONE) =>
    gridLayout({
      columns,
      order: ['humidity', ...six.filter((name) => name !== 'humidity')],
      needs,
      width,
      isCards: false,
    }).left;
  expect(left(2000)).toEqual([]);
  expect(left(960)).toEqual(['delay']);
  expect(left(960, new Map([['ph', 200]]))).toEqual(['receivedAt', 'delay']);
  expect(left(500)).not.toContain('humidity');
  expect(left(500)).toContain('tempAmbient');
});

it('a card has space for all values, with two places for the time of arrival', () => {
  const card = (columns: readonly (typeof COLUMN_IDS)[number][]) =>
    gridLayout({ columns, order, needs: NONE, width: 360, isCards: true });
  expect(card(['time', 'ph', 'ec', 'humidity'])).toMatchObject({ left: [], rowPx: 56 + 42, headPx: 0 });
  expect(card(['time', 'receivedAt', 'ph', 'ec']).rowPx).toBe(56 + 2 * 42);
  // The arrival time takes two of the three places, so it cannot begin in the third.
  expect(card(['time', 'seq', 'ph', 'receivedAt', 'ec']).rowPx).toBe(56 + 2 * 42);
});

it('a value too long for a third of a card has its own line', () => {
  const columns = ['time', 'ph', 'waterLevel', 'ec', 'humidity'] as const;
  const card = (px: number) =>
    gridLayout({ columns, order, needs: new Map([['waterLevel', px]]), width: 360, isCards: true });
  expect(card(100)).toMatchObject({ wide: [], rowPx: 56 + 2 * 42 });
  expect(card(180)).toMatchObject({ wide: ['waterLevel'], rowPx: 56 + 3 * 42 });
});

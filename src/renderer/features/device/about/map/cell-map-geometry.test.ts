import { getPentagons, getRes0Cells, latLngToCell } from 'h3-js';
import { describe, expect, it } from 'vitest';
import { MAP, mapView, zoomLevels } from './cell-map-geometry.ts';

const places = [
  [-23.55, -46.63],
  [52.5, 13.4],
  [0, 179.9999],
  [-17.8, -179.9],
  [89.9, 0],
  [-89.9, 120],
] as const;
const cells = [
  ...places.flatMap(([latitude, longitude]) =>
    Array.from({ length: 16 }, (_, resolution) => latLngToCell(latitude, longitude, resolution)),
  ),
  ...getPentagons(2),
  ...getRes0Cells(),
];

describe('mapView', () => {
  it('shows every cell at every level, as a shape or as a mark within the map', () => {
    for (const cell of cells) {
      for (const level of zoomLevels(cell)) {
        const view = mapView(cell, level);
        expect(view.cell).toMatch(/^M/);
        expect(view.cell).not.toContain('NaN');
        if (view.mark === null) continue;
        expect(view.mark[0]).toBeGreaterThanOrEqual(0);
        expect(view.mark[0]).toBeLessThanOrEqual(MAP.width);
        expect(view.mark[1]).toBeGreaterThanOrEqual(0);
        expect(view.mark[1]).toBeLessThanOrEqual(MAP.height);
      }
    }
  });

  it('starts with the world and ends with the cell filling about half of the map', () => {
    for (const cell of cells) {
      const levels = zoomLevels(cell);
      expect(levels[0]).toBe(0);
      expect(levels.slice(1).toSorted((a, b) => b - a)).toEqual(levels.slice(1));
      const last = mapView(cell, levels.at(-1)!);
      expect(last.mark).toBeNull();
      const heights = [...last.cell.matchAll(/,(-?[0-9.]+)/g)].map(([, y]) => Number(y));
      const height = Math.max(...heights) - Math.min(...heights);
      expect(height).toBeGreaterThan(MAP.height * 0.25);
      expect(height).toBeLessThan(MAP.height * 0.75);
    }
  });

  it('has a bar of a round length', () => {
    for (const cell of cells.slice(0, 16)) {
      for (const level of zoomLevels(cell).slice(1)) {
        const { metres, px } = mapView(cell, level).bar!;
        expect(metres.toExponential()).toMatch(/^[125]e/);
        expect(px).toBeLessThanOrEqual(MAP.width / 5);
        expect(px).toBeGreaterThan(MAP.width / 15);
      }
    }
  });
});

import { describe, expect, it } from 'vitest';
import { rowsInView, scrollTopFor } from './rows-in-view.ts';

const layout = { count: 500, rowPx: 32, margin: 100 };

describe('rowsInView', () => {
  it('holds every row of which a part is in view', () => {
    expect(rowsInView({ top: 0, height: 500 }, layout, 0)).toEqual({ first: 0, end: 13 });
    expect(rowsInView({ top: 420, height: 320 }, layout, 0)).toEqual({ first: 10, end: 20 });
    expect(rowsInView({ top: 421, height: 320 }, layout, 0)).toEqual({ first: 10, end: 21 });
  });

  it('adds some on either side, but none that do not exist', () => {
    expect(rowsInView({ top: 420, height: 320 }, layout, 8)).toEqual({ first: 2, end: 28 });
    expect(rowsInView({ top: 16_000, height: 320 }, layout, 8)).toEqual({ first: 488, end: 500 });
    expect(rowsInView({ top: 0, height: 320 }, { ...layout, count: 3 }, 8)).toEqual({ first: 0, end: 3 });
  });

  it('is empty where the rows lie out of view, as after they have become fewer', () => {
    expect(rowsInView({ top: 16_000, height: 320 }, { ...layout, count: 3 }, 0)).toEqual({ first: 3, end: 3 });
    expect(rowsInView({ top: 0, height: 90 }, layout, 0)).toEqual({ first: 0, end: 0 });
  });
});

describe('scrollTopFor', () => {
  const view = { top: 420, height: 320 };

  it('stays where the row is in view', () => {
    expect(scrollTopFor(12, view, layout, 32)).toBe(420);
  });

  it('goes just far enough, up to below what covers the top', () => {
    expect(scrollTopFor(5, view, layout, 0)).toBe(260);
    expect(scrollTopFor(5, view, layout, 32)).toBe(228);
    expect(scrollTopFor(10, view, layout, 32)).toBe(388);
    expect(scrollTopFor(30, view, layout, 32)).toBe(772);
  });
});

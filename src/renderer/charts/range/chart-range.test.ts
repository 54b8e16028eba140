import { describe, expect, it } from 'vitest';
import type { View } from '../view.ts';
import {
  type ChartRange,
  fromLocalInput,
  isAskedFor,
  NARROWEST_MS,
  panned,
  rangeBetween,
  resolveRange,
  toLocalInput,
  zoomed,
} from './chart-range.ts';

const HOUR = 3_600_000;
const now = Date.UTC(2026, 10, 20, 12);
const widthOf = (range: ChartRange | undefined) => (range?.kind === 'custom' ? range.to - range.from : undefined);

describe('resolveRange', () => {
  it('moves a preset with time, and queries again only now and then', () => {
    const range = { kind: 'preset', preset: '1h' } as const;
    const first = resolveRange(range, now, null);
    expect(first.view).toEqual({ from: now - HOUR, to: now });
    expect(first.query).toEqual({ from: now - HOUR, to: null });
    // The chart's readings must be exactly those in the list.
    const next = resolveRange(range, now + 1, null);
    expect(next.query.from).toBe(next.view.from);
    expect(resolveRange(range, now + 3000, null)).toEqual(next);
    expect(resolveRange(range, now + 3601, null).query.from).toBe(next.view.from + 3600);
  });

  it.each([
    ['1h', 1],
    ['8h', 8],
    ['24h', 24],
    ['7d', 7 * 24],
    ['30d', 30 * 24],
    ['1y', 365 * 24],
  ] as const)('shows exactly the named hours in %s, less than a minute of them in the future', (preset, hours) => {
    for (let time = now; time < now + HOUR; time += 97_531) {
      const { view, query } = resolveRange({ kind: 'preset', preset }, time, null);
      expect(view.to - view.from).toBe(hours * HOUR);
      expect(view.to - time).toBeGreaterThanOrEqual(0);
      expect(view.to - time).toBeLessThan(60_000);
      expect(query).toEqual({ from: view.from, to: null });
    }
  });

  it('shows the whole history, and some time around a single reading', () => {
    const range = { kind: 'preset', preset: 'all' } as const;
    expect(resolveRange(range, now, { from: 5, to: now })).toEqual({
      view: { from: 5, to: now },
      query: { from: null, to: null },
    });
    const { view } = resolveRange(range, now, { from: now, to: now });
    expect(view.from).toBeLessThan(now);
    expect(view.to).toBeGreaterThan(now);
  });

  it('keeps a custom range', () => {
    expect(resolveRange({ kind: 'custom', from: 1, to: 9999 }, now, null).query).toEqual({ from: 1, to: 9999 });
  });
});

describe('isAskedFor', () => {
  it('is true only for a preset range that has moved', () => {
    const range = { kind: 'preset', preset: '1h' } as const;
    const { query } = resolveRange(range, now, null);
    const hour = (at: number) => ({ from: at - HOUR, to: at });
    expect([now, now + 61_000].map((at) => isAskedFor(query, hour(at)))).toEqual([true, true]);
    const others = [
      hour(now - 1),
      hour(now + 300_000),
      { from: now - 2 * HOUR, to: now },
      { from: now - 60_000, to: now },
    ];
    expect(others.map((view) => isAskedFor(query, view))).toEqual([false, false, false, false]);
    expect(isAskedFor({ from: 0, to: HOUR }, { from: 0, to: HOUR })).toBe(true);
    expect(isAskedFor({ from: 0, to: HOUR }, { from: 0, to: HOUR / 2 })).toBe(false);
    expect(isAskedFor({ from: null, to: null }, hour(now))).toBe(false);
  });
});

describe('zooming and panning', () => {
  const view = { from: now - 4 * HOUR, to: now - 2 * HOUR };

  it('zooms around the middle, never to nothing', () => {
    expect(zoomed(view, 0.5, now, null)).toEqual({ kind: 'custom', from: now - 3.5 * HOUR, to: now - 2.5 * HOUR });
    const narrow = zoomed({ from: now - 1.5 * NARROWEST_MS, to: now }, 0.5, now, null);
    expect(widthOf(narrow)).toBe(NARROWEST_MS);
    expect(zoomed({ from: now - NARROWEST_MS, to: now }, 0.5, now, null)).toBeUndefined();
  });

  it('zooms out to a year, or to twice the history, and to a century at most', () => {
    const widest = (span: View | null) => {
      let shown: View = view;
      for (let times = 0; times < 100; times += 1) {
        const next = zoomed(shown, 2, now, span);
        if (next?.kind !== 'custom') return shown.to - shown.from;
        shown = next;
      }
      throw new Error('there is no end');
    };
    const year = 365 * 24 * HOUR;
    expect(widest(null)).toBe(year);
    expect(widest({ from: now - HOUR, to: now })).toBe(year);
    expect(widest({ from: now - 3 * year, to: now - year })).toBe(6 * year);
    expect(widest({ from: 0, to: 8_000_000_000_000_000 })).toBe(100 * year);
  });

  it('pans without losing its width, and not far into the future', () => {
    expect(panned(view, -0.5, now)).toEqual({ kind: 'custom', from: now - 5 * HOUR, to: now - 3 * HOUR });
    const far = panned(view, 50, now);
    expect(far).toEqual({ kind: 'custom', from: now - HOUR, to: now + HOUR });
  });

  it('stays within the times that the node accepts', () => {
    const range = panned({ from: 0, to: HOUR }, -1, now);
    expect(range).toEqual({ kind: 'custom', from: 0, to: HOUR });
    const wide = zoomed({ from: 0, to: now }, 2, now, { from: 0, to: now });
    expect(wide?.kind === 'custom' && wide.from).toBe(0);
  });
});

it('accepts a dragged range in either direction, but not a click', () => {
  expect(rangeBetween(now, now - HOUR)).toEqual({ kind: 'custom', from: now - HOUR, to: now });
  expect(rangeBetween(now, now + 1000)).toBeUndefined();
  expect(rangeBetween(Number.NaN, now)).toBeUndefined();
});

it('writes and reads local times', () => {
  expect(fromLocalInput(toLocalInput(now + 1000))).toBe(now + 1000);
  expect(toLocalInput(now)).toMatch(/^2026-11-\d\dT\d\d:00:00$/);
  expect(fromLocalInput('')).toBeNull();
  expect(fromLocalInput('no time')).toBeNull();
});

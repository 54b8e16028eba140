import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backupName, readBackupName } from './backup-names.ts';
import { superfluous } from './keep.ts';

const KEY = 'ab'.repeat(32);
const DAY = 86_400_000;
const named = (at: number, reason: 'schedule' | 'migration' = 'schedule') =>
  readBackupName(backupName(KEY, new Date(at), reason, 'recipient'))!;
const KEEP = { daily: 7, weekly: 4, monthly: 12 };
const start = new Date(2026, 0, 1, 3, 30).getTime();

describe('names', () => {
  it('have the node, the time and whether it was before a change', () => {
    expect(backupName(KEY, new Date(0), 'demand', 'none')).toBe('wellhouse-abababab-19700101T000000Z.tar.zst');
    expect(named(start)).toMatchObject({ node: 'abababab', madeAt: start, isBefore: false });
    expect(named(start, 'migration').isBefore).toBe(true);
    for (const name of ['wellhouse.tar.zst', 'wellhouse-abababab-20260101T000000Z.tar.zst.part', 'x']) {
      expect(readBackupName(name)).toBeNull();
    }
  });
});

describe('the kept backups', () => {
  it('is 7 days, 4 weeks and 12 months of two years of daily backups', () => {
    const all = Array.from({ length: 730 }, (_, day) => named(start + day * DAY));
    const left = all.length - superfluous(all, KEEP).length;
    expect(left).toBeGreaterThanOrEqual(7 + 3 + 10);
    expect(left).toBeLessThanOrEqual(7 + 4 + 12);
  });

  it('is the newest of each day, each week from Monday and each month', () => {
    const last = new Date(2027, 1, 10, 3, 30).getTime();
    const all = Array.from({ length: 400 }, (_, day) => named(last - day * DAY));
    const gone = new Set(superfluous(all, { daily: 2, weekly: 3, monthly: 4 }));
    const kept = all.filter((backup) => !gone.has(backup)).map(({ madeAt }) => new Date(madeAt));
    expect(kept.map((at) => [at.getFullYear(), at.getMonth() + 1, at.getDate()])).toEqual([
      [2027, 2, 10],
      [2027, 2, 9],
      // Sundays.
      [2027, 2, 7],
      [2027, 1, 31],
      // The ends of months; that of January is a Sunday too.
      [2026, 12, 31],
      [2026, 11, 30],
    ]);
  });

  it('is the last of several backups of one second', () => {
    const all = [1, 2, 3].map((place) => readBackupName(backupName(KEY, new Date(start), 'demand', 'none', place))!);
    expect(superfluous(all, KEEP).map(({ place }) => place)).toEqual([2, 1]);
  });

  it('always has the newest, and only grows with larger limits', () => {
    const times = fc.uniqueArray(fc.integer({ min: 0, max: 3 * 365 }), { minLength: 1, maxLength: 80 });
    const counts = fc.record({ daily: fc.nat(10), weekly: fc.nat(6), monthly: fc.nat(14) });
    fc.assert(
      fc.property(times, counts, (days, keep) => {
        const all = days.map((day) => named(start + day * DAY));
        const gone = new Set(superfluous(all, keep));
        const newest = all.reduce((one, other) => (one.madeAt > other.madeAt ? one : other));
        expect(gone.has(newest)).toBe(false);
        expect(all.length - gone.size).toBeGreaterThanOrEqual(Math.min(all.length, keep.daily));
        const more = new Set(superfluous(all, { ...keep, daily: keep.daily + 1 }));
        for (const backup of more) expect(gone.has(backup)).toBe(true);
        // A kept backup stays kept, since each backup deletes again.
        expect(
          superfluous(
            all.filter((backup) => !gone.has(backup)),
            keep,
          ),
        ).toEqual([]);
      }),
    );
  });

  it('does not lose old backups to a clock that was ahead', () => {
    const past = Array.from({ length: 7 }, (_, day) => named(start + day * DAY));
    const ahead = named(start + 4000 * DAY);
    expect(superfluous([...past, ahead], { daily: 7, weekly: 0, monthly: 0 })).toEqual([past[0]]);
  });

  it('counts backups before a change separately', () => {
    const before = Array.from({ length: 5 }, (_, day) => named(start + day * DAY, 'migration'));
    expect(superfluous(before, KEEP)).toEqual([before[1], before[0]]);
  });

  it('has a regular backup of a day with a later one from before a change', () => {
    const regular = Array.from({ length: 3 }, (_, day) => named(start + day * DAY));
    const before = named(start + 2 * DAY + 1000, 'migration');
    expect(superfluous([...regular, before], { daily: 2, weekly: 0, monthly: 0 })).toEqual([regular[0]]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BackupState } from './backup-state.ts';
import { nextRun, nextTimeOfDay, type Times, timesNotAhead, withoutBackupSince } from './schedule.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (day: number, hour: number, minute = 0) => new Date(2026, 4, day, hour, minute).getTime();
const last = (time: number) => ({ at: time, path: '/b', bytes: 1, durationMs: 1, encryption: 'none' as const });
const chosen = (time: number) => ({ path: '/b', at: time });
const failure = (time: number) => ({ at: time, fault: 'no_folder' as const, message: '' });
const times = (change: Partial<Times>): Times => ({ last: null, chosen: null, failure: null, ...change });

describe('the next backup', () => {
  it('is due at the time of day after the latest one, or after the folder was chosen', () => {
    expect(nextRun('03:30', times({ last: last(at(5, 3, 31)) }), at(5, 9))).toBe(at(6, 3, 30));
    expect(nextRun('03:30', times({ chosen: chosen(at(5, 9)) }), at(5, 10))).toBe(at(6, 3, 30));
    expect(nextRun('23:00', times({ chosen: chosen(at(5, 9)) }), at(5, 10))).toBe(at(5, 23));
    expect(nextRun('03:30', times({}), at(5, 2))).toBe(at(5, 3, 30));
  });

  it('is due at once if it was missed; a requested one replaces that of its day', () => {
    expect(nextRun('03:30', times({ last: last(at(1, 3, 30)) }), at(5, 9))).toBe(at(2, 3, 30));
    expect(nextRun('03:30', times({ last: last(at(5, 3, 29)) }), at(5, 9))).toBe(at(5, 3, 30));
  });

  it('is due an hour after a failed one', () => {
    const failed = times({ last: last(at(1, 3, 30)), failure: failure(at(5, 3, 30)) });
    expect(nextRun('03:30', failed, at(5, 4))).toBe(at(5, 4, 30));
    expect(nextRun('03:30', { ...failed, last: last(at(5, 3, 40)) }, at(5, 4))).toBe(at(6, 3, 30));
  });

  it('is due within a day, after any change of the clock', () => {
    const time = fc.integer({ min: 0, max: 4e12 });
    const maybe = <T>(of: (value: number) => T) => fc.option(time.map(of));
    fc.assert(
      fc.property(time, maybe(last), maybe(chosen), maybe(failure), (now, one, two, three) => {
        const next = nextRun('03:30', { last: one, chosen: two, failure: three }, now);
        expect(next).toBeLessThanOrEqual(now + DAY + HOUR);
      }),
    );
  });

  it('keeps its time of day across a change to summer time', () => {
    for (let day = 0; day < 400; day += 1) {
      const next = new Date(nextTimeOfDay('12:30', at(1, 9) + day * DAY));
      expect([next.getHours(), next.getMinutes()]).toEqual([12, 30]);
    }
  });
});

describe('after the clock was set back', () => {
  const HOUR_AGO = at(5, 9) - HOUR;
  const made = (time: number) => ({ ...last(time), name: String(time), keystore: null });
  const state = (time: number): BackupState => ({
    ...{ version: 2, node: crypto.randomUUID(), isCopy: false, program: null },
    ...{ chosen: chosen(time), failure: failure(time) },
    folders: [{ path: '/b', id: crypto.randomUUID(), isUnlisted: false, made: [made(HOUR_AGO), made(time)] }],
  });

  it('times that are more than a minute ahead become now, and all others stay', () => {
    const now = at(5, 9);
    expect(timesNotAhead(state(now + 60_000), now)).toBeNull();
    const ahead = state(now + 60_001);
    expect(timesNotAhead(ahead, now)).toEqual({
      chosen: chosen(now),
      failure: failure(now),
      folders: [{ ...ahead.folders[0], made: [made(HOUR_AGO), { ...made(now + 60_001), at: now }] }],
    });
    // One time ahead is enough.
    const folders = timesNotAhead({ ...ahead, chosen: null, failure: null }, now)?.folders;
    expect(folders?.[0]?.made.map(({ at: time }) => time)).toEqual([HOUR_AGO, now]);
    expect(timesNotAhead({ ...ahead, folders: [], failure: null }, now)).toMatchObject({ chosen: { at: now } });
    expect(timesNotAhead({ ...ahead, folders: [], chosen: null }, now)).toMatchObject({ failure: { at: now } });
  });
});

describe('a backup is missing', () => {
  it('since the latest one, or since the folder was chosen; never without a folder', () => {
    expect(withoutBackupSince(times({ last: last(1) }), 9)).toBeNull();
    expect(withoutBackupSince(times({ chosen: chosen(5) }), 9)).toBe(5);
    expect(withoutBackupSince(times({ chosen: chosen(5), last: last(7) }), 9)).toBe(7);
    expect(withoutBackupSince(times({ chosen: chosen(5), last: last(70) }), 9)).toBe(9);
  });
});

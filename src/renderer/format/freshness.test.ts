import { describe, expect, it } from 'vitest';
import type { NewestValue } from '../../shared/owner-api/devices.ts';
import { perFieldName } from '../../shared/protocol/fields.ts';
import { hasOwnAge, isLate, isStale, lateSince, measuredOrReceived, unchangedFor } from './freshness.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const now = Date.UTC(2026, 10, 20, 12);
const value: NewestValue = {
  ...{ value: 6, seq: '1', keyVersion: 0, isEntered: false, isUnchangedLonger: false },
  ...{ receivedAt: now, measuredAt: now - 1000, unchangedSince: now - 1000 },
};
const device = { silentAfterMs: 3 * MINUTE };

describe('how fresh a value is', () => {
  it('is the age of its measurement: a value from ten days ago that just arrived is old, and late', () => {
    const late = { ...value, measuredAt: now - 10 * DAY };
    expect([measuredOrReceived(late), isLate(late), isStale(late, device, now)]).toEqual([now - 10 * DAY, true, true]);
    expect([isLate(value), isStale(value, device, now)]).toEqual([false, false]);
  });

  it('is the age of its arrival if the clock is not set', () => {
    const unset = { ...value, measuredAt: null, receivedAt: now - 4 * MINUTE };
    expect([isLate(unset), isStale(unset, device, now)]).toEqual([false, true]);
    expect(isStale(unset, { silentAfterMs: 5 * MINUTE }, now)).toBe(false);
  });

  it('allows a day for a manual entry', () => {
    const entered = { ...value, isEntered: true, measuredAt: now - DAY + 1, receivedAt: now - DAY + 1 };
    expect(isStale(entered, device, now)).toBe(false);
    expect(isStale(entered, device, now + 2)).toBe(true);
  });

  it('is shown once for a device, and for a value only if it differs', () => {
    const none = perFieldName(() => null);
    const older = { ...value, measuredAt: now - 5 * MINUTE, receivedAt: now - 5 * MINUTE };
    const newest = { ...none, ph: value, ec: { ...value, measuredAt: now - 30_000 }, tempWater: older };
    expect([hasOwnAge(value, { newest }), hasOwnAge(newest.ec, { newest })]).toEqual([false, false]);
    expect(hasOwnAge(older, { newest })).toBe(true);
    expect(hasOwnAge({ ...value, isEntered: true }, { newest })).toBe(true);
    expect(hasOwnAge({ ...value, unchangedSince: now - 3 * DAY }, { newest })).toBe(true);
  });

  it('says after a day that a sensor’s value is unchanged, but not for manual entries', () => {
    const same = { ...value, unchangedSince: now - 1000 - 2 * DAY };
    expect(unchangedFor(same)).toEqual({ span: 2 * DAY, isLeast: false });
    expect(unchangedFor({ ...same, isEntered: true })).toBeNull();
    expect(unchangedFor({ ...same, unchangedSince: null })).toBeNull();
    expect(unchangedFor(value)).toBeNull();
  });

  it('says whole days if older readings were not examined', () => {
    const same = { ...value, unchangedSince: now - 1000 - 7 * DAY - 250 * MINUTE, isUnchangedLonger: true };
    expect(unchangedFor(same)).toEqual({ span: 7 * DAY, isLeast: true });
  });

  it('recognises a device whose newest values are old, though it sent readings just now', () => {
    const of = (...measured: (number | null)[]) => {
      const [ph = null, ec = null] = measured.map((at) => (at === null ? null : { ...value, measuredAt: at }));
      const none = perFieldName((): NewestValue | null => null);
      return lateSince({ ...device, newest: { ...none, ph, ec } }, now);
    };
    expect(of(now - 10 * DAY, now - 9 * DAY)).toBe(now - 9 * DAY);
    expect(of(now - 10 * DAY, now - MINUTE)).toBeNull();
    expect(of(now - 4 * MINUTE)).toBeNull();
    expect(of(null)).toBeNull();
  });
});

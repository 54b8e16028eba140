import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byHours } from '../../../shared/owner-data/day-parts.ts';
import { quietEnd } from './quiet-hours.ts';

const NIGHT = { from: '22:00', to: '07:00' };
const at = (text: string) => Date.parse(text);
const endOf = (text: string, hours = NIGHT, zone = 'UTC') => new Date(quietEnd(at(text), hours, zone)).toISOString();

describe('quiet hours', () => {
  it('begin at their first minute and end at their last, also over midnight', () => {
    const quiet = (text: string, hours = NIGHT) => byHours(hours, 'UTC')(at(text));
    expect(quiet('2026-03-01T21:59:59.999Z')).toBe(false);
    expect(quiet('2026-03-01T22:00:00Z')).toBe(true);
    expect(quiet('2026-03-02T00:00:00Z')).toBe(true);
    expect(quiet('2026-03-02T06:59:59.999Z')).toBe(true);
    expect(quiet('2026-03-02T07:00:00Z')).toBe(false);
    const siesta = { from: '13:00', to: '15:30' };
    expect([quiet('2026-03-02T12:59:00Z', siesta), quiet('2026-03-02T15:29:00Z', siesta)]).toEqual([false, true]);
    expect(quiet('2026-03-02T15:30:00Z', siesta)).toBe(false);
  });

  it('use the local time of a time zone', () => {
    expect(endOf('2026-01-10T23:15:00Z', NIGHT, 'America/Sao_Paulo')).toBe('2026-01-10T23:15:00.000Z');
    expect(endOf('2026-01-11T01:15:00Z', NIGHT, 'America/Sao_Paulo')).toBe('2026-01-11T10:00:00.000Z');
    expect(endOf('2026-01-10T20:15:30Z', NIGHT, 'Asia/Kathmandu')).toBe('2026-01-11T01:15:00.000Z');
  });

  it('are an hour shorter on the night when clocks go forward, and an hour longer on the other', () => {
    const berlin = (text: string) => endOf(text, NIGHT, 'Europe/Berlin');
    expect(berlin('2026-03-28T21:00:00Z')).toBe('2026-03-29T05:00:00.000Z');
    expect(berlin('2026-10-24T20:00:00Z')).toBe('2026-10-25T06:00:00.000Z');
    // Quiet for all but a minute: 24 hours and 59 minutes on that day.
    const allDay = { from: '00:01', to: '00:00' };
    expect(endOf('2026-10-24T22:01:00Z', allDay, 'Europe/Berlin')).toBe('2026-10-25T23:00:00.000Z');
  });

  it('end if the clock is set forward past their end', () => {
    // 2:30 does not occur in that night: 3:00 follows 1:59.
    expect(endOf('2026-03-29T00:30:00Z', { from: '01:00', to: '02:30' }, 'Europe/Berlin')).toBe(
      '2026-03-29T01:00:00.000Z',
    );
  });

  it('that would never end count as none', () => {
    expect(endOf('2026-03-01T22:30:15Z', { from: '07:00', to: '07:00' })).toBe('2026-03-01T22:30:15.000Z');
  });

  it('happen twice if the clock repeats them', () => {
    // The clock goes from 3:00 back to 2:00 at 1:00 UTC.
    const hours = { from: '02:00', to: '02:30' };
    expect(endOf('2026-10-25T00:10:00Z', hours, 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z');
    expect(byHours(hours, 'Europe/Berlin')(at('2026-10-25T00:40:00Z'))).toBe(false);
    expect(endOf('2026-10-25T01:10:00Z', hours, 'Europe/Berlin')).toBe('2026-10-25T01:30:00.000Z');
  });

  it('always end, and nothing is loud before', () => {
    const minutes = fc.integer({ min: 0, max: 1439 }).map((all) => {
      return `${String(Math.floor(all / 60)).padStart(2, '0')}:${String(all % 60).padStart(2, '0')}`;
    });
    const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC');
    const time = fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2027-01-01T00:00:00Z') });
    fc.assert(
      fc.property(
        time,
        minutes,
        minutes,
        zone,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (now, from, to, tz, part) => {
          fc.pre(from !== to);
          const hours = { from, to };
          const end = quietEnd(now, hours, tz);
          const isQuiet = byHours(hours, tz);
          expect(isQuiet(end)).toBe(false);
          if (end > now) expect(isQuiet(now + Math.floor((end - 1 - now) * part))).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
});

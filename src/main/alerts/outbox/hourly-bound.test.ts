import { describe, expect, it } from 'vitest';
import { AT, DEVICE, someAlert, someFacts } from '../../../../test/support/alert-notices.ts';
import type { NoticeFacts } from '../channels/notice.ts';
import { type ChannelRecord, NO_RECORD } from './delivery.ts';
import { begin, hold, summaryAt } from './hourly-bound.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('the messages of the last hour', () => {
  it('are counted up to the bound', () => {
    const first = begin({ ...NO_RECORD, lastSuccessAt: 7 }, AT, 2);
    expect(first).toEqual({ ...NO_RECORD, lastSuccessAt: 7, begunAt: [AT] });
    const second = begin(first!, AT + 5, 2);
    expect(second).toEqual({ ...NO_RECORD, lastSuccessAt: 7, begunAt: [AT, AT + 5] });
    expect(begin(second!, AT + 6, 2)).toBe(null);
  });

  it.each([
    ['an hour ago no longer', AT - HOUR, [AT]],
    ['less than an hour ago', AT - HOUR + 1, null],
    ['now', AT, null],
    ['in the future not', AT + 1, [AT]],
  ])('count if they were sent %s', (_name, at, begunAt) => {
    expect(begin({ ...NO_RECORD, begunAt: [at] }, AT, 1)?.begunAt ?? null).toEqual(begunAt);
  });
});

describe('the messages beyond the bound', () => {
  const device = (name: string) => ({ id: DEVICE, name, unit: null });
  const all = (...facts: readonly Partial<NoticeFacts>[]) => {
    let record: ChannelRecord = { ...NO_RECORD, lastSuccessAt: 7 };
    for (const [index, each] of facts.entries()) record = hold(record, someFacts(each), AT + index);
    return record;
  };

  it('are held with their number, the time of the first, and their subjects in order', () => {
    expect(all({ device: device('A') }, { device: device('B') }, { device: device('A') })).toEqual({
      ...{ ...NO_RECORD, lastSuccessAt: 7 },
      held: { count: 3, since: AT, isCritical: false, about: ['B', 'A'] },
    });
  });

  it('are about their device, else about the name of their alert, else about nothing', () => {
    const alert = someAlert({ name: 'Disk' });
    expect(all({ device: null, alert }, { device: device('A'), alert }).held!.about).toEqual(['Disk', 'A']);
    expect(all({ device: device('A') }, { device: null, alert: null }).held!).toEqual({
      ...{ count: 2, since: AT, isCritical: false, about: ['A'] },
    });
  });

  it('have the critical ones first, and stay critical; the end of one is not', () => {
    const critical = { severity: 'critical' } as const;
    const { held } = all({ device: device('A') }, { device: device('B'), ...critical }, { device: device('C') });
    expect(held).toMatchObject({ isCritical: true, about: ['B', 'A', 'C'] });
    const ended = all({ device: device('A') }, { device: device('B'), ...critical, kind: 'ended' }).held;
    expect(ended).toMatchObject({ isCritical: false, about: ['A', 'B'] });
  });

  it('have ten subjects at most: the critical ones push out others', () => {
    const names = Array.from({ length: 10 }, (_, index) => ({ device: device(`${index}`) }));
    const first = names.map((each) => each.device.name);
    expect(all(...names, { device: device('last') }).held!.about).toEqual(first);
    expect(all(...names, { device: device('last'), severity: 'critical' }).held!.about).toEqual([
      'last',
      ...first.slice(0, 9),
    ]);
  });
});

describe('the owner hears about them', () => {
  const held = { count: 1, since: AT, isCritical: false, about: [] };
  const at = (change: Partial<ChannelRecord>, now = AT) => summaryAt({ ...NO_RECORD, held, ...change }, now);

  it('never if there are none', () => {
    expect(at({ held: null, summaryAt: AT - 2 * HOUR })).toBe(null);
  });

  it.each([
    ['a minute later at first', {}, AT + MINUTE],
    ['an hour after the last time', { summaryAt: AT - 30 * MINUTE }, AT + 30 * MINUTE],
    ['a minute later if the last time was long ago', { summaryAt: AT - HOUR + MINUTE - 1 }, AT + MINUTE],
    ['an hour after the last time if that is now', { summaryAt: AT }, AT + HOUR],
    ['a minute later if the last time is in the future', { summaryAt: AT + 1 }, AT + MINUTE],
    [
      'ten minutes after the last time if one is critical',
      { summaryAt: AT - 5 * MINUTE, held: { ...held, isCritical: true } },
      AT + 5 * MINUTE,
    ],
  ])('%s', (_name, change, due) => {
    expect(at(change)).toBe(due);
  });
});

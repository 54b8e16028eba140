import { beforeEach, describe, expect, it } from 'vitest';
import { AT, DEVICE } from '../../../../test/support/alert-notices.ts';
import { RANGE_RULE } from '../../../../test/support/alerts.ts';
import { FakeClock } from '../../../../test/support/fake-clock.ts';
import type { Alert } from '../../../shared/alerts/alert.ts';
import type { RangeRule } from '../../../shared/alerts/rule.ts';
import { Firings } from '../firings.ts';
import type { News } from '../news.ts';
import { DeviceRanges } from './ranges.ts';

const MINUTE = 60_000;
const NEVER = Number.NEGATIVE_INFINITY;

/** pH between 5.5 and 6.5 by a margin of 0.1, for two minutes. */
const PH: RangeRule = { ...RANGE_RULE, id: '6f0a4f9e-8d5c-4f8e-9a55-0d7dd0a4d3f1', forMinutes: 2 };
const EC: RangeRule = { ...PH, id: '7f0a4f9e-8d5c-4f8e-9a55-0d7dd0a4d3f1', field: 'ec', low: 1, high: null };

let firings: Firings;
let ranges: DeviceRanges;
/** The messages, in order. */
let told: { readonly kind: News['kind']; readonly alert: Alert; readonly at: number }[];

beforeEach(() => {
  told = [];
  firings = new Firings({
    clock: new FakeClock(AT),
    findRule: () => null,
    onNews: (kind, alert, _rule, at) => told.push({ kind, alert, at }),
    onEnded: () => {},
    onChange: () => {},
  });
  ranges = new DeviceRanges(DEVICE, firings);
});

const heard = () => told.splice(0).map(({ kind, alert }) => `${kind} ${alert.field}`);
const live = () => firings.all.map(({ alert }) => alert);
const minute = (count: number) => AT + count * MINUTE;
/** Evaluates a pH at a minute that arrives at once. */
const take = (count: number, ph: number, lateMs = 0) =>
  ranges.take({ ph }, { measuredAt: minute(count), lateMs }, minute(count) + 7);

describe('a value out of range', () => {
  beforeEach(() => ranges.watch([PH], NEVER, AT, false));

  it('begins a pending alert, fires it after its time, and ends it when it is back', () => {
    expect(take(0, 6)).toBe(false);
    expect(take(1, 5)).toBe(false);
    expect(live()).toMatchObject([
      {
        ...{ rule: PH.id, device: DEVICE, field: 'ph', store: null, kind: 'range', state: 'pending' },
        ...{ since: minute(1), side: 'low', value: 5, extreme: 5, limit: 5.5, firedAt: null },
      },
    ]);
    expect(take(2, 4)).toBe(false);
    expect(take(3, 4.5)).toBe(true);
    expect(live()).toMatchObject([
      { state: 'firing', since: minute(1), value: 4.5, extreme: 4, firedAt: minute(3) + 7 },
    ]);
    expect(take(4, 5.55)).toBe(false);
    expect(take(5, 5.6)).toBe(true);
    expect(live()).toEqual([]);
    expect(told.map(({ kind, at }) => [kind, at])).toEqual([
      ['fired', minute(3) + 7],
      ['ended', minute(5)],
    ]);
    expect(told[1]!.alert).toMatchObject({ value: 5.6, extreme: 4, endedAt: minute(5), ended: 'back' });
  });

  it('above the range has the other limit', () => {
    take(1, 7);
    expect(live()).toMatchObject([{ side: 'high', value: 7, limit: 6.5 }]);
  });

  it('that comes back before its time tells nothing', () => {
    expect([take(1, 5), take(2, 6)]).toEqual([false, false]);
    expect([live(), heard()]).toEqual([[], []]);
  });

  it('on the other side ends one alert and begins another', () => {
    take(1, 5);
    take(3, 5);
    expect(take(4, 7)).toBe(true);
    expect(heard()).toEqual(['fired ph', 'ended ph']);
    expect(live()).toMatchObject([{ state: 'pending', side: 'high', since: minute(4) }]);
  });

  it('does not fire if it is late, and counts nothing of other fields', () => {
    take(1, 5);
    expect(take(3, 5, 3 * MINUTE)).toBe(false);
    expect(ranges.take({ ec: 0 }, { measuredAt: minute(4), lateMs: 0 }, minute(4))).toBe(false);
    expect(live()).toMatchObject([{ state: 'pending' }]);
  });

  it('ends no alert before its beginning', () => {
    take(3, 5);
    take(5, 5);
    firings.update({ rule: PH, device: DEVICE, field: 'ph', store: null }, { since: minute(9) });
    take(6, 6);
    expect(told.at(-1)!.alert.endedAt).toBe(minute(9));
  });

  it('has its newest values when they are asked for', () => {
    take(1, 5);
    take(2, 4);
    take(2.5, 4.6);
    expect(live()).toMatchObject([{ value: 5, extreme: 5 }]);
    ranges.settle();
    expect(live()).toMatchObject([{ since: minute(1), value: 4.6, extreme: 4 }]);
  });
});

describe('values inside all ranges', () => {
  it.each([
    ['low', 5.5, 5.4],
    ['high', 6.5, 6.6],
  ])('count up to the %s limit, and after them a value outside begins where it is', (_name, inside, outside) => {
    ranges.watch([PH], NEVER, AT, false);
    take(0, 6);
    take(1, inside);
    expect(live()).toEqual([]);
    take(2, outside);
    // It is older than the last value inside, which the machine must know of.
    take(0.5, outside, 2 * MINUTE);
    ranges.settle();
    expect(live()).toMatchObject([{ state: 'pending', since: minute(2) }]);
  });

  it('are those inside the narrowest of several rules', () => {
    const narrow = { ...PH, id: EC.id, low: 5.9, high: 6.1 };
    ranges.watch([PH, narrow], NEVER, AT, false);
    take(0, 6);
    take(1, 5.8);
    expect(live()).toMatchObject([{ rule: narrow.id, side: 'low' }]);
    take(2, 6);
    take(3, 6.2);
    expect(live()).toMatchObject([{ rule: narrow.id, side: 'high' }]);
  });

  it('are those of a rule with one limit on its side', () => {
    ranges.watch(
      [
        { ...PH, high: null },
        { ...EC, low: null, high: 3 },
      ],
      NEVER,
      AT,
      false,
    );
    const both = (count: number, ph: number, ec: number) =>
      ranges.take({ ph, ec }, { measuredAt: minute(count), lateMs: 0 }, minute(count));
    both(0, 14, -5);
    both(1, 14, -5);
    expect(live()).toEqual([]);
    both(2, 14, 4);
    expect(live()).toMatchObject([{ field: 'ec', side: 'high', limit: 3 }]);
  });

  it('that are late are evaluated like any other', () => {
    ranges.watch([PH], NEVER, AT, false);
    take(0, 6);
    take(9, 6);
    take(3, 6, 6 * MINUTE);
    // Quiet again only with a value that is on time.
    take(10, 5);
    expect(live()).toMatchObject([{ since: minute(10) }]);
  });
});

describe('rules that are replaced', () => {
  it('continue if their bounds are the same, whatever else changed', () => {
    ranges.watch([PH], NEVER, AT, false);
    take(1, 5);
    ranges.watch([{ ...PH, name: 'new', severity: 'critical' }], minute(1), AT, true);
    expect(ranges.waiting).toEqual([]);
    expect(take(3, 5)).toBe(true);
    expect(live()).toMatchObject([{ state: 'firing', since: minute(1) }]);
  });

  it('do not look back again if their bounds are the same', () => {
    ranges.watch([PH, EC], NEVER, AT, false);
    take(5, 6);
    ranges.watch([EC, { ...PH, name: 'new' }], AT, AT, true);
    expect(ranges.waiting).toEqual([]);
    take(3, 5, 2 * MINUTE);
    expect(live()).toEqual([]);
  });

  it.each([
    ['low', { low: 5.4 }],
    ['high', { high: 6.6 }],
    ['margin', { margin: 0.2 }],
    ['time', { forMinutes: 3 }],
    ['field', { field: 'ec' as const }],
  ])('wait for the earlier readings if another %s', (_name, change) => {
    ranges.watch([PH], NEVER, AT, false);
    const changed = { ...PH, ...change };
    ranges.watch([changed], AT, AT, true);
    expect(ranges.waiting).toEqual([changed]);
  });

  it('keep their alert with the new bounds, and what it knew', () => {
    ranges.watch([PH], NEVER, AT, false);
    take(1, 5);
    take(3, 5.2);
    heard();
    ranges.watch([{ ...PH, margin: 0.5 }], minute(3), minute(3), true);
    expect(ranges.waiting).toEqual([]);
    ranges.settle();
    expect(live()).toMatchObject([{ state: 'firing', since: minute(1), value: 5.2, extreme: 5 }]);
    expect([take(4, 5.9), take(5, 6)]).toEqual([false, true]);
    expect(heard()).toEqual(['ended ph']);
  });

  it('keep a pending alert as pending', () => {
    ranges.watch([PH], NEVER, AT, false);
    take(1, 5);
    ranges.watch([{ ...PH, margin: 0.5 }], minute(1), minute(1), true);
    expect(take(2, 5)).toBe(false);
    expect(take(3, 5)).toBe(true);
  });

  it('that are gone end their own alerts only', () => {
    const other = new DeviceRanges('other', firings);
    other.watch([PH], NEVER, AT, false);
    other.take({ ph: 5 }, { measuredAt: AT, lateMs: 0 }, AT);
    other.take({ ph: 5 }, { measuredAt: minute(2), lateMs: 0 }, AT);
    firings.set(
      {
        ...{ device: DEVICE, field: null, store: null },
        rule: { ...PH, id: 'silent', kind: 'silent', threshold: null },
      },
      { since: AT, side: null, value: null, limit: null },
      AT,
    );
    ranges.watch([PH, EC], NEVER, AT, false);
    for (const count of [0, 2]) {
      ranges.take({ ph: 5, ec: 0 }, { measuredAt: minute(count), lateMs: 0 }, minute(count));
    }
    heard();
    ranges.watch([EC], minute(2), minute(9), false);
    expect(told).toMatchObject([
      { kind: 'ended', at: minute(9), alert: { rule: PH.id, device: DEVICE, ended: 'rule_changed' } },
    ]);
    expect(live().map(({ kind, device, field }) => `${kind} ${device} ${field}`)).toEqual([
      'range other ph',
      `silent ${DEVICE} null`,
      `range ${DEVICE} ec`,
    ]);
  });

  it('know the values inside that came before', () => {
    ranges.watch([PH], NEVER, AT, false);
    take(0, 6);
    take(1, 6);
    ranges.watch([PH, EC], minute(1), minute(1), false);
    take(2, 5);
    take(0.5, 5, MINUTE);
    ranges.settle();
    expect(live()).toMatchObject([{ since: minute(2) }]);
  });

  it('are about derived fields', () => {
    expect(ranges.derived).toEqual([]);
    ranges.watch([PH, { ...EC, field: 'vpd' }], NEVER, AT, false);
    expect(ranges.derived).toEqual(['vpd']);
  });
});

describe('a new rule that looks back', () => {
  const past = (...values: [count: number, ph: number][]) =>
    values.map(([count, ph]) => ({ measuredAt: minute(count), lateMs: 0, values: { ph } }));

  beforeEach(() => ranges.watch([PH], minute(3), minute(3), true));

  it('waits for the earlier readings, and takes those that arrive meanwhile after them', () => {
    expect(ranges.waiting).toEqual([PH]);
    expect(take(4, 5)).toBe(false);
    expect(live()).toEqual([]);
    expect(ranges.lookBack(past([1, 6], [2, 4], [3, 5]), minute(4))).toBe(true);
    expect(ranges.waiting).toEqual([]);
    expect(live()).toMatchObject([
      {
        ...{ state: 'firing', since: minute(2), value: 5, extreme: 4, side: 'low', limit: 5.5 },
        firedAt: minute(4),
      },
    ]);
    expect(take(5, 6)).toBe(true);
  });

  it('begins a pending alert if its time is not over, by the upper limit too', () => {
    expect(ranges.lookBack(past([2, 7], [3, 7]), minute(3))).toBe(false);
    expect(live()).toMatchObject([{ state: 'pending', since: minute(2), side: 'high', limit: 6.5 }]);
    expect(heard()).toEqual([]);
  });

  it('tells nothing of what is over, and of other fields', () => {
    const others = [{ measuredAt: minute(3), lateMs: 0, values: { ec: 0 } }];
    expect(ranges.lookBack([...past([0, 5], [2, 5], [3, 6]), ...others], minute(3))).toBe(false);
    expect([live(), heard(), ranges.waiting]).toEqual([[], [], []]);
  });

  it('gives an alert another id than one that ended', () => {
    ranges.lookBack(past([2, 5]), minute(3));
    const [first] = live();
    ranges.watch([], minute(3), minute(3), false);
    ranges.watch([PH], minute(3), minute(3), true);
    ranges.lookBack(past([2, 5]), minute(3));
    expect(live()).toHaveLength(1);
    expect(live()[0]!.id).not.toBe(first!.id);
  });

  it('looks back once, while other rules go on', () => {
    ranges.lookBack(past([2, 6]), minute(3));
    take(4, 5);
    expect(ranges.lookBack(past([2, 5], [9, 5]), minute(4))).toBe(false);
    expect(live()).toMatchObject([{ since: minute(4), state: 'pending' }]);
  });

  it('forgets the readings that wait if a clock was set', () => {
    take(4, 5);
    ranges.restart(minute(4));
    expect(ranges.waiting).toEqual([PH]);
    expect(ranges.lookBack([], minute(5))).toBe(false);
    expect(live()).toEqual([]);
  });
});

describe('a clock that was set', () => {
  beforeEach(() => ranges.watch([PH], NEVER, AT, false));

  it('drops a pending alert, and lets a firing one go on', () => {
    take(1, 5);
    ranges.restart(minute(1));
    expect([live(), heard()]).toEqual([[], []]);
    take(2, 5);
    take(4, 5);
    ranges.restart(minute(4));
    expect(live()).toMatchObject([{ state: 'firing' }]);
    expect(heard()).toEqual(['fired ph']);
  });

  it('lets earlier times count again after values inside', () => {
    take(10, 6);
    take(11, 6);
    ranges.restart(minute(11));
    take(1, 5);
    expect(live()).toMatchObject([{ since: minute(1) }]);
    expect(take(3, 5)).toBe(true);
  });
});

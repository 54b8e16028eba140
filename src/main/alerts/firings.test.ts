import { beforeEach, describe, expect, it } from 'vitest';
import { AT, DEVICE, someAlert } from '../../../test/support/alert-notices.ts';
import { RANGE_RULE } from '../../../test/support/alerts.ts';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import type { Alert } from '../../shared/alerts/alert.ts';
import type { BuiltInRule, RangeRule, Rule } from '../../shared/alerts/rule.ts';
import { type About, Firings } from './firings.ts';
import type { News } from './news.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const WEEK = 7 * 24 * HOUR;
/** The latest time that a Date can have. */
const LATEST = 8_640_000_000_000_000;

const RANGE: RangeRule = { ...RANGE_RULE, id: 'f8a4f8b0-5a0f-4a44-9d55-0d7dd0a4d3f1', name: 'Lettuce' };
const SILENT: BuiltInRule = {
  ...{ id: 'silent', kind: 'silent', threshold: null, severity: 'warning' },
  ...{ channels: 'all', repeatMinutes: null, isOn: true },
};
const OF_RANGE: About = { rule: RANGE, device: DEVICE, field: 'ph', store: null };
const OF_SILENT: About = { rule: SILENT, device: DEVICE, field: null, store: null };
const LOW = { since: AT, side: 'low', value: 5, limit: 5.5 } as const;
const SINCE = { since: AT, side: null, value: null, limit: 5 } as const;

interface Told {
  readonly kind: News['kind'];
  readonly alert: Alert;
  readonly rule: Rule | null;
  readonly at: number;
}

let clock: FakeClock;
let rules: Rule[];
let told: Told[];
let ended: Alert[];
let changes: number;
let firings: Firings;

function newFirings(): Firings {
  return new Firings({
    clock,
    findRule: (id) => rules.find((each) => each.id === id) ?? null,
    onNews: (kind, alert, rule, at) => told.push({ kind, alert, rule, at }),
    onEnded: (alert) => ended.push(alert),
    onChange: () => {
      changes += 1;
    },
  });
}

/** Returns what was told since the last call, as "kind state". */
const heard = () => told.splice(0).map(({ kind, alert }) => `${kind} ${alert.state}`);
/** Returns whether anything has changed since the last call. */
function hasChanged(): boolean {
  const is = changes > 0;
  changes = 0;
  return is;
}
const passed = (ms: number) => clock.pass(ms, async () => {});
const live = () => firings.all.map(({ alert }) => alert);

beforeEach(() => {
  clock = new FakeClock(AT);
  rules = [RANGE, SILENT];
  told = [];
  ended = [];
  changes = 0;
  firings = newFirings();
});

describe('an alert', () => {
  it('is pending until it fires, and then ends with a message', () => {
    firings.begin(OF_RANGE, LOW);
    const { id } = firings.find(OF_RANGE)!;
    const pending: Alert = {
      ...{ id, rule: RANGE.id, kind: 'range', name: 'Lettuce', device: DEVICE, field: 'ph', store: null },
      ...{ severity: 'warning', state: 'pending', since: AT, firedAt: null, snoozedUntil: null },
      ...{ side: 'low', value: 5, extreme: 5, limit: 5.5, endedAt: null, ended: null },
    };
    expect(firings.all).toEqual([{ alert: pending, toldAt: null }]);
    expect([hasChanged(), heard()]).toEqual([true, []]);
    firings.fire(OF_RANGE, AT + 5);
    const firing = { ...pending, state: 'firing', firedAt: AT + 5 };
    expect(firings.all).toEqual([{ alert: firing, toldAt: AT + 5 }]);
    expect(told).toEqual([{ kind: 'fired', alert: firing, rule: RANGE, at: AT + 5 }]);
    expect(hasChanged()).toBe(true);
    firings.end(OF_RANGE, AT + 9.6, 'rule_off');
    const over = { ...firing, endedAt: AT + 10, ended: 'rule_off' };
    expect(ended).toEqual([over]);
    expect(told.slice(1)).toEqual([{ kind: 'ended', alert: over, rule: RANGE, at: AT + 9.6 }]);
    expect([firings.all, firings.find(OF_RANGE), hasChanged()]).toEqual([[], null, true]);
  });

  it('that is pending ends without a message', () => {
    firings.begin(OF_RANGE, LOW);
    hasChanged();
    firings.end(OF_RANGE, AT, 'back');
    expect([live(), ended, heard(), hasChanged()]).toEqual([[], [], [], true]);
  });

  it('fires once, and an unknown one neither fires, ends nor takes values', () => {
    firings.begin(OF_RANGE, LOW);
    firings.fire(OF_RANGE, AT);
    heard();
    hasChanged();
    firings.fire(OF_RANGE, AT + 1);
    firings.fire(OF_SILENT, AT + 1);
    firings.end(OF_SILENT, AT + 1, 'back');
    firings.update(OF_SILENT, { value: 1 });
    expect([heard(), ended, hasChanged()]).toEqual([[], [], false]);
    expect(live()).toMatchObject([{ rule: RANGE.id, firedAt: AT }]);
  });

  it('has the same id if a crash makes the node find it again, and another one for any other finding', () => {
    const idOf = (about: About, since: number) => {
      const found = newFirings();
      found.begin(about, { ...LOW, since });
      return found.find(about)!.id;
    };
    const id = idOf(OF_RANGE, AT);
    expect(idOf(OF_RANGE, AT)).toBe(id);
    const others = [
      idOf(OF_RANGE, AT + 1),
      idOf({ ...OF_RANGE, field: 'ec' }, AT),
      idOf({ ...OF_RANGE, device: null }, AT),
      idOf({ ...OF_RANGE, store: 'public' }, AT),
      idOf({ ...OF_RANGE, rule: SILENT }, AT),
    ];
    expect(new Set([id, ...others]).size).toBe(6);
    firings.begin(OF_RANGE, LOW, 'chosen');
    expect(firings.find(OF_RANGE)!.id).toBe('chosen');
  });

  it('has the newest values, the latest times that a date can have, and none before 1970', () => {
    firings.begin(OF_RANGE, LOW);
    firings.update(OF_RANGE, { value: 4.5, extreme: 4 });
    expect(firings.find(OF_RANGE)).toMatchObject({ since: AT, value: 4.5, extreme: 4 });
    for (const [since, dated] of [
      [1.4, 1],
      [1.5, 2],
      [-1, 0],
      [Number.POSITIVE_INFINITY, LATEST],
      [LATEST + 2, LATEST],
    ] as const) {
      firings.update(OF_RANGE, { since });
      expect(firings.find(OF_RANGE)!.since).toBe(dated);
    }
  });

  it('of a built-in rule has no name', () => {
    firings.begin(OF_SILENT, SINCE);
    expect(firings.find(OF_SILENT)).toMatchObject({ kind: 'silent', rule: 'silent', name: '' });
    firings.follow({ ...SILENT, severity: 'critical' });
    expect(firings.find(OF_SILENT)).toMatchObject({ name: '', severity: 'critical' });
  });

  it('follows the name and severity of its own rule', () => {
    firings.begin(OF_RANGE, LOW);
    firings.begin(OF_SILENT, SINCE);
    hasChanged();
    firings.follow({ ...RANGE, name: 'Basil', severity: 'critical' });
    expect(live()).toMatchObject([
      { name: 'Basil', severity: 'critical' },
      { name: '', severity: 'warning' },
    ]);
    expect(hasChanged()).toBe(true);
  });
});

describe('a finding of a built-in rule', () => {
  it('begins and fires an alert, which ends when there is none any more', () => {
    expect(firings.set(OF_SILENT, null, AT)).toBe(false);
    expect(firings.set(OF_SILENT, SINCE, AT)).toBe(true);
    expect(firings.set(OF_SILENT, SINCE, AT)).toBe(false);
    expect(heard()).toEqual(['fired firing']);
    expect(firings.set(OF_SILENT, null, AT)).toBe(true);
    expect([heard(), ended]).toMatchObject([['ended firing'], [{ ended: 'back' }]]);
  });

  it('is counted for its device, until the last one ends', () => {
    const ofField: About = { ...OF_SILENT, field: 'ph' };
    expect(firings.isAbout(DEVICE)).toBe(false);
    firings.set(OF_SILENT, SINCE, AT);
    firings.set(ofField, SINCE, AT);
    firings.begin({ ...OF_RANGE, device: 'other' }, LOW);
    expect([firings.isAbout(DEVICE), firings.isAbout('other')]).toEqual([true, false]);
    firings.end(OF_SILENT, AT, 'back');
    expect(firings.isAbout(DEVICE)).toBe(true);
    firings.end(ofField, AT, 'back');
    expect(firings.isAbout(DEVICE)).toBe(false);
  });
});

it('knows which kinds of alerts are live', () => {
  expect(firings.isAnyOf('range')).toBe(false);
  firings.begin(OF_RANGE, LOW);
  expect([firings.isAnyOf('range'), firings.isAnyOf('silent')]).toEqual([true, false]);
  firings.begin(OF_SILENT, SINCE);
  expect([firings.isAnyOf('range'), firings.isAnyOf('silent')]).toEqual([true, true]);
});

it('ends all alerts that are chosen, and says whether there were any', () => {
  firings.set(OF_SILENT, SINCE, AT);
  firings.begin(OF_RANGE, LOW);
  expect(firings.endAll(() => false, AT, 'hidden')).toBe(false);
  expect(live()).toHaveLength(2);
  expect(firings.endAll(({ kind }) => kind === 'silent', AT + 1, 'hidden')).toBe(true);
  expect(ended).toMatchObject([{ kind: 'silent', ended: 'hidden', endedAt: AT + 1 }]);
  expect(live()).toMatchObject([{ kind: 'range' }]);
});

describe('the owner', () => {
  it('silences an alert that fires by acknowledging or snoozing it', () => {
    firings.set(OF_SILENT, SINCE, AT);
    const { id } = firings.find(OF_SILENT)!;
    hasChanged();
    expect(firings.snooze(id, AT + 1)).toMatchObject({ id, state: 'snoozed', snoozedUntil: AT + 1 });
    expect(hasChanged()).toBe(true);
    expect(firings.acknowledge(id)).toMatchObject({ id, state: 'acknowledged', snoozedUntil: null });
    expect(firings.find(OF_SILENT)).toMatchObject({ state: 'acknowledged', snoozedUntil: null });
  });

  it('can’t silence an unknown or pending alert, or snooze one until now', () => {
    firings.begin(OF_RANGE, LOW);
    const { id } = firings.find(OF_RANGE)!;
    expect(() => firings.acknowledge('other')).toThrow(
      expect.objectContaining({ code: 'not_found', message: 'there is no such alert' }),
    );
    expect(() => firings.acknowledge(id)).toThrow(
      expect.objectContaining({ code: 'conflict', message: 'the alert does not fire' }),
    );
    firings.fire(OF_RANGE, AT);
    expect(() => firings.snooze(id, AT)).toThrow(
      expect.objectContaining({ code: 'invalid_input', message: 'until: is not ahead of now' }),
    );
    expect(live()).toMatchObject([{ state: 'firing' }]);
  });
});

describe('as time passes', () => {
  it('an alert that fires is told again as often as its rule says', async () => {
    rules = [{ ...SILENT, repeatMinutes: 30 }];
    firings.set(OF_SILENT, SINCE, AT);
    heard();
    await passed(30 * MINUTE - 1);
    expect(firings.tick(clock.now())).toBe(false);
    await passed(1);
    expect(firings.tick(clock.now())).toBe(true);
    expect(heard()).toEqual(['repeated firing']);
    expect(firings.all).toMatchObject([{ toldAt: AT + 30 * MINUTE }]);
    expect(firings.tick(clock.now())).toBe(false);
    firings.acknowledge(firings.find(OF_SILENT)!.id);
    await passed(HOUR);
    expect(firings.tick(clock.now())).toBe(false);
  });

  it('an alert whose rule has no repeats, or is gone, sends no further message', async () => {
    firings.set(OF_SILENT, SINCE, AT);
    await passed(WEEK);
    expect(firings.tick(clock.now())).toBe(false);
    rules = [];
    expect(firings.tick(clock.now())).toBe(false);
  });

  it('a snoozed alert fires again at its time', () => {
    firings.set(OF_SILENT, SINCE, AT);
    firings.snooze(firings.find(OF_SILENT)!.id, AT + HOUR);
    heard();
    expect(firings.tick(AT + HOUR - 1)).toBe(false);
    expect(firings.tick(AT + HOUR)).toBe(true);
    expect(live()).toMatchObject([{ state: 'firing', snoozedUntil: null }]);
    expect(heard()).toEqual(['repeated firing']);
  });

  it('a pending alert is not told, whatever its rule says', async () => {
    rules = [{ ...RANGE, repeatMinutes: 5 }];
    firings.begin(OF_RANGE, LOW);
    await passed(HOUR);
    expect([firings.tick(clock.now()), heard()]).toEqual([false, []]);
  });
});

describe('an alert of an earlier run', () => {
  const kept = someAlert({ rule: RANGE.id });

  it('is known as such, and a new one is not', () => {
    firings.restore([{ alert: kept, toldAt: AT }]);
    firings.begin(OF_SILENT, SINCE);
    expect([firings.isRestored(OF_RANGE), firings.isRestored(OF_SILENT)]).toEqual([true, false]);
    expect(firings.isRestored({ ...OF_RANGE, field: 'ec' })).toBe(false);
    expect(firings.all[0]).toEqual({ alert: kept, toldAt: AT });
  });

  it.each([
    ['counts from its last message', -10 * MINUTE, 20 * MINUTE],
    ['counts from now if its last message is in the future', HOUR, 30 * MINUTE],
    ['whose last message is older than any rule waits sends the next one at once', -WEEK, 0],
    ['without a message counts from the start', null, 30 * MINUTE],
  ])('%s', async (_name, ago, wait) => {
    rules = [{ ...RANGE, repeatMinutes: 30 }];
    firings.restore([{ alert: kept, toldAt: ago === null ? null : AT + ago }]);
    if (wait > 0) {
      await passed(wait - 1);
      expect(firings.tick(clock.now())).toBe(false);
      await passed(1);
    }
    expect(firings.tick(clock.now())).toBe(true);
  });

  it('whose last message is a year old waits no longer than the longest repeat of a rule', async () => {
    rules = [{ ...RANGE, repeatMinutes: WEEK / MINUTE + 1 }];
    firings.restore([{ alert: kept, toldAt: AT - 52 * WEEK }]);
    expect(firings.tick(clock.now())).toBe(false);
    await passed(MINUTE);
    expect(firings.tick(clock.now())).toBe(true);
  });
});

describe('a clock that is corrected', () => {
  const move = { by: -HOUR, from: AT, to: AT + 10 };

  it.each([AT, AT + 10])('moves the times of its span: %d', (at) => {
    firings.restore([{ alert: someAlert({ rule: RANGE.id, since: at, firedAt: at }), toldAt: at }]);
    firings.move(move);
    expect(firings.all).toMatchObject([{ alert: { since: at - HOUR, firedAt: at - HOUR }, toldAt: at - HOUR }]);
    expect(hasChanged()).toBe(true);
  });

  it.each([AT - 1, AT + 11])('leaves other times: %d', (at) => {
    firings.restore([{ alert: someAlert({ rule: RANGE.id, since: at, firedAt: at }), toldAt: at }]);
    firings.move(move);
    expect(firings.all).toMatchObject([{ alert: { since: at, firedAt: at }, toldAt: at }]);
  });

  it('leaves what has no time', () => {
    firings.restore([{ alert: someAlert({ rule: RANGE.id, state: 'pending', firedAt: null }), toldAt: null }]);
    firings.move({ by: HOUR, from: -1, to: LATEST });
    expect(firings.all).toMatchObject([{ alert: { firedAt: null, snoozedUntil: null }, toldAt: null }]);
  });

  it.each([
    [AT - 1, AT - 1],
    [AT, AT - HOUR],
    [AT + HOUR, AT],
  ])('lets a snooze last as long as before: until %d', (snoozedUntil, after) => {
    firings.restore([{ alert: someAlert({ rule: RANGE.id, state: 'snoozed', snoozedUntil }), toldAt: AT }]);
    firings.move(move);
    expect(live()).toMatchObject([{ snoozedUntil: after }]);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { AT, DEVICE, someAlert } from '../../../test/support/alert-notices.ts';
import { RANGE_RULE } from '../../../test/support/alerts.ts';
import { RulesUnderTest } from '../../../test/support/rules-under-test.ts';
import { MAX_RULES, type RangeRule } from '../../shared/alerts/rule.ts';
import type { Cycle, Stage, StageRange } from '../../shared/owner-data/cycles.ts';
import { CycleRules } from './cycle-rules.ts';
import { derivedId } from './derived-id.ts';

const DAY = 86_400_000;
const OTHER = 'cd'.repeat(32);
const GROUP = '3f0f6f5e-8a5a-4f1e-9d43-0c7f4c2f6a12';
const [ID, SECOND] = ['0b7c1c53-5c1f-4d0e-9d43-6c7f4c2f6a11', '1b7c1c53-5c1f-4d0e-9d43-6c7f4c2f6a11'];
const PH = { field: 'ph', low: 5.5, high: 6.5 } as const;
const NIGHT = { field: 'tempAmbient', low: 22, high: 28, night: { low: 18, high: 21 } } as const;

let node: RulesUnderTest;
let cycles: CycleRules;
/** The devices at which it is day, and the questions about it. */
let days: Set<string>;
let asked: unknown[][];
beforeEach(() => {
  node = new RulesUnderTest();
  [days, asked] = [new Set([DEVICE]), []];
  cycles = open();
});

function open(): CycleRules {
  return new CycleRules(node.rules, node.firings, {
    devicesAt: (place) => (place.kind === 'group' && place.group === GROUP ? [DEVICE, OTHER] : []),
    isDay: (device, zone, at) => {
      asked.push([device, zone, at]);
      return days.has(device);
    },
  });
}

const stage = (name: string, from: string, ...ranges: StageRange[]): Stage => ({ name, from, ranges });
/** A crop that is a seedling today, 22 November, and fruits from the 24th on. */
const cycle = (change: Partial<Cycle> = {}): Cycle => ({
  ...{ id: ID, crop: 'Tomato', variety: '', place: { kind: 'device', device: DEVICE }, zone: 'UTC' },
  ...{ plantedAt: '2026-11-01', plants: null, areaM2: null, endedAt: null },
  stages: [stage('Seedling', '2026-11-12', PH), stage('Fruiting', '2026-11-24', { ...PH, low: 5.8 })],
  ...change,
});
const one = (range: StageRange, change: Partial<Cycle> = {}) =>
  cycle({ stages: [stage('Seedling', '2026-11-12', range)], ...change });
/** Follows these cycles, so many days from now. Returns whether a rule changed. */
function follow(list: unknown, inDays = 0): boolean {
  cycles.know(list);
  return cycles.follow(AT + inDays * DAY);
}
const ranges = () => node.rules.ranges.map(({ low, high }) => [low, high]);
const rule = () => node.rules.ranges[0]!;
const fire = (of: RangeRule) => node.firings.restore([{ alert: someAlert({ rule: of.id }), toldAt: null }]);

describe('the rule of a stage', () => {
  it('is made once, for the place of the crop', () => {
    expect([cycles.follow(AT), cycles.kept]).toEqual([false, null]);
    expect([follow([cycle()]), follow([cycle()])]).toEqual([true, false]);
    expect(node.rules.ranges).toEqual([
      {
        ...{ id: derivedId(`cycle ${ID} ph`), kind: 'range', cycle: ID, name: 'Tomato: Seedling' },
        ...{ scope: { kind: 'device', device: DEVICE }, field: 'ph', low: 5.5, high: 6.5, margin: 0.1, forMinutes: 15 },
        ...{ severity: 'warning', channels: 'all', repeatMinutes: null, isOn: true },
      },
    ]);
  });

  it.each<[string, StageRange, number, number]>([
    ['as usual for its field', { field: 'humidity', low: 50, high: 80 }, 3, 60],
    ['within a narrow range', { field: 'ph', low: 6, high: 6.1 }, 0.05, 15],
    ['as usual without a lower bound', { field: 'ph', low: null, high: 6 }, 0.1, 15],
    ['as usual without an upper bound', { field: 'ph', low: 6, high: null }, 0.1, 15],
    ['none for a field without usual ranges', { field: 'waterLevel', low: 1, high: 9 }, 0, 30],
  ])('has a margin and a time: %s', (_name, range, margin, forMinutes) => {
    follow([one(range)]);
    expect(rule()).toMatchObject({ margin: expect.closeTo(margin, 9), forMinutes });
  });

  it('has a name of a hundred characters at most', () => {
    follow([cycle({ crop: 'x'.repeat(99) })]);
    expect(rule().name).toBe(`${'x'.repeat(99)}:`);
  });

  it('is not made from what is damaged, or beyond the number of rules', () => {
    expect([follow('damaged'), follow([{}])]).toEqual([false, false]);
    follow([{}, cycle()]);
    expect(ranges()).toEqual([[5.5, 6.5]]);
    while (node.rules.all.length < MAX_RULES) node.rules.write(RANGE_RULE);
    expect(follow([cycle(), cycle({ id: SECOND })])).toBe(false);
    expect(node.rules.all).toHaveLength(MAX_RULES);
  });

  it('is not changed at a start', () => {
    follow([cycle()]);
    cycles = open();
    cycles.restore([]);
    expect(follow([cycle()])).toBe(false);
  });

  it('follows the next stage, and keeps what the owner changed', () => {
    follow([cycle()]);
    const changed = { ...rule(), severity: 'critical', isOn: false, forMinutes: 7 } as const;
    node.rules.put(changed);
    expect(follow([cycle()], 1)).toBe(false);
    expect(follow([cycle()], 2)).toBe(true);
    expect(node.rules.ranges).toEqual([{ ...changed, name: 'Tomato: Fruiting', low: 5.8 }]);
  });

  it.each([
    ['low', { ...PH, low: 5.6 }, ['range rule_changed']],
    ['high', { ...PH, high: 6.4 }, ['range rule_changed']],
    ['name', PH, []],
  ])('with another %s ends the alerts of another range, and no others', (_name, range, ended) => {
    const other = node.rules.write(RANGE_RULE).rule as RangeRule;
    follow([one(PH)]);
    for (const each of node.rules.ranges) fire(each);
    expect(follow([one(range, { crop: 'Basil' })])).toBe(true);
    expect(node.ended()).toEqual(ended.map((each) => [each, 0]));
    expect(node.live.map((alert) => alert.rule)).toContain(other.id);
  });

  it.each([
    ['before the first stage', -11],
    ['after the last day', 3],
  ])('is deleted with its alerts %s', (_name, inDays) => {
    const own = node.rules.write(RANGE_RULE).rule;
    const list = [cycle({ endedAt: '2026-11-24' })];
    follow(list);
    for (const each of node.rules.ranges) fire(each);
    expect([follow(list, inDays), follow(list, inDays)]).toEqual([true, false]);
    expect(node.rules.ranges).toEqual([own]);
    expect(node.ended()).toEqual([['range rule_off', inDays * DAY]]);
    expect(cycles.kept).toMatchObject([{ id: ID, stage: '', deleted: [] }]);
  });
});

describe('ranges that differ by night', () => {
  it('are known', () => {
    follow([cycle()]);
    expect(cycles.haveNights).toBe(false);
    follow([one(NIGHT)]);
    expect(cycles.haveNights).toBe(true);
  });

  it('follow day and night at the device', () => {
    follow([one(NIGHT, { zone: 'Asia/Kathmandu' })]);
    expect([ranges(), asked]).toEqual([[[22, 28]], [[DEVICE, 'Asia/Kathmandu', AT]]]);
    const { id } = rule();
    days.clear();
    follow([one(NIGHT)]);
    expect([ranges(), rule().id]).toEqual([[[18, 21]], id]);
  });

  it('have a rule for each device of a group; others have one for the group', () => {
    const place = { kind: 'group', group: GROUP } as const;
    follow([cycle({ place, stages: [stage('Seedling', '2026-11-12', PH, NIGHT)] })]);
    expect(node.rules.ranges.map(({ id, scope, low }) => [id, scope, low])).toEqual([
      [derivedId(`cycle ${ID} ph`), place, 5.5],
      [derivedId(`cycle ${ID} tempAmbient ${DEVICE}`), { kind: 'device', device: DEVICE }, 22],
      [derivedId(`cycle ${ID} tempAmbient ${OTHER}`), { kind: 'device', device: OTHER }, 18],
    ]);
  });
});

describe('a rule that the owner deleted', () => {
  const remove = () => cycles.deleted(node.rules.delete(rule().id));

  it('stays away until its stage has another range, or another stage begins', () => {
    follow([cycle()]);
    remove();
    expect([follow([cycle()]), ranges()]).toEqual([false, []]);
    expect(cycles.kept).toMatchObject([{ stage: '2026-11-12 Seedling', deleted: [PH] }]);
    const restored = open();
    restored.restore(cycles.kept);
    cycles = restored;
    expect([follow([cycle()]), ranges()]).toEqual([false, []]);
    expect(follow([one({ ...PH, high: 7 })])).toBe(true);
    remove();
    follow([one({ ...PH, high: 7 })]);
    expect([ranges(), cycles.kept![0]!.deleted]).toEqual([[], [{ ...PH, high: 7 }]]);
    expect(follow([one(PH)])).toBe(true);
    remove();
    expect(follow([cycle({ stages: [stage('Fruiting', '2026-11-12', PH)] })])).toBe(true);
    expect(cycles.kept![0]!.deleted).toEqual([]);
  });

  it('stays away by day and by night, with the other fields in place', () => {
    const both = [cycle({ stages: [stage('Seedling', '2026-11-12', NIGHT, PH)] })];
    follow(both);
    remove();
    for (const isDay of [true, false]) {
      if (!isDay) days.clear();
      follow(both);
      expect(ranges()).toEqual([[5.5, 6.5]]);
    }
    remove();
    follow(both);
    expect([ranges(), cycles.kept![0]!.deleted.map(({ field }) => field)]).toEqual([[], ['tempAmbient', 'ph']]);
  });

  it('by night stays away by day', () => {
    days.clear();
    follow([one(NIGHT)]);
    remove();
    days.add(DEVICE);
    follow([one(NIGHT)]);
    expect(ranges()).toEqual([]);
  });

  it('of another range of the field does not keep this one away', () => {
    cycles.restore([{ id: ID, stage: '2026-11-12 Seedling', logged: '', deleted: [{ ...PH, low: 5.4 }] }]);
    follow([cycle()]);
    expect(ranges()).toEqual([[5.5, 6.5]]);
  });

  it.each([
    ['built in', () => node.builtIn('silent')],
    ['the owner’s own', () => node.rules.write(RANGE_RULE).rule],
    ['of an unknown crop', () => ({ ...rule(), cycle: SECOND })],
  ])('and that is %s changes nothing', (_name, which) => {
    follow([cycle()]);
    const before = cycles.kept;
    cycles.deleted(which());
    expect(cycles.kept).toEqual(before);
  });
});

describe('the stages for the log', () => {
  const begun = (inDays = 0) => cycles.begun(AT + inDays * DAY).map((each) => each.stage.name);
  const logged = (text: string) => cycles.restore([{ id: ID, stage: '', logged: text, deleted: [] }]);
  const three = [
    cycle({
      stages: [stage('Seedling', '2026-11-12'), stage('Growing', '2026-11-20'), stage('Fruiting', '2026-11-24')],
    }),
  ];

  it('have begun before the first start count as logged', () => {
    follow(three);
    expect(cycles.kept).toEqual([{ id: ID, stage: '2026-11-20 Growing', logged: '2026-11-20 Growing', deleted: [] }]);
    expect([begun(), begun(2)]).toEqual([[], ['Fruiting']]);
  });

  it('are all that have begun for a crop that is new', () => {
    follow([]);
    follow(three);
    expect([cycles.kept, begun(), begun(-11)]).toMatchObject([[{ logged: '' }], ['Seedling', 'Growing'], []]);
  });

  it('do not exist for a crop before its first stage', () => {
    follow([cycle({ stages: [stage('Fruiting', '2026-11-24')] })]);
    expect([cycles.kept, begun(), begun(2)]).toEqual([
      [{ id: ID, stage: '', logged: '', deleted: [] }],
      [],
      ['Fruiting'],
    ]);
  });

  it('are those since the logged one, and the present one if it was renamed', () => {
    logged('2026-11-12 Seedling');
    follow(three);
    expect([begun(), begun(2)]).toEqual([['Growing'], ['Growing', 'Fruiting']]);
    logged('2026-11-20 Sprouting');
    expect([begun(), begun(2)]).toEqual([['Growing'], ['Fruiting']]);
  });

  it('are noted one by one', () => {
    logged('');
    follow(three);
    const [first, second] = cycles.begun(AT);
    expect(first).toEqual({ cycle: three[0], stage: three[0]!.stages[0] });
    cycles.logged(first!);
    expect(begun()).toEqual(['Growing']);
    cycles.logged(second!);
    expect([begun(), cycles.kept![0]!.logged]).toEqual([[], '2026-11-20 Growing']);
    cycles.logged({ cycle: cycle({ id: SECOND }), stage: three[0]!.stages[0]! });
    expect(cycles.kept).toHaveLength(1);
  });

  it('are those of each crop that is followed', () => {
    cycles.know(three);
    expect(begun()).toEqual([]);
    cycles.restore(null);
    expect([begun(), cycles.kept]).toEqual([[], null]);
    follow([]);
    follow([three[0]!, { ...three[0]!, id: SECOND }]);
    expect(cycles.begun(AT).map((each) => each.cycle.id)).toEqual([ID, ID, SECOND, SECOND]);
  });
});

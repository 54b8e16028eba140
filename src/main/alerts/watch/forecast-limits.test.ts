import { beforeEach, describe, expect, it } from 'vitest';
import { AT, DEVICE, someAlert } from '../../../../test/support/alert-notices.ts';
import { EngineUnderRules } from '../../../../test/support/engine-under-rules.ts';
import { knownDevice } from '../../../../test/support/rules-under-test.ts';
import type { Alert } from '../../../shared/alerts/alert.ts';
import type { DeviceNotes } from '../../../shared/owner-data/notes.ts';
import { type FieldName, perFieldName } from '../../../shared/protocol/fields.ts';
import type { KnownDevice, Span, StoresView } from '../../store/stores-view.ts';
import { ForecastConditions } from './forecast-conditions.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const OTHER = 'cd'.repeat(32);
/** The sensor measures a distance in millimetres, which grows until the tank is empty at 500 mm. */
const TANK = { waterLevel: { tank: { empty: 500, full: 100 } } } satisfies DeviceNotes['units'];

let node: EngineUnderRules;
let forecasts: ForecastConditions;
let isClockUnset: boolean;
/** The mean of each field in an hour before now; null if there is none. */
let means: (hoursAgo: number, device: string) => Partial<Record<FieldName, number | null>>;
let asked: [string, Span, number][];
beforeEach(async () => {
  node = new EngineUnderRules();
  [isClockUnset, asked, means] = [false, [], () => ({})];
  const { rules, firings, devices, clock } = node;
  forecasts = new ForecastConditions({ rules, firings, devices, clock, isClockUnset: () => isClockUnset });
  await node.know([knownDevice({ units: TANK })]);
});

const stores = {
  sums: async (id: string, span: Span, step: number) => {
    asked.push([id, span, step]);
    const now = node.clock.now();
    return Array.from({ length: 72 }, (_, index) => {
      const values = means(71 - index, id);
      const fields = perFieldName((name) => ({ count: 1, sealed: 0, min: 0, max: 0, mean: values[name] ?? null }));
      return { time: now - (71 - index) * HOUR, readings: 1, fields };
    });
  },
} as unknown as StoresView;

const look = () => forecasts.look(stores);
const live = () => node.live.map(({ kind, field, value }) => [kind, field, Number(value!.toFixed(3))]);
/** The level that changes by so many millimetres a day and is `last` now. */
const level = (last: number, perDay = 72) => {
  means = (hoursAgo) => ({ waterLevel: last - (perDay * hoursAgo) / 24 });
};
/** Returns the least days until a distance is reached at a rate, which is not sure by 15 %. */
const least = (way: number, perDay = 72) => way / (perDay * 1.15);
const restore = (kind: 'emptySoon' | 'leavesSoon', field: FieldName, device = DEVICE) =>
  node.firings.restore([{ alert: someAlert({ kind, rule: kind, field, device }), toldAt: null }]);

it('forecasts are made every quarter of an hour', async () => {
  expect(forecasts.isDue).toBe(true);
  await look();
  expect(forecasts.isDue).toBe(false);
  await node.pass(15 * MINUTE - 1);
  expect(forecasts.isDue).toBe(false);
  await node.pass(1);
  expect(forecasts.isDue).toBe(true);
});

it('they are made of the hourly means of the last three days', async () => {
  await look();
  const span = { axis: 'timestamp', from: BigInt(AT - 3 * DAY), to: BigInt(AT) };
  expect(asked).toEqual([[DEVICE, span, HOUR]]);
  node.clock.set(DAY);
  await look();
  expect(asked[1]![1].from).toBe(0n);
});

describe('a tank', () => {
  it('that is empty within the days of the rule raises an alert', async () => {
    const way = 2 * 72 * 1.15;
    level(500 - way - 0.1);
    expect([await look(), live()]).toEqual([false, []]);
    level(500 - way + 0.1);
    expect(await look()).toBe(true);
    const [{ id, value }] = node.live as [Alert];
    expect(value).toBeCloseTo(least(way - 0.1), 9);
    expect(node.live).toEqual([
      {
        ...someAlert({ id, kind: 'emptySoon', rule: 'emptySoon', name: '', field: 'waterLevel', since: AT }),
        ...{ side: null, limit: 2, value, extreme: value },
      },
    ]);
  });

  it('has the newest forecast, until that is a quarter longer than the days of the rule', async () => {
    level(400);
    await look();
    level(500 - 2.5 * 72 * 1.15 + 0.1);
    expect([await look(), live()]).toEqual([false, [['emptySoon', 'waterLevel', 2.499]]]);
    level(500 - 2.5 * 72 * 1.15 - 0.1);
    await node.pass(5);
    expect([await look(), live(), node.ended()]).toEqual([true, [], [['emptySoon back', 5]]]);
  });

  const falling = { waterLevel: { tank: { empty: 100, full: 500 } } };
  it.each<[string, DeviceNotes['units'], number, boolean]>([
    ['at its distance', TANK, 500, true],
    ['beyond its distance', TANK, 501, true],
    ['just before its distance', TANK, 499, false],
    ['at its height', falling, 100, true],
    ['below its height', falling, 99, true],
    ['just above its height', falling, 101, false],
    ['in the unit that the device sends', { waterLevel: { ...TANK.waterLevel, sent: 'centimetre' } }, 50, true],
    [
      'not yet in the unit that the device sends',
      { waterLevel: { ...TANK.waterLevel, sent: 'centimetre' } },
      49,
      false,
    ],
  ])('is empty %s', async (_name, units, last, isEmpty) => {
    await node.know([knownDevice({ units })]);
    level(last, 0);
    expect(await look()).toBe(isEmpty);
    expect(node.live.map(({ value }) => value)).toEqual(isEmpty ? [0] : []);
  });

  it('whose values fall is empty when they are low', async () => {
    await node.know([knownDevice({ units: falling })]);
    level(200, -72);
    expect([await look(), live()]).toEqual([true, [['emptySoon', 'waterLevel', Number(least(100).toFixed(3))]]]);
  });

  it('that does not change is not empty soon, which ends an alert', async () => {
    restore('emptySoon', 'waterLevel');
    level(400, 0);
    expect([await look(), node.ended()]).toEqual([true, [['emptySoon back', 0]]]);
  });

  it('without enough data has no forecast, which ends an alert', async () => {
    restore('emptySoon', 'waterLevel');
    means = (hoursAgo) => ({ waterLevel: hoursAgo < 5 ? 400 - 3 * hoursAgo : null });
    expect([await look(), node.live]).toEqual([true, []]);
  });

  it.each([
    [3, 0, true],
    [3, 1, false],
  ])('that was silent for %d hours and %d ms is judged up to three hours', async (hours, ms, isJudged) => {
    restore('emptySoon', 'waterLevel');
    means = (hoursAgo) => ({ waterLevel: hoursAgo < hours ? null : 100 });
    const shifted = {
      sums: async (...args: Parameters<StoresView['sums']>) =>
        (await stores.sums(...args)).map((step) => ({ ...step, time: step.time - ms })),
    } as unknown as StoresView;
    expect([await forecasts.look(shifted), node.live.length]).toEqual([isJudged, isJudged ? 0 : 1]);
  });

  it.each<[string, DeviceNotes['units']]>([
    ['has a label in place of a unit', { waterLevel: { label: 'marks' } }],
    ['has no size', { waterLevel: { sent: 'centimetre' } }],
    ['is not known', {}],
  ])('that %s is not looked at', async (_name, units) => {
    await node.know([knownDevice({ units })]);
    restore('emptySoon', 'waterLevel');
    expect([await look(), asked, node.live.length]).toEqual([false, [], 1]);
  });

  it('that the owner removed ends its alert, if the field has a range', async () => {
    await node.know([knownDevice()]);
    node.rule({ field: 'waterLevel', low: null, high: 900 });
    restore('emptySoon', 'waterLevel');
    level(499);
    expect([await look(), node.live]).toEqual([true, []]);
  });

  it('has a forecast of corrected values', async () => {
    const correction = { field: 'waterLevel', from: 0, slope: 1, offset: 100 } as const;
    await node.know([{ ...knownDevice({ units: TANK }), corrections: [correction] }]);
    level(400, 0);
    expect(await look()).toBe(true);
  });
});

describe('a value in its range', () => {
  beforeEach(async () => {
    await node.know([knownDevice()]);
    node.change('leavesSoon', { isOn: true });
    means = (hoursAgo) => ({ ph: 6 - hoursAgo / 24 });
  });
  const days = (way: number) => Number(least(way, 1).toFixed(3));

  it('is reported when it leaves the first of its ranges', async () => {
    for (const high of [9, 7, 8]) node.rule({ low: null, high });
    node.rule({ low: null, high: 6.2, isOn: false });
    node.rule({ low: null, high: 6.2, field: 'ec' });
    node.rule({ low: null, high: 6.2, scope: { kind: 'device', device: OTHER } });
    expect([await look(), live()]).toEqual([true, [['leavesSoon', 'ph', days(1)]]]);
    expect(node.live).toMatchObject([{ limit: 1, side: null }]);
    means = () => ({ ph: 6 });
    expect([await look(), node.ended()]).toEqual([true, [['leavesSoon back', 0]]]);
  });

  it('is not reported when it leaves later than the rule says, or if that rule is off', async () => {
    node.rule({ low: null, high: 6 + 1.16 });
    expect(await look()).toBe(false);
    node.rule({ low: null, high: 6 + 1.14 });
    node.change('leavesSoon', { isOn: false });
    expect(await look()).toBe(false);
    node.change('leavesSoon', { isOn: true });
    expect(await look()).toBe(true);
  });

  it('has its range in the unit that the device sends', async () => {
    await node.know([knownDevice({ units: { tempAmbient: { sent: 'fahrenheit' } } })]);
    node.rule({ field: 'tempAmbient', low: null, high: 30 });
    means = (hoursAgo) => ({ tempAmbient: 85 - hoursAgo / 24 });
    expect([await look(), live()]).toEqual([true, [['leavesSoon', 'tempAmbient', days(1)]]]);
  });
});

describe('forecasts of a device', () => {
  beforeEach(() => {
    level(500);
    restore('leavesSoon', 'ph');
  });

  it.each<[string, KnownDevice]>([
    ['is not the owner’s', knownDevice({ units: TANK, mine: null }, { store: 'public' })],
    ['is not active', knownDevice({ units: TANK, status: 1 })],
  ])('that %s are not made', async (_name, device) => {
    await node.know([device]);
    node.change('leavesSoon', { isOn: true });
    expect([await look(), asked]).toEqual([false, []]);
  });

  it('whose clock is not set are not made', async () => {
    isClockUnset = true;
    node.change('leavesSoon', { isOn: true });
    expect([await look(), asked, node.live.length]).toEqual([false, [], 1]);
  });

  it('end with a rule that is off, and only its own', async () => {
    await node.pass(7);
    restore('emptySoon', 'ph');
    node.change('leavesSoon', { isOn: true });
    node.change('emptySoon', { isOn: false });
    expect([await look(), node.ended()]).toEqual([true, [['emptySoon rule_off', 7]]]);
    expect(asked).toHaveLength(1);
    node.change('leavesSoon', { isOn: false });
    expect([await look(), node.ended()]).toEqual([true, [['leavesSoon rule_off', 7]]]);
    expect([await look(), asked.length]).toEqual([false, 1]);
  });

  it('bring news if any of several devices has some', async () => {
    await node.know([knownDevice({ units: TANK }), knownDevice({ units: TANK }, { id: OTHER })]);
    node.change('leavesSoon', { isOn: true });
    means = (_, device) => ({ waterLevel: device === DEVICE ? 500 : 100 });
    expect([await look(), asked.map(([id]) => id)]).toEqual([true, [DEVICE, OTHER]]);
    expect(live()).toContainEqual(['emptySoon', 'waterLevel', 0]);
  });
});

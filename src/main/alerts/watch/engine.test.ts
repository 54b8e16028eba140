import { beforeEach, describe, expect, it } from 'vitest';
import { AT, DEVICE, someAlert } from '../../../../test/support/alert-notices.ts';
import { EngineUnderRules } from '../../../../test/support/engine-under-rules.ts';
import { knownDevice } from '../../../../test/support/rules-under-test.ts';
import type { StoredReading } from '../../common/node-events.ts';
import type { KnownDevice, StoresView } from '../../store/stores-view.ts';
import { seenValues } from './engine.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const OTHER = 'cd'.repeat(32);
const TANK = knownDevice();
const SECOND_TANK = knownDevice({}, { id: OTHER });

let node: EngineUnderRules;
beforeEach(() => {
  node = new EngineUnderRules();
});

const take = (values: StoredReading['values'], change?: Partial<StoredReading>) =>
  node.engine.take([node.reading(values, change)]);
const watch = (id = DEVICE) => node.engine.watchOf(id)!;
/** Makes these the known devices, and follows. */
async function follow(...devices: readonly KnownDevice[]): Promise<boolean> {
  await node.know(devices);
  return node.engine.follow();
}
/** Begins a pending alert of a rule that waits ten minutes. */
async function pend(): Promise<void> {
  node.rule({ forMinutes: 10 });
  await follow(TANK);
  take({ ph: 5 });
}

describe('the values that the owner sees', () => {
  const values = { ph: 5, tempAmbient: 25, humidity: 65 };
  const none = { corrections: [], units: {}, leafOffset: null };

  it('are those of the reading, and the derived ones that are asked for and known', () => {
    expect(seenValues({ values }, AT, none, [])).toEqual(values);
    expect(seenValues({ values }, AT, none, ['vpd', 'vpdLeaf'])).toEqual({ ...values, vpd: expect.closeTo(1.109, 2) });
    expect(Object.keys(seenValues({ values }, AT, { ...none, leafOffset: -2 }, ['vpdLeaf']))).toContain('vpdLeaf');
    expect(seenValues({ values: { ph: 5 } }, AT, none, ['vpd'])).toEqual({ ph: 5 });
  });

  it('are corrected from the time of a calibration on', () => {
    const seen = { ...none, corrections: [{ field: 'ph', from: AT, slope: 1, offset: 1 } as const] };
    expect(seenValues({ values }, AT, seen, [])).toEqual({ ...values, ph: 6 });
    expect(seenValues({ values }, AT - 1, seen, [])).toEqual(values);
    const warmer = { ...none, corrections: [{ field: 'tempAmbient', from: 0, slope: 1, offset: 5 } as const] };
    expect(seenValues({ values }, AT, warmer, ['vpd'])).toMatchObject({ vpd: expect.closeTo(1.485, 2) });
  });
});

describe('a device', () => {
  it('is watched while it is known', async () => {
    await node.know([TANK]);
    expect(node.engine.watchOf(DEVICE)).toBe(null);
    node.engine.admit();
    const first = watch();
    node.engine.admit();
    expect([watch(), first]).toEqual([first, expect.anything()]);
    await follow();
    expect(node.engine.watchOf(DEVICE)).toBe(null);
  });

  it('has its newest notes and corrections', async () => {
    node.rule();
    await follow(TANK);
    await follow({ ...TANK, corrections: [{ field: 'ph', from: 0, slope: 1, offset: 1 }] });
    expect([take({ ph: 6 }), node.live.map(({ side }) => side)]).toEqual([true, ['high']]);
  });

  it('is kept with the times of its values', async () => {
    await follow(TANK, SECOND_TANK);
    take({ ph: 6, ec: 1 }, { timestamp: String(AT - 7) });
    await node.pass(5);
    take({ ph: 6 });
    expect(node.engine.kept).toEqual([
      { id: DEVICE, newestAt: AT + 5, lastReceivedAt: AT + 5, fields: { ph: AT + 5, ec: AT } },
      { id: OTHER, newestAt: null, lastReceivedAt: null, fields: {} },
    ]);
  });

  it('waits as long as the slowest of its rules that are on', async () => {
    node.rule({ forMinutes: 3 });
    node.rule({ forMinutes: 5 });
    node.rule({ forMinutes: 7, isOn: false });
    node.rule({ forMinutes: 9, scope: { kind: 'device', device: OTHER } });
    await node.know([TANK]);
    expect([node.engine.longestWait(DEVICE), node.engine.longestWait(OTHER)]).toEqual([5 * MINUTE, 0]);
  });
});

describe('readings', () => {
  it('fire and end the alerts of their device, and of no other', async () => {
    const rule = node.rule();
    await follow(TANK, SECOND_TANK);
    expect(take({ ph: 6 })).toBe(false);
    expect(node.engine.take([node.reading({ ph: 5 }), node.reading({ ph: 6 }, { deviceId: OTHER })])).toBe(true);
    expect(node.live).toMatchObject([{ rule: rule.id, device: DEVICE, value: 5 }]);
    expect([take({ ph: 6 }), node.live]).toEqual([true, []]);
  });

  it('of unknown devices are handed over', () => {
    const unknown: StoredReading[] = [];
    const readings = [node.reading({ ph: 5 }), node.reading({ ph: 6 })];
    expect(node.engine.take(readings, (reading) => void unknown.push(reading))).toBe(false);
    expect(unknown).toEqual(readings);
    expect(node.engine.take(readings)).toBe(false);
  });

  it('were heard now, or when the caller says', async () => {
    await follow(TANK);
    await node.pass(MINUTE);
    take({ ph: 6 });
    expect(watch().heardAt).toBe(MINUTE);
    node.engine.take([node.reading({ ph: 6 })], undefined, () => 7);
    expect(watch().heardAt).toBe(7);
  });

  it('have the derived values that rules are about', async () => {
    node.rule({ field: 'vpdLeaf', low: null, high: 0.5, margin: 0 });
    node.leafOffsets.set(DEVICE, 0);
    await follow(TANK);
    expect(take({ tempAmbient: 25, humidity: 65 })).toBe(true);
  });

  it('are compared with limits in the unit that the device sends', async () => {
    node.rule({ field: 'tempAmbient', low: null, high: 30, margin: 0 });
    await follow(knownDevice({ units: { tempAmbient: { sent: 'fahrenheit' } } }));
    expect([take({ tempAmbient: 85 }), take({ tempAmbient: 87 })]).toEqual([false, true]);
  });

  it('end a silence at once, but look for nothing new', async () => {
    node.change('silent', { threshold: 10 });
    await follow(TANK);
    take({ ph: 6 });
    await node.pass(11 * MINUTE);
    expect([node.engine.look(), node.live.map(({ kind }) => kind)]).toEqual([true, ['silent']]);
    expect([take({ ph: 6 }), node.live]).toEqual([true, []]);
    watch().isClockUnset = true;
    node.engine.look();
    await node.pass(10 * MINUTE);
    take({ ph: 6 }, { timestamp: '5' });
    watch().isClockUnset = true;
    expect([take({ ph: 6 }, { timestamp: '6', seq: '1' }), node.live]).toEqual([false, []]);
    expect([node.engine.look(), node.live.map(({ kind }) => kind)]).toEqual([true, ['clockNotSet']]);
  });

  it('that arrive long before the one before them drop what is pending', async () => {
    await pend();
    take({ ph: 6 }, { receivedAt: AT - 31 * SECOND, timestamp: String(AT - 31 * SECOND) });
    expect([node.live, node.heard()]).toEqual([[], []]);
  });

  it('update the values of live alerts when these are settled', async () => {
    await pend();
    await node.pass(MINUTE);
    take({ ph: 4 });
    expect(node.live).toMatchObject([{ value: 5, extreme: 5 }]);
    node.engine.settle();
    expect(node.live).toMatchObject([{ since: AT, value: 4, extreme: 4 }]);
  });
});

describe('a look', () => {
  it('at all devices finds each that is silent', async () => {
    node.change('silent', { threshold: 10 });
    await follow(TANK, SECOND_TANK);
    take({ ph: 6 });
    await node.pass(MINUTE);
    take({ ph: 6 }, { deviceId: OTHER });
    await node.pass(9 * MINUTE + 1);
    expect([node.engine.look(), node.engine.look()]).toEqual([true, false]);
    await node.pass(MINUTE);
    expect(node.engine.look()).toBe(true);
    expect(node.live.map(({ device }) => device)).toEqual([DEVICE, OTHER]);
  });

  const onLook = () => node.engine.look();
  const onReading = () => node.engine.take([]);
  it.each([
    ['forward by more than two seconds, at a look', 2001, onLook, true],
    ['back by more than two seconds, at a reading', -2001, onReading, true],
    ['forward by two seconds', 2000, onReading, false],
    ['back by two seconds', -2000, onLook, false],
  ])('at a clock that was set %s', async (_name, by, notice, isSet) => {
    await pend();
    watch().isClockUnset = true;
    node.clock.set(AT + by);
    expect(notice()).toBe(false);
    expect(node.live).toHaveLength(isSet ? 0 : 1);
    expect(watch().newestAt).toBe(isSet ? Number.NEGATIVE_INFINITY : AT);
  });

  it('at clocks that drift apart slowly finds none that was set', async () => {
    await pend();
    watch().isClockUnset = true;
    for (const by of [2000, 4000]) {
      node.clock.set(AT + by);
      node.engine.look();
    }
    expect(node.live).toHaveLength(1);
  });

  it('at a clock that was set leaves devices whose own clock is set', async () => {
    await pend();
    node.clock.set(AT + MINUTE);
    node.engine.look();
    expect([node.live.length, watch().newestAt]).toEqual([1, AT]);
  });
});

it('a corrected span of the clock moves the arrivals of all devices', async () => {
  await follow(TANK, SECOND_TANK);
  take({ ph: 6 });
  take({ ph: 6 }, { deviceId: OTHER });
  node.engine.move({ by: 500, from: AT, to: AT });
  expect([watch().lastReceivedAt, watch(OTHER).lastReceivedAt]).toEqual([AT + 500, AT + 500]);
});

describe('the states of the rules', () => {
  it('have the number of their devices, and those whose values are sealed', async () => {
    const all = node.rule({ field: 'vpd', low: null, high: 9 });
    const one = node.rule({ scope: { kind: 'device', device: OTHER } });
    await follow(TANK, SECOND_TANK);
    take({ ph: 6 }, { sealed: ['humidity'] });
    take({ ph: 6 }, { deviceId: OTHER, sealed: ['ec'] });
    expect(node.engine.ruleStates()).toEqual([
      { rule: all, devices: 2, sealedOn: [DEVICE] },
      { rule: one, devices: 1, sealedOn: [] },
      ...node.rules.builtIns.map((rule) => ({ rule, devices: 2, sealedOn: [] })),
    ]);
  });
});

describe('what is no longer watched', () => {
  const alertOf = (change: Parameters<typeof someAlert>[0]) => ({ alert: someAlert(change), toldAt: null });
  /** Reads the device again, as the stores have it now. */
  const reload = (now: KnownDevice | null) =>
    node.devices.reload({ device: async () => now } as unknown as StoresView, [DEVICE], new Set());
  const silent = { kind: 'silent', rule: 'silent', field: null } as const;
  const knocking = { kind: 'knocking', rule: 'knocking', field: null } as const;

  beforeEach(async () => {
    await follow(TANK);
    node.firings.restore([alertOf(silent), alertOf({ ...knocking })]);
  });

  it('has ended alerts, except those of knocks, when the device was deleted', async () => {
    await reload(null);
    expect([node.engine.follow(), node.engine.follow()]).toEqual([true, false]);
    expect(node.ended()).toEqual([['silent forgotten', 0]]);
  });

  it('has ended alerts, also of knocks, when the device was hidden', async () => {
    await reload(knownDevice({ isHidden: true }));
    expect(node.engine.follow()).toBe(true);
    expect(node.ended()).toEqual([
      ['silent hidden', 0],
      ['knocking hidden', 0],
    ]);
  });

  it('keeps its alerts while its store is missing, unless the device was just deleted', async () => {
    node.firings.restore([alertOf({ ...silent, device: OTHER })]);
    node.isStoreMissing = true;
    await reload(null);
    expect(node.engine.follow()).toBe(true);
    expect(node.live.map(({ kind, device }) => [kind, device])).toEqual([
      ['knocking', DEVICE],
      ['silent', OTHER],
    ]);
    node.isStoreMissing = false;
    node.engine.follow();
    expect(node.live.map(({ kind }) => kind)).toEqual(['knocking']);
  });

  it('are alerts of rules that are gone, also those about the node', async () => {
    await node.pass(5);
    const rule = node.rule();
    node.firings.restore([alertOf({ rule: rule.id }), alertOf({ rule: rule.id, device: null, field: null })]);
    node.rules.delete(rule.id);
    expect(node.engine.follow()).toBe(true);
    expect(node.ended()).toEqual([
      ['range rule_changed', 5],
      ['range rule_off', 5],
    ]);
  });

  it('are alerts of rules that are off', () => {
    node.change('silent', { isOn: false });
    expect(node.engine.follow()).toBe(true);
    expect(node.ended()).toEqual([['silent rule_off', 0]]);
  });
});

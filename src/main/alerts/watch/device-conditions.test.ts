import { beforeEach, describe, expect, it } from 'vitest';
import { AT, DEVICE } from '../../../../test/support/alert-notices.ts';
import { DeviceUnderRules } from '../../../../test/support/device-under-rules.ts';
import { knownDevice } from '../../../../test/support/rules-under-test.ts';
import type { Alert } from '../../../shared/alerts/alert.ts';
import type { BuiltInKind } from '../../../shared/alerts/built-in.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let node: DeviceUnderRules;
beforeEach(() => {
  node = new DeviceUnderRules();
});

/** Turns the other rules about devices off. */
const only = (kind: BuiltInKind) => {
  for (const each of ['silent', 'fieldSilent', 'clockNotSet'] as const) node.change(each, { isOn: each === kind });
};

describe('a field without values', () => {
  beforeEach(() => {
    only('fieldSilent');
    node.change('fieldSilent', { threshold: 2 });
  });

  it('is silent after the hours of the rule, until a value arrives', async () => {
    node.receive({ ph: 6, ec: 1 });
    await node.pass(2 * HOUR);
    node.receive();
    expect([node.look(), node.live]).toEqual([false, []]);
    await node.pass(1);
    expect(node.look()).toBe(true);
    const [{ id }] = node.live as [Alert];
    expect(node.live).toEqual([
      {
        ...node.alertOf('fieldSilent', { id, since: AT, firedAt: AT + 2 * HOUR + 1, limit: 2 }),
        ...{ device: DEVICE, field: 'ec', store: null, state: 'firing', severity: 'warning' },
      },
    ]);
    expect(node.look()).toBe(false);
    node.receive({ ph: 6, ec: 1 });
    await node.pass(5);
    expect([node.look(), node.ended()]).toEqual([true, [['fieldSilent back', 2 * HOUR + 1]]]);
  });

  it('raises no alert while the whole device is silent for as long, which ends none', async () => {
    node.receive({ ph: 6, ec: 1 });
    await node.pass(1);
    node.receive();
    await node.pass(2 * HOUR);
    expect([node.look(), node.kinds]).toEqual([true, ['fieldSilent ec']]);
    await node.pass(1);
    expect([node.look(), node.kinds]).toEqual([false, ['fieldSilent ec']]);
  });

  it('from before a start is silent until a value arrives or the node has waited', async () => {
    await node.pass(7 * HOUR);
    node.restart();
    node.restore('fieldSilent', { field: 'ec', since: AT });
    node.restore('fieldSilent', { field: 'ph', since: AT });
    node.receive({ ph: 6, ec: 1 }, AT);
    expect([node.look(), node.kinds]).toEqual([false, ['fieldSilent ec', 'fieldSilent ph']]);
    node.receive({ ph: 6 }, AT + 1);
    expect([node.look(), node.kinds]).toEqual([true, ['fieldSilent ec']]);
    await node.pass(2 * MINUTE - 1);
    expect(node.look()).toBe(false);
    await node.pass(1);
    expect([node.look(), node.kinds]).toEqual([true, []]);
    expect(node.ended()).toEqual([
      ['fieldSilent back', 1],
      ['fieldSilent back', 0],
    ]);
  });

  it('whose alert is not from before the start ends when the owner allows a longer time', async () => {
    node.receive({ ph: 6, ec: 1 });
    await node.pass(2 * HOUR + 1);
    node.receive();
    expect([node.look(), node.kinds]).toEqual([true, ['fieldSilent ec']]);
    node.restart();
    node.change('fieldSilent', { threshold: 3 });
    expect([node.look(), node.kinds]).toEqual([true, []]);
  });

  it('has been silent since its value by the steady clock if that is in the future', async () => {
    node.receive({ ph: 6, ec: 1 });
    node.clock.set(AT - 3 * HOUR);
    await node.pass(2 * HOUR + 1);
    node.receive();
    node.look();
    expect(node.live).toMatchObject([{ field: 'ec', since: AT - 3 * HOUR }]);
  });
});

describe('a clock that is not set', () => {
  beforeEach(() => only('clockNotSet'));

  it('raises an alert after ten minutes, which ends with the first reading of a set clock', async () => {
    node.receive();
    node.watch.isClockUnset = true;
    await node.pass(7);
    expect(node.look()).toBe(false);
    await node.pass(10 * MINUTE - 1);
    expect([node.look(), node.live]).toEqual([false, []]);
    await node.pass(1);
    expect(node.look()).toBe(true);
    const [{ id }] = node.live as [Alert];
    expect(node.live).toEqual([
      {
        ...node.alertOf('clockNotSet', { id, since: AT + 7, firedAt: AT + 7 + 10 * MINUTE, limit: null }),
        ...{ device: DEVICE, store: null, state: 'firing', severity: 'warning' },
      },
    ]);
    expect(node.look()).toBe(false);
    node.receive();
    await node.pass(5);
    expect([node.look(), node.ended()]).toEqual([true, [['clockNotSet back', 7 + 10 * MINUTE]]]);
  });

  it.each([
    ['was set meanwhile', () => node.receive()],
    ['is of a device that was forgotten', () => node.conditions.forget(DEVICE)],
  ])('counts its time from the start again if it %s', async (_name, interrupt) => {
    node.watch.isClockUnset = true;
    node.look();
    await node.pass(9 * MINUTE);
    interrupt();
    node.look();
    node.watch.isClockUnset = true;
    node.look();
    await node.pass(10 * MINUTE - 1);
    expect(node.look()).toBe(false);
    await node.pass(1);
    expect(node.look()).toBe(true);
  });

  it('ends its alert now if no reading is known', async () => {
    node.restore('clockNotSet', { since: AT });
    await node.pass(3);
    expect([node.look(), node.ended()]).toEqual([true, [['clockNotSet back', 3]]]);
  });
});

describe('the alerts of a device', () => {
  const OTHER = 'cd'.repeat(32);
  beforeEach(async () => {
    for (const kind of ['silent', 'clockNotSet', 'knocking'] as const) node.restore(kind, { since: AT });
    node.restore('silent', { since: AT, device: OTHER });
    await node.pass(HOUR);
  });
  const rest = ['knocking', `silent ${OTHER.slice(0, 2)}`];
  const left = () => node.live.map(({ kind, device }) => (device === OTHER ? `${kind} cd` : kind));

  it.each([
    ['is not the owner’s', knownDevice({ mine: null }, { store: 'public' })],
    ['is not active', knownDevice({ status: 1 })],
  ])('end if it %s, all but those of other rules and devices', (_name, device) => {
    expect([node.look(device), left()]).toEqual([true, rest]);
    expect(node.ended()).toEqual([
      ['silent rule_off', HOUR],
      ['clockNotSet rule_off', HOUR],
    ]);
    expect(node.look(device)).toBe(false);
  });

  it('end with a rule that is off, and no others', () => {
    node.watch.isClockUnset = true;
    node.change('silent', { isOn: false });
    expect([node.look(), left()]).toEqual([true, ['clockNotSet', ...rest]]);
    expect(node.ended()).toEqual([['silent rule_off', HOUR]]);
  });

  it('of a device that only the public store has stay if the owner confirmed it', () => {
    node.watch.isClockUnset = true;
    const device = knownDevice({ mine: true }, { store: 'public' });
    expect([node.look(device), left()]).toEqual([false, ['silent', 'clockNotSet', ...rest]]);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { AT, DEVICE } from '../../../../test/support/alert-notices.ts';
import { DeviceUnderRules } from '../../../../test/support/device-under-rules.ts';
import { knownDevice } from '../../../../test/support/rules-under-test.ts';
import type { Alert } from '../../../shared/alerts/alert.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let node: DeviceUnderRules;
beforeEach(() => {
  node = new DeviceUnderRules();
});

describe('a device that sends nothing', () => {
  it('is silent after the time of the rule, until a reading arrives', async () => {
    node.change('silent', { threshold: 10 });
    node.receive();
    await node.pass(10 * MINUTE);
    expect([node.look(), node.live]).toEqual([false, []]);
    await node.pass(1);
    expect(node.look()).toBe(true);
    const [{ id }] = node.live as [Alert];
    expect(node.live).toEqual([
      {
        ...node.alertOf('silent', { id, since: AT, firedAt: AT + 10 * MINUTE + 1, limit: 10 }),
        ...{ device: DEVICE, store: null, state: 'firing', severity: 'warning' },
      },
    ]);
    expect([node.look(), node.heard()]).toEqual([false, ['fired silent']]);
    node.receive();
    await node.pass(5);
    expect([node.look(), node.look()]).toEqual([true, false]);
    expect(node.ended()).toEqual([['silent back', 10 * MINUTE + 1]]);
  });

  it.each([
    ['its own time', 5 * MINUTE, 10, 5 * MINUTE],
    ['the time of the rule', null, 10, 10 * MINUTE],
    ['three minutes if its interval is not known', null, null, 3 * MINUTE],
  ])('is silent after %s', async (_name, silentAfterMs, threshold, allowed) => {
    node.change('silent', { threshold });
    node.receive();
    await node.pass(allowed);
    expect(node.look(knownDevice({ silentAfterMs }))).toBe(false);
    await node.pass(1);
    expect(node.look(knownDevice({ silentAfterMs }))).toBe(true);
    expect(node.live).toMatchObject([{ limit: allowed / MINUTE }]);
  });

  it('is silent after three times its usual interval', async () => {
    for (let round = 0; round < 5; round += 1) {
      node.receive();
      await node.pass(round === 4 ? 6 * MINUTE : 2 * MINUTE);
    }
    expect(node.look()).toBe(false);
    await node.pass(1);
    expect(node.look()).toBe(true);
  });

  it.each([
    ['two minutes', 30, 2 * MINUTE],
    ['the time of a rule with less', 1, MINUTE],
  ])('from before a start is not silent for %s', async (_name, threshold, grace) => {
    node.change('silent', { threshold });
    await node.pass(7 * HOUR);
    node.restart();
    node.receive({ ph: 6 }, AT, 0);
    await node.pass(grace - 1);
    expect(node.look()).toBe(false);
    await node.pass(1);
    expect(node.look()).toBe(true);
    expect(node.live).toMatchObject([{ since: AT }]);
  });

  it('and never sent anything is not silent', async () => {
    await node.pass(HOUR);
    expect([node.look(), node.live]).toEqual([false, []]);
  });

  it('has been silent since its last reading by the steady clock if that is in the future', async () => {
    node.change('silent', { threshold: 10 });
    await node.pass(5);
    node.receive();
    node.clock.set(AT - HOUR);
    await node.pass(11 * MINUTE);
    node.look();
    expect(node.live).toMatchObject([{ since: AT - HOUR }]);
  });

  it('has been silent since its last reading if that is now', async () => {
    node.change('silent', { threshold: 10 });
    node.receive();
    await node.pass(11 * MINUTE);
    node.clock.set(AT);
    node.look();
    expect(node.live).toMatchObject([{ since: AT }]);
  });

  it('is not silent any more if the owner allows a longer time', async () => {
    node.change('silent', { threshold: 1 });
    node.receive();
    await node.pass(MINUTE + 1);
    expect(node.look()).toBe(true);
    // This time is within two minutes of the start, but the alert is not from before it.
    node.change('silent', { threshold: 60 });
    expect([node.look(), node.look()]).toEqual([true, false]);
    expect(node.ended()).toEqual([['silent rule_changed', MINUTE + 1]]);
  });
});

describe('a silence from before a start', () => {
  beforeEach(async () => {
    node.change('silent', { threshold: 10 });
    await node.pass(HOUR);
    node.restart();
  });

  it('continues while the node waits, and after it', async () => {
    node.restore('silent', { since: AT });
    node.receive({ ph: 6 }, AT, 0);
    expect([node.look(), node.kinds]).toEqual([false, ['silent']]);
    await node.pass(2 * MINUTE);
    expect([node.look(), node.kinds]).toEqual([false, ['silent']]);
    expect(node.heard()).toEqual([]);
  });

  it('ends after the wait if the node was not there for as long', async () => {
    node.restore('silent', { since: AT });
    node.receive({ ph: 6 }, AT);
    await node.pass(2 * MINUTE - 1);
    expect([node.look(), node.kinds]).toEqual([false, ['silent']]);
    await node.pass(1);
    expect([node.look(), node.ended()]).toEqual([true, [['silent rule_changed', HOUR + 2 * MINUTE]]]);
  });

  it('ends at once with a newer reading', () => {
    node.restore('silent', { since: AT });
    node.receive({ ph: 6 }, AT + 1);
    expect([node.look(), node.ended()]).toEqual([true, [['silent back', 1]]]);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { DEVICE, someAlert } from '../../../../test/support/alert-notices.ts';
import { NodeUnderRules, STRANGER, UNKNOWN } from '../../../../test/support/node-under-rules.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import type { RefusedBlock } from '../../common/node-events.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let node: NodeUnderRules;
beforeEach(() => {
  node = new NodeUnderRules();
});

describe('refused blocks', () => {
  const block = (cause: RefusedBlock['cause'] = 'invalid_signature', deviceId = DEVICE) => ({ deviceId, cause });
  const refuse = (store: StoreName, count: number, each = block()) => {
    node.events.emit('refused', () => ({ store, blocks: new Array(count).fill(each) }));
    return node.story();
  };

  it('of a store raise an alert at as many within an hour as its rule says, until half of them are left', async () => {
    node.change('rejected', { threshold: 10 });
    expect(refuse('private', 5)).toEqual([[], false]);
    await node.pass(MINUTE);
    expect(refuse('private', 4)).toEqual([[], false]);
    expect(refuse('public', 9)).toEqual([[], false]);
    await node.pass(58 * MINUTE);
    expect(refuse('private', 1)).toEqual([['rejected private 10'], true]);
    expect(node.live).toEqual([node.alertOf('rejected', { store: 'private', value: 10, limit: 10 })]);
    expect(await node.look()).toBe(false);
    // Five are left in the last 60 minutes.
    await node.pass(MINUTE);
    expect(await node.look()).toBe(false);
    await node.pass(MINUTE);
    expect([await node.look(), node.story()]).toEqual([true, [[], false]]);
    expect(node.ended()).toEqual([['rejected back', 61 * MINUTE]]);
  });

  it('count in their minute, and again in a later one', async () => {
    node.change('rejected', { threshold: 4 });
    refuse('private', 1);
    expect(refuse('private', 2)).toEqual([[], false]);
    await node.pass(60 * MINUTE);
    await node.look();
    expect(refuse('private', 3)).toEqual([[], false]);
    expect(refuse('private', 1)).toEqual([['rejected private 4'], true]);
  });

  it.each<[string, StoreName, RefusedBlock, boolean]>([
    ['of the owner’s device at the public endpoint count', 'public', block(), true],
    ['of no block at the public endpoint do not count', 'public', block('invalid_block'), false],
    ['of a stranger do not count', 'public', block('invalid_signature', STRANGER), false],
    ['of an unknown device do not count', 'public', block('invalid_signature', UNKNOWN), false],
    ['of anything at the local endpoint count', 'private', block('invalid_block', ''), true],
    ['of a device that knocks do not count', 'private', block('device_not_found', UNKNOWN), false],
    ['of the owner’s device that knocks do not count', 'public', block('device_not_found'), false],
  ])('%s', (_name, store, each, isCounted) => {
    expect(refuse(store, 100, each)).toEqual(isCounted ? [[`rejected ${store} 100`], true] : [[], false]);
  });

  it('raise no alert if its rule is off', () => {
    node.change('rejected', { isOn: false });
    expect(refuse('private', 100)).toEqual([[], false]);
  });
});

describe('a device that knocks', () => {
  const knock = (deviceId: string, attempts = 3, store: StoreName = 'private') => {
    node.events.emit('knocked', () => ({ store, deviceId, attempts }));
    return node.story();
  };
  const unknown = (number: number) => number.toString(16).padStart(64, '0');

  it('raises an alert at the third try, until it registers', () => {
    expect(knock(UNKNOWN, 2)).toEqual([[], false]);
    expect(knock(UNKNOWN)).toEqual([['knocking ef 3'], true]);
    expect(node.live).toEqual([node.alertOf('knocking', { device: UNKNOWN, value: 3 })]);
    expect(knock(UNKNOWN, 4)).toEqual([['knocking ef 3'], false]);
    node.events.emit('registered', () => ({ store: 'private', deviceId: UNKNOWN }));
    expect(node.story()).toEqual([[], true]);
    node.events.emit('registered', () => ({ store: 'private', deviceId: UNKNOWN }));
    expect(node.story()).toEqual([[], false]);
  });

  it.each([
    ['an unknown one', UNKNOWN, false],
    ['one of a stranger', STRANGER, false],
    ['the owner’s', DEVICE, true],
  ])('at the public endpoint raises one if it is the owner’s: %s', (_name, device, isAlert) => {
    expect(knock(device, 3, 'public')[1]).toBe(isAlert);
  });

  it('is reported for a day after its latest knock', async () => {
    knock(UNKNOWN);
    await node.pass(HOUR);
    knock(UNKNOWN);
    await node.pass(24 * HOUR);
    expect([await node.look(), node.story()[0]]).toEqual([false, ['knocking ef 3']]);
    await node.pass(1);
    expect([await node.look(), node.story()[0]]).toEqual([true, []]);
  });

  it('before a restart is reported for a day after it', async () => {
    const alert = someAlert({ kind: 'knocking', rule: 'knocking', device: UNKNOWN, field: null });
    await node.pass(30 * HOUR);
    node.firings.restore([{ alert, toldAt: null }]);
    expect(await node.look()).toBe(false);
    await node.pass(24 * HOUR);
    expect(await node.look()).toBe(false);
    await node.pass(1);
    expect(await node.look()).toBe(true);
  });

  it('is one of twenty at most', () => {
    for (let number = 1; number < 20; number += 1) knock(unknown(number));
    expect(knock(unknown(20))[0]).toHaveLength(20);
    expect(knock(unknown(21))).toEqual([expect.not.arrayContaining([unknown(21)]), false]);
    expect(node.live.map(({ device }) => device)).not.toContain(unknown(21));
    node.events.emit('registered', () => ({ store: 'private', deviceId: unknown(20) }));
    knock(unknown(21));
    expect(node.live.map(({ device }) => device)).toContain(unknown(21));
    // It knocks again, as a new one.
    knock(unknown(20));
    expect(node.live.map(({ device }) => device)).not.toContain(unknown(20));
  });

  it('is one of twenty beside any other alerts', () => {
    node.events.emit('deviceSaid', () => ({ deviceId: DEVICE, batteryPercent: 1, failedSensors: ['tds'] }));
    for (let number = 1; number <= 20; number += 1) knock(unknown(number));
    expect(node.live.map(({ kind }) => kind)).toEqual([
      'batteryLow',
      'sensorFailed',
      ...new Array(20).fill('knocking'),
    ]);
  });

  it('beside twenty others is still reported with each knock', async () => {
    for (let number = 1; number <= 20; number += 1) knock(unknown(number));
    await node.pass(20 * HOUR);
    knock(unknown(7));
    await node.pass(20 * HOUR);
    await node.look();
    expect(node.live.map(({ device }) => device)).toEqual([unknown(7)]);
  });
});

describe('what a device says', () => {
  const say = (batteryPercent: number | null, failedSensors: readonly string[] = [], deviceId = DEVICE) => {
    node.events.emit('deviceSaid', () => ({ deviceId, batteryPercent, failedSensors }));
    return node.story();
  };

  it('raises an alert below the percentage of the rule, until the battery has five more', () => {
    expect(say(20)).toEqual([[], false]);
    expect(say(19)).toEqual([['batteryLow ab 19'], true]);
    expect(node.live).toEqual([node.alertOf('batteryLow', { device: DEVICE, value: 19, limit: 20 })]);
    expect(say(24)).toEqual([['batteryLow ab 19'], false]);
    expect(say(25)).toEqual([[], true]);
    expect(say(null)).toEqual([[], false]);
  });

  it('raises an alert about failed sensors, until they work', () => {
    expect(say(null, ['tds', 'dht'])).toEqual([['sensorFailed ab 2'], true]);
    expect(node.live).toEqual([node.alertOf('sensorFailed', { device: DEVICE, value: 2 })]);
    expect(say(1, ['tds'])).toEqual([['sensorFailed ab 2', 'batteryLow ab 1'], true]);
    expect(say(90)).toEqual([[], true]);
  });

  it.each([STRANGER, UNKNOWN])('counts only if it is the owner’s: %s', (device) => {
    expect(say(1, ['tds'], device)).toEqual([[], false]);
  });
});

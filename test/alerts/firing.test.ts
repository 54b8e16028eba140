import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Alert } from '../../src/shared/alerts/alert.ts';
import { NO_NOTES } from '../../src/shared/owner-data/notes.ts';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { type AlertsUnderTest, alertsUnderTest, RANGE_RULE } from '../support/alerts.ts';
import { postBlocks, registeredDevice } from '../support/client.ts';
import { startNode, startProcess } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';

const MINUTE = 60_000;
const FOR_10 = { ...RANGE_RULE, forMinutes: 10 };

let node: AlertsUnderTest;
let device: SimulatedDevice;
let seq: number;

/** One node for the tests of the calling `describe`. Each has a device of its own, and the built-in rules. */
function oneNode(startAs = startNode): void {
  beforeAll(async () => {
    node = await alertsUnderTest(startAs);
  });
  beforeEach(async () => {
    device = await registeredDevice(node.local());
    seq = 0;
  });
  afterEach(async () => {
    for (const { rule } of (await call(node.process, 'alertRules', {})).rules)
      if (rule.kind === 'range') await call(node.process, 'deleteAlertRule', { id: rule.id });
    const { devices } = await call(node.process, 'overview', { dayStart: 0 });
    for (const { id } of devices) await call(node.process, 'forgetDevice', { id, store: 'private', confirm: id });
    await expect.poll(live, { timeout: 60_000 }).toEqual([]);
  });
  afterAll(() => node.dispose());
}

/** Posts readings of one pH each, so many minutes ago, the oldest first. */
async function post(...readings: readonly (readonly [ph: number, minutesAgo: number])[]) {
  const now = Date.now();
  const blocks = readings.map(([ph, ago]) => {
    seq += 1;
    return device.block({ seq, timestamp: now - ago * MINUTE, plain: { ph } });
  });
  for (let from = 0; from < blocks.length; from += 100) {
    await postBlocks(node.local(), blocks.slice(from, from + 100));
  }
}
/** One pH each minute up to now. */
const minutes = (count: number, ph: number) =>
  Array.from({ length: count }, (_, index) => [ph, count - 1 - index] as const);

const live = async () => (await call(node.process, 'alerts', {})).alerts;
const states = async () => (await live()).map(({ state }) => state);
const history = async ({ id } = device) =>
  (await call(node.process, 'alertHistory', { device: id, rule: null, before: null, limit: 100 })).alerts;

describe('a range rule', () => {
  oneNode();

  it('fires once within a second after the reading is on disk, and ends with its extreme', async () => {
    const rule = await call(node.process, 'writeAlertRule', { rule: RANGE_RULE });
    await post([6, 2]);
    expect(await live()).toEqual([]);
    await post([5.2, 1]);
    const [fired] = (await live()) as [Alert];
    expect(fired).toMatchObject({
      ...{ rule: rule.id, kind: 'range', name: 'pH', device: device.id, field: 'ph', store: null },
      ...{ severity: 'warning', state: 'firing', side: 'low', limit: 5.5, endedAt: null, ended: null },
    });
    expect(fired.value).toBeCloseTo(5.2);
    await post([5, 0.5], [5.55, 0]);
    expect(await live()).toEqual([{ ...fired, value: expect.closeTo(5.55), extreme: expect.closeTo(5) }]);
    await post([6.2, 0]);
    expect(await live()).toEqual([]);
    expect(await history()).toEqual([
      expect.objectContaining({ id: fired.id, ended: 'back', extreme: expect.closeTo(5), since: fired.since }),
    ]);
    expect((await history())[0]!.endedAt).toBeGreaterThanOrEqual(fired.since);
  });

  it('measures its time by timestamps: ten minutes that arrive at once count as ten minutes', async () => {
    await call(node.process, 'writeAlertRule', { rule: FOR_10 });
    await post(...minutes(10, 5));
    expect(await states()).toEqual(['pending']);
    await post([5, -1]);
    expect(await states()).toEqual(['pending']);
    seq += 100;
    await post(...minutes(2, 6));
    await post(...minutes(12, 5));
    // All but the last are older than one that was right.
    expect(await states()).toEqual(['pending']);
  });

  it('evaluates thousands of readings of a backfill by their timestamps', async () => {
    await call(node.process, 'writeAlertRule', { rule: FOR_10 });
    await post([6, 0]);
    await post(...Array.from({ length: 2500 }, (_, index) => [4, 2530 - index] as const));
    expect(await live()).toEqual([]);
    await post([6, 0]);
    expect([await live(), await history()]).toEqual([[], []]);
  });

  it('that is edited while it fires ends, and fires again with its new limits', async () => {
    const rule = await call(node.process, 'writeAlertRule', { rule: RANGE_RULE });
    await post([5, 0]);
    const [first] = await live();
    await call(node.process, 'writeAlertRule', {
      rule: { ...RANGE_RULE, id: rule.id as string, name: 'Mine', severity: 'critical' },
    });
    expect(await live()).toEqual([{ ...first, name: 'Mine', severity: 'critical' }]);
    await call(node.process, 'writeAlertRule', { rule: { ...RANGE_RULE, id: rule.id as string, low: 5.4 } });
    expect(await history()).toEqual([expect.objectContaining({ id: first!.id, ended: 'rule_changed' })]);
    const [second] = await live();
    expect(second).toMatchObject({ state: 'firing', limit: 5.4 });
    expect(second!.id).not.toBe(first!.id);
    await call(node.process, 'writeAlertRule', {
      rule: { ...RANGE_RULE, id: rule.id as string, low: 5.4, isOn: false },
    });
    expect((await history()).map(({ ended }) => ended)).toEqual(['rule_off', 'rule_changed']);
    await post([5, 0]);
    expect(await live()).toEqual([]);
  });

  it('ends if its device is deleted, or if a group loses it', async () => {
    const group = '4f4b5f7e-9a51-4f0e-8d43-6c7f4c2f6a11';
    const groups = (devices: string[]) => [{ id: group, name: 'Tank', isCollapsed: false, devices }];
    await call(node.process, 'setOwnerChoices', { groups: groups([device.id]) });
    await call(node.process, 'writeAlertRule', { rule: { ...RANGE_RULE, scope: { kind: 'group', group } } });
    await post([5, 0]);
    expect(await states()).toEqual(['firing']);
    await call(node.process, 'setOwnerChoices', { groups: groups([]) });
    await expect
      .poll(() => history(), { timeout: 60_000 })
      .toEqual([expect.objectContaining({ ended: 'rule_changed' })]);
    await post([5, 0]);
    expect(await live()).toEqual([]);
    await call(node.process, 'setOwnerChoices', { groups: groups([device.id]) });
    await expect.poll(() => ruleDevices(group), { timeout: 60_000 }).toBe(1);
    await post([5, 0]);
    expect(await states()).toEqual(['firing']);
    await call(node.process, 'forgetDevice', { id: device.id, store: 'private', confirm: device.id });
    await expect.poll(live, { timeout: 60_000 }).toEqual([]);
    expect((await history()).map(({ ended }) => ended)).toEqual(['forgotten', 'rule_changed']);
  });

  it('names the devices whose field is sealed, and reports nothing about them', async () => {
    await call(node.process, 'writeAlertRule', { rule: { ...RANGE_RULE, low: 100, high: null } });
    const sealed = { ph: { cipher: 'ab'.repeat(20), nonce: 'cd'.repeat(12) } };
    await postBlocks(node.local(), [device.block({ seq: 1, timestamp: Date.now(), plain: { ec: 700 }, sealed })]);
    const { rules } = await call(node.process, 'alertRules', {});
    expect(rules[0]).toMatchObject({ devices: 1, sealedOn: [device.id] });
    expect(await live()).toEqual([]);
  });

  it('is evaluated for readings that were stored while the node did not see them', async () => {
    await call(node.process, 'writeAlertRule', { rule: RANGE_RULE });
    await post([6, 1]);
    await node.process.stop();
    await node.storeBehindItsBack(device, { seq: 50, timestamp: Date.now(), ph: 4 });
    await node.start();
    expect(await live()).toEqual([expect.objectContaining({ state: 'firing', device: device.id, value: 4 })]);
  });

  const ruleDevices = async (group: string) => {
    const { rules } = await call(node.process, 'alertRules', {});
    return rules.find(({ rule }) => rule.kind === 'range' && 'group' in rule.scope && rule.scope.group === group)
      ?.devices;
  };
});

describe('a node that is killed', () => {
  oneNode(startProcess);

  it('continues alerts in every state with the same ids', async () => {
    const at = await call(node.process, 'writeAlertRule', { rule: RANGE_RULE });
    await call(node.process, 'writeAlertRule', { rule: { ...FOR_10, name: 'Slow' } });
    await post([5, 4]);
    const [snoozed, acknowledged, over] = await Promise.all([1, 2, 3].map(() => registeredDevice(node.local())));
    for (const other of [snoozed!, acknowledged!, over!])
      await postBlocks(node.local(), [other.block({ seq: 1, timestamp: Date.now(), plain: { ph: 5 } })]);
    const firing = (await live()).filter(({ rule }) => rule === at.id);
    const of = (alerts: readonly Alert[], { id }: SimulatedDevice) => alerts.find((each) => each.device === id)!;
    const until = Date.now() + 3 * MINUTE;
    await call(node.process, 'snoozeAlert', { id: of(firing, snoozed!).id, until });
    await call(node.process, 'acknowledgeAlert', { id: of(firing, acknowledged!).id });
    await postBlocks(node.local(), [over!.block({ seq: 2, timestamp: Date.now(), plain: { ph: 6 } })]);
    const before = await live();
    expect(before.map(({ state }) => state).sort()).toEqual([
      'acknowledged',
      'firing',
      ...['pending', 'pending', 'pending'],
      'snoozed',
    ]);
    await node.restart();
    const after = await live();
    expect(after).toHaveLength(before.length);
    expect(after).toEqual(expect.arrayContaining(before));
    const fired = after.filter(({ rule }) => rule === at.id);
    expect(of(fired, device)).toEqual(of(firing, device));
    expect(of(fired, snoozed!)).toMatchObject({ state: 'snoozed', snoozedUntil: until });
    expect(of(fired, acknowledged!)).toEqual({ ...of(firing, acknowledged!), state: 'acknowledged' });
    expect(after.find(({ state, device: id }) => state === 'pending' && id === device.id)).toMatchObject({
      name: 'Slow',
      since: of(fired, device).since,
    });
    expect((await history(over!)).map(({ id }) => id)).toEqual([of(firing, over!).id]);
    await post([6, 0]);
    expect((await live()).filter(({ device: id }) => id === device.id)).toEqual([]);
    expect((await history()).map(({ id }) => id)).toEqual([of(firing, device).id]);
  });
});

describe('built-in rules', () => {
  oneNode();

  const setNotes = (silentAfterMs: number, status: 0 | 1 = 0) =>
    call(node.process, 'setNotes', { id: device.id, notes: { ...NO_NOTES, silentAfterMs, status } });
  const kinds = async () => (await live()).map(({ kind, state }) => `${kind} ${state}`);

  it('a silent device causes one message, and one when it sends again', async () => {
    await setNotes(1000);
    await post([6, 0]);
    await expect.poll(kinds, { timeout: 60_000 }).toEqual(['silent firing']);
    const [silent] = await live();
    await node.restart();
    await expect.poll(live, { timeout: 60_000 }).toEqual([{ ...silent, firedAt: expect.any(Number) }]);
    await post([6, 0]);
    expect(await live()).toEqual([]);
    const [ended] = await history();
    expect(ended).toMatchObject({ id: silent!.id, ended: 'back' });
    expect(ended!.endedAt! - ended!.since).toBeGreaterThan(1000);
  });

  it('a device whose limit is raised is not silent any more', async () => {
    await setNotes(1000);
    await post([6, 0]);
    await expect.poll(kinds, { timeout: 60_000 }).toEqual(['silent firing']);
    await setNotes(3_600_000);
    await expect.poll(kinds, { timeout: 30_000 }).toEqual([]);
    const [ended] = await history();
    expect(ended).toMatchObject({ kind: 'silent', ended: 'rule_changed' });
    expect(ended!.endedAt).toBeGreaterThanOrEqual(ended!.firedAt!);
  });

  it('a device that the owner noted as inactive is not silent', async () => {
    await setNotes(1000);
    await post([6, 0]);
    await expect.poll(kinds, { timeout: 60_000 }).toEqual(['silent firing']);
    await setNotes(1000, 1);
    await expect.poll(kinds, { timeout: 60_000 }).toEqual([]);
  });

  it('a device that knocks has an alert until it registers', async () => {
    await call(node.process, 'forgetDevice', { id: device.id, store: 'private', confirm: device.id });
    const knock = async () => {
      seq += 1;
      await postBlocks(node.local(), [device.block({ seq, timestamp: Date.now(), plain: { ph: 6 } })]);
      return kinds();
    };
    await expect.poll(knock, { timeout: 60_000 }).toEqual(['knocking firing']);
    await node.restart();
    expect(await kinds()).toEqual(['knocking firing']);
    await node.register(device);
    await expect.poll(kinds, { timeout: 60_000 }).toEqual([]);
  });

  it('a store that refuses writes raises a critical alert at once, which ends when it accepts readings again', async () => {
    const release = node.lockStore();
    expect(await node.statusOfPost(device.block({ seq: 90, timestamp: Date.now(), plain: { ph: 6 } }))).toBe(503);
    expect(await live()).toEqual([
      expect.objectContaining({ kind: 'storeRefuses', store: 'private', severity: 'critical', state: 'firing' }),
    ]);
    release();
    await post([6, 0]);
    await expect.poll(kinds, { timeout: 60_000 }).toEqual([]);
  });

  it('an alert of many refused blocks names their store', async () => {
    const broken = Array.from({ length: 100 }, () => ({ nothing: true }));
    await postBlocks(node.local(), broken);
    await expect
      .poll(live, { timeout: 60_000 })
      .toEqual([expect.objectContaining({ kind: 'rejected', store: 'private', value: 100, limit: 100 })]);
    const { rules } = await call(node.process, 'alertRules', {});
    const { rule } = rules.find(({ rule: { kind } }) => kind === 'rejected')!;
    await call(node.process, 'writeAlertRule', { rule: { ...rule, isOn: false } });
    expect(await live()).toEqual([]);
  });
});

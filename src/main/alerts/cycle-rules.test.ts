import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { START, TimedAlerts } from '../../../test/support/timed-alerts.ts';
import type { RuleInput } from '../../shared/alerts/rule.ts';
import type { Cycle } from '../../shared/owner-data/cycles.ts';
import { addDays, dayOf, startOfDay } from '../../shared/owner-data/days.ts';

const DAY = 86_400_000;
const ZONE = 'Europe/Copenhagen';
const today = dayOf(START, ZONE);

let node: TimedAlerts;
beforeEach(async () => {
  node = await TimedAlerts.start();
});
afterEach(() => node.dispose());

const cycleOf = (high = 6.5): Cycle => ({
  ...{ id: '0b7c1c53-5c1f-4d0e-9d43-6c7f4c2f6a11', crop: 'Tomato', variety: 'Sakura' },
  ...{ place: { kind: 'device', device: node.device }, zone: ZONE, plants: null, areaM2: null, endedAt: null },
  plantedAt: addDays(today, -10),
  stages: [
    { name: 'Seedling', from: addDays(today, -10), ranges: [{ field: 'ph', low: 5.5, high }] },
    { name: 'Fruiting', from: addDays(today, 2), ranges: [{ field: 'ph', low: 5.8, high: 6.3 }] },
  ],
});

/** Writes the crop cycles as the owner API does. */
async function keep(cycles: readonly Cycle[]): Promise<void> {
  node.stores.write('private', [{ kind: 'choose', name: 'cycles', value: JSON.stringify(cycles), updatedAt: START }]);
  node.events.emit('chosen', () => ({ names: ['cycles'] }));
}

async function ranges(): Promise<{ id: string; low: number | null; high: number | null }[]> {
  const { rules } = await node.alerts.handlers.alertRules({});
  return rules.flatMap(({ rule }) => (rule.kind === 'range' ? [{ id: rule.id, low: rule.low, high: rule.high }] : []));
}
const lows = async () => (await ranges()).map(({ low }) => low);
const texts = () => node.entries.map(({ text, at }) => [text, at]);

async function restart(): Promise<void> {
  await node.alerts.stop();
  await node.start();
  await node.pass(0);
}

it('the log has one entry for the beginning of a stage', async () => {
  await keep([cycleOf()]);
  const seedling = ['Tomato Sakura: Seedling', startOfDay(addDays(today, -10), ZONE)];
  await expect.poll(texts).toEqual([seedling]);
  expect(node.entries[0]).toMatchObject({ device: node.device, act: { kind: 'stageChanged', cycle: cycleOf().id } });
  await restart();
  expect(texts()).toEqual([seedling]);
  await node.pass(3 * DAY);
  expect(await lows()).toEqual([5.8]);
  expect(texts()).toEqual([seedling, ['Tomato Sakura: Fruiting', startOfDay(addDays(today, 2), ZONE)]]);
});

it('the log has no second entry if the node was killed before it noted the first', async () => {
  await keep([cycleOf()]);
  await expect.poll(() => node.entries.length).toBe(1);
  await node.alerts.stop();
  const path = join(node.stores.folder, 'alerts.json');
  const kept = JSON.parse(readFileSync(path, 'utf8'));
  expect(kept.cycles).toMatchObject([{ id: cycleOf().id, logged: expect.stringContaining('Seedling') }]);
  kept.cycles[0].logged = '';
  writeFileSync(path, JSON.stringify(kept));
  rmSync(`${path}.previous`);
  await node.start();
  await node.pass(0);
  expect(node.entries).toHaveLength(1);
});

it('the log has each stage that began while the node was off', async () => {
  const cycle = cycleOf();
  const stages = [...cycle.stages, { name: 'Ripening', from: addDays(today, 4), ranges: [] }];
  await keep([{ ...cycle, stages }]);
  await expect.poll(() => node.entries.length).toBe(1);
  await node.alerts.stop();
  node.wall += 5 * DAY;
  await node.start();
  await node.pass(0);
  expect(texts().slice(1)).toEqual([
    ['Tomato Sakura: Fruiting', startOfDay(addDays(today, 2), ZONE)],
    ['Tomato Sakura: Ripening', startOfDay(addDays(today, 4), ZONE)],
  ]);
});

it('the log has a last stage that began and ended with its cycle while the node was off', async () => {
  await keep([{ ...cycleOf(), endedAt: addDays(today, 3) }]);
  await expect.poll(() => node.entries.length).toBe(1);
  await node.alerts.stop();
  node.wall += 9 * DAY;
  await node.start();
  await node.pass(0);
  expect(texts().slice(1)).toEqual([['Tomato Sakura: Fruiting', startOfDay(addDays(today, 2), ZONE)]]);
});

it('a stage of a group is in the log of each of its devices, and of no other', async () => {
  const second = node.stores.register({ name: 'Second' }, ['private']).id;
  node.stores.register({ name: 'Elsewhere' }, ['private']);
  const group = '3f0f6f5e-8a5a-4f1e-9d43-0c7f4c2f6a12';
  const groups = [{ id: group, name: 'Bench', isCollapsed: false, devices: [node.device, second] }];
  node.stores.write('private', [{ kind: 'choose', name: 'groups', value: JSON.stringify(groups), updatedAt: START }]);
  await keep([{ ...cycleOf(), place: { kind: 'group', group } }]);
  await expect.poll(() => node.entries.map(({ device }) => device)).toEqual([node.device, second]);
  expect(new Set(node.entries.map(({ text }) => text))).toEqual(new Set(['Tomato Sakura: Seedling · Bench']));
  await restart();
  expect(node.entries).toHaveLength(2);
});

it('retries an entry when the store accepts entries again', async () => {
  node.logFault = new Error('full');
  await keep([cycleOf()]);
  await expect.poll(lows).toEqual([5.5]);
  await node.pass(5000);
  expect(texts()).toEqual([]);
  node.logFault = null;
  await node.pass(5000);
  expect(texts()).toHaveLength(1);
});

it('a deleted rule stays away until the next stage, also after a restart', async () => {
  await keep([cycleOf()]);
  await expect.poll(lows).toEqual([5.5]);
  await node.alerts.handlers.deleteAlertRule({ id: (await ranges())[0]!.id });
  await node.pass(5000);
  expect(await lows()).toEqual([]);
  await restart();
  expect(await lows()).toEqual([]);
  await node.pass(3 * DAY);
  expect(await lows()).toEqual([5.8]);
});

it('a deleted rule comes back with the next stage, also with the same range', async () => {
  const [seedling, fruiting] = cycleOf().stages as [Cycle['stages'][0], Cycle['stages'][0]];
  await keep([{ ...cycleOf(), stages: [seedling, { ...fruiting, ranges: seedling.ranges }] }]);
  await expect.poll(lows).toEqual([5.5]);
  await node.alerts.handlers.deleteAlertRule({ id: (await ranges())[0]!.id });
  await node.pass(5000);
  expect(await lows()).toEqual([]);
  await node.pass(3 * DAY);
  expect(await lows()).toEqual([5.5]);
});

it('the next stage ends the alert about the range before, and keeps what the owner changed of the rule', async () => {
  await node.write({ ...(await node.builtIn('silent')), isOn: false } as RuleInput);
  await keep([cycleOf()]);
  await expect.poll(lows).toEqual([5.5]);
  const ruleNow = async () =>
    (await node.alerts.handlers.alertRules({})).rules.find(({ rule }) => rule.kind === 'range')!.rule;
  await node.write({ ...(await ruleNow()), severity: 'critical', repeatMinutes: 60 } as RuleInput);
  await node.receiveFor(61, { ph: 5 });
  expect(await node.live()).toMatchObject([{ kind: 'range', state: 'firing', severity: 'critical', limit: 5.5 }]);
  await node.pass(3 * DAY);
  expect(await node.ended()).toMatchObject([{ kind: 'range', ended: 'rule_changed', limit: 5.5 }]);
  expect(await ruleNow()).toMatchObject({ low: 5.8, high: 6.3, severity: 'critical', repeatMinutes: 60 });
});

it('a deleted rule comes back when the owner gives its stage another range', async () => {
  await keep([cycleOf()]);
  await expect.poll(lows).toEqual([5.5]);
  await node.alerts.handlers.deleteAlertRule({ id: (await ranges())[0]!.id });
  await keep([cycleOf(7)]);
  await expect.poll(ranges).toMatchObject([{ low: 5.5, high: 7 }]);
});

/** Sets the hours of day of devices. */
function setDay(hours: Readonly<Record<string, { readonly from: string; readonly to: string }>>): void {
  const value = JSON.stringify(Object.fromEntries(Object.entries(hours).map(([id, dayHours]) => [id, { dayHours }])));
  node.stores.write('private', [{ kind: 'choose', name: 'climate', value, updatedAt: START }]);
  node.events.emit('chosen', () => ({ names: ['climate'] }));
}

const nightly = (place: Cycle['place']): Cycle => ({
  ...{ ...cycleOf(), place },
  stages: [
    {
      ...{ name: 'Seedling', from: addDays(today, -10) },
      ranges: [{ field: 'tempAmbient', low: 22, high: 28, night: { low: 18, high: 21 } }],
    },
    { name: 'Fruiting', from: addDays(today, 2), ranges: [{ field: 'tempAmbient', low: 20, high: 26 }] },
  ],
});
/** The rules follow when the node has read the cycles and the hours. */
const followed = async () => {
  await node.pass(0);
  return (await lows()).toSorted();
};
const passTo = (day: string, hours: number) => node.pass(startOfDay(day, ZONE) + hours * 3_600_000 - node.wall);

it('rules follow the hours of day at the device, until the stage ends at midnight', async () => {
  setDay({ [node.device]: { from: '07:00', to: '21:00' } });
  await keep([nightly({ kind: 'device', device: node.device })]);
  await passTo(today, 20.5);
  await expect.poll(followed).toEqual([22]);
  await passTo(addDays(today, 1), 6.99);
  expect(await lows()).toEqual([18]);
  const [{ id } = { id: '' }] = await ranges();
  await passTo(addDays(today, 1), 7);
  expect(await ranges()).toEqual([{ id, low: 22, high: 28 }]);
  await passTo(addDays(today, 1), 21);
  expect(await ranges()).toEqual([{ id, low: 18, high: 21 }]);
  await restart();
  expect(await lows()).toEqual([18]);
  await passTo(addDays(today, 2), 0);
  expect(await lows()).toEqual([20]);
});

it.each([
  ['by day', 36, [22], 46],
  ['by night', 22, [18], 36],
])('a rule that was deleted %s stays away by day and by night', async (_, hours, before, later) => {
  await keep([nightly({ kind: 'device', device: node.device })]);
  await passTo(today, hours);
  await expect.poll(followed).toEqual(before);
  await node.alerts.handlers.deleteAlertRule({ id: (await ranges())[0]!.id });
  await node.pass(5000);
  expect(await lows()).toEqual([]);
  await passTo(today, later);
  expect(await lows()).toEqual([]);
});

it('each device of a group has its own day', async () => {
  const second = node.stores.register({ name: 'Second' }, ['private']).id;
  const group = '3f0f6f5e-8a5a-4f1e-9d43-0c7f4c2f6a12';
  const groups = [{ id: group, name: 'Bench', isCollapsed: false, devices: [node.device, second] }];
  node.stores.write('private', [{ kind: 'choose', name: 'groups', value: JSON.stringify(groups), updatedAt: START }]);
  node.events.emit('chosen', () => ({ names: ['groups'] }));
  setDay({ [node.device]: { from: '07:00', to: '21:00' }, [second]: { from: '20:00', to: '08:00' } });
  await keep([nightly({ kind: 'group', group })]);
  await passTo(addDays(today, 1), 12);
  await expect.poll(followed).toEqual([18, 22]);
  await passTo(addDays(today, 1), 20.5);
  expect(await lows()).toEqual([22, 22]);
  await passTo(addDays(today, 2), 0);
  expect(await lows()).toEqual([20]);
});

import { expect, it } from 'vitest';
import type { Input } from '../../src/shared/owner-api/contract.ts';
import { addDays, dayOf } from '../../src/shared/owner-data/days.ts';
import { registeredDevice } from '../support/client.ts';
import { runningNode, startNode } from '../support/node-process.ts';
import { call, failure } from '../support/owner-client.ts';

const node = runningNode({ args: ['--ui'] });
const today = dayOf(Date.now(), 'UTC');
const stage = (name: string, from: string, low: number) => ({
  name,
  from,
  ranges: [{ field: 'ph' as const, low, high: 6.5 }],
});

async function newCycle(more: Partial<Input<'writeCycle'>> = {}): Promise<Input<'writeCycle'>> {
  const { id } = await registeredDevice(node.url('local'));
  return {
    ...{ id: null, crop: 'Tomato', variety: 'Cherry', place: { kind: 'device', device: id }, zone: 'UTC' },
    ...{ plantedAt: addDays(today, -30), plants: 12, areaM2: 4, endedAt: null },
    stages: [stage('Seedling', addDays(today, -30), 5), stage('Flowering', addDays(today, -1), 5.8)],
    ...more,
  };
}

const ranges = async (of: typeof node.process = node.process) =>
  (await call(of, 'alertRules', {})).rules.flatMap(({ rule }) =>
    rule.kind === 'range' && rule.cycle !== undefined ? [[rule.name, rule.low, rule.high, rule.cycle]] : [],
  );

it('the rules of the place follow the stage, and are gone with the cycle', async () => {
  const cycle = await call(node.process, 'writeCycle', await newCycle());
  await expect.poll(() => ranges()).toEqual([['Tomato: Flowering', 5.8, 6.5, cycle.id]]);
  const logged = async () =>
    (await call(node.process, 'journal', { device: null, from: null, to: null })).entries.filter(
      ({ act }) => act?.cycle === cycle.id,
    );
  const begun = ['Seedling', 'Flowering'].map((name) => ({
    text: `Tomato Cherry: ${name}`,
    act: { kind: 'stageChanged' },
  }));
  await expect.poll(logged).toMatchObject(begun);
  const earlier = { ...cycle, stages: cycle.stages.slice(0, 1) };
  await call(node.process, 'writeCycle', earlier);
  await expect.poll(() => ranges()).toEqual([['Tomato: Seedling', 5, 6.5, cycle.id]]);
  await call(node.process, 'writeCycle', { ...earlier, endedAt: addDays(today, -1) });
  await expect.poll(() => ranges()).toEqual([]);
  await call(node.process, 'writeCycle', earlier);
  await expect.poll(() => ranges()).toHaveLength(1);
  await call(node.process, 'deleteCycle', { id: cycle.id });
  await expect.poll(() => ranges()).toEqual([]);
  expect((await call(node.process, 'cycles', {})).cycles).toEqual([]);
});

it('a cycle and its rules are there after a restart', async () => {
  const own = await startNode({ args: ['--ui'] });
  try {
    const { id } = await registeredDevice(own.url('local'));
    const cycle = await call(own, 'writeCycle', await newCycle({ place: { kind: 'device', device: id } }));
    await expect.poll(() => ranges(own)).toHaveLength(1);
    const before = await ranges(own);
    await own.stop();
    const again = await startNode({ args: ['--ui'], dataDir: own.dataDir });
    expect((await call(again, 'cycles', {})).cycles).toEqual([cycle]);
    expect(await ranges(again)).toEqual(before);
    await again.stop();
  } finally {
    await own.dispose();
  }
});

it('an invalid change is refused with a reason, and nothing changes', async () => {
  const input = await newCycle();
  const cycle = await call(node.process, 'writeCycle', input);
  const reason = async (...args: Parameters<typeof failure>) => JSON.stringify(await failure(...args));
  const harvest = (at: number, value = 2) => ({
    ...{ id: null, device: null, at, text: '' },
    act: { kind: 'harvested' as const, amount: { value, unit: 'kg' as const }, cycle: cycle.id },
  });
  const planted = Date.parse(cycle.plantedAt);
  expect(await reason(node.process, 'writeJournalEntry', harvest(planted - 1))).toContain('before the planting');
  expect(await reason(node.process, 'writeJournalEntry', harvest(planted, -2))).toContain('more than 0');
  expect(
    await reason(node.process, 'writeJournalEntry', {
      ...harvest(planted),
      act: { ...harvest(planted).act, cycle: crypto.randomUUID() },
    }),
  ).toContain('404');
  const { id: task } = await call(node.process, 'writeTask', {
    ...{ id: null, device: null, title: '', everyDays: null, due: today, act: harvest(planted).act },
  });
  const early = { id: task, at: planted - 1, day: today };
  expect(await reason(node.process, 'completeTask', early)).toContain('before the planting');
  expect((await call(node.process, 'tasks', {})).tasks).toMatchObject([{ id: task, due: today, done: null }]);
  await call(node.process, 'deleteTask', { id: task });
  expect(await reason(node.process, 'writeCycle', { ...cycle, stages: cycle.stages.toReversed() })).toContain(
    'stages overlap',
  );
  expect(await reason(node.process, 'writeCycle', { ...input, id: crypto.randomUUID() })).toContain('404');
  expect((await call(node.process, 'cycles', {})).cycles).toEqual([cycle]);
  const { entries } = await call(node.process, 'journal', { device: null, from: null, to: null });
  // The node itself writes which stages begin.
  expect(entries.filter(({ act }) => act?.kind !== 'stageChanged')).toEqual([]);
  expect(await call(node.process, 'writeJournalEntry', harvest(planted))).toMatchObject({ act: { cycle: cycle.id } });
  await call(node.process, 'deleteCycle', { id: cycle.id });
});

it('an entry of a whole group is in the log of its devices alone', async () => {
  const [roof, cellar] = [await registeredDevice(node.url('local')), await registeredDevice(node.url('local'))];
  const group = crypto.randomUUID();
  await call(node.process, 'setOwnerChoices', {
    groups: [{ id: group, name: 'Roof', isCollapsed: false, devices: [roof.id] }],
  });
  const input = await newCycle({ place: { kind: 'group', group }, stages: [] });
  const cycle = await call(node.process, 'writeCycle', input);
  const { id } = await call(node.process, 'writeJournalEntry', {
    ...{ id: null, device: null, at: Date.now(), text: '' },
    act: { kind: 'toppedUp', amount: { value: 20, unit: 'l' }, cycle: cycle.id },
  });
  const idsOf = async (device: string | null) =>
    (await call(node.process, 'journal', { device, from: null, to: null })).entries.map((entry) => entry.id);
  expect(await idsOf(roof.id)).toContain(id);
  expect(await idsOf(null)).toContain(id);
  expect(await idsOf(cellar.id)).not.toContain(id);
  await call(node.process, 'deleteJournalEntry', { id });
  await call(node.process, 'deleteCycle', { id: cycle.id });
  await call(node.process, 'setOwnerChoices', { groups: [] });
});

it('an entry of more than a day ahead is refused, and one of a clock that is a bit fast is taken', async () => {
  const pruned = (ahead: number) => ({
    ...{ id: null, device: null, at: Date.now() + ahead, text: '' },
    act: { kind: 'pruned' as const },
  });
  const [hour, day] = [3_600_000, 86_400_000];
  const refused = await failure(node.process, 'writeJournalEntry', pruned(day + hour));
  expect(JSON.stringify(refused)).toContain('more than a day ahead');
  const { id } = await call(node.process, 'writeJournalEntry', pruned(day - hour));
  await call(node.process, 'deleteJournalEntry', { id });
  const task = await call(node.process, 'writeTask', {
    ...{ id: null, device: null, title: '', everyDays: null, due: today, act: pruned(0).act },
  });
  const early = { id: task.id, at: Date.now() + day + hour, day: today };
  expect(JSON.stringify(await failure(node.process, 'completeTask', early))).toContain('more than a day ahead');
  await call(node.process, 'deleteTask', { id: task.id });
});

it('a cycle begins at an existing place, and can be ended after the place was deleted', async () => {
  const input = await newCycle();
  const [group, strange] = [crypto.randomUUID(), 'ab'.repeat(32)];
  const refused = (place: typeof input.place) => failure(node.process, 'writeCycle', { ...input, place });
  expect((await refused({ kind: 'group', group }))[0]).toBe(404);
  expect((await refused({ kind: 'device', device: strange }))[0]).toBe(404);
  await call(node.process, 'setOwnerChoices', {
    groups: [{ id: group, name: 'Roof', isCollapsed: false, devices: [] }],
  });
  const cycle = await call(node.process, 'writeCycle', { ...input, place: { kind: 'group', group } });
  await call(node.process, 'setOwnerChoices', { groups: [] });
  const ended = { ...cycle, endedAt: today };
  expect(await call(node.process, 'writeCycle', ended)).toEqual(ended);
  await call(node.process, 'deleteCycle', { id: cycle.id });
});

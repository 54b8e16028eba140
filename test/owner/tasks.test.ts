import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JournalEntry } from '../../src/shared/owner-data/journal.ts';
import type { Task } from '../../src/shared/owner-data/tasks.ts';
import { registeredDevice } from '../support/client.ts';
import { type RunningNode, startNode } from '../support/node-process.ts';
import { call, failure } from '../support/owner-client.ts';
import { answerOf, wellhouse } from '../support/wellhouse.ts';

let node: RunningNode;
let id: string;
beforeAll(async () => {
  node = await startNode({ args: ['--ui'] });
  ({ id } = await registeredDevice(node.url('local'), { name: 'Roof' }));
});
afterAll(() => node.dispose());

const kept = async () => (await call(node, 'tasks', {})).tasks;
const entries = async () => (await call(node, 'journal', { device: null, from: null, to: null })).entries;

it('a task can be created, completed with its entry, undone, snoozed, skipped, moved and deleted', async () => {
  const act = { kind: 'toppedUp', amount: { value: 20, unit: 'l' } } as const;
  const input = { id: null, device: id, title: '', act, everyDays: 14, due: '2026-03-28' };
  const task = await call(node, 'writeTask', input);
  expect(await kept()).toEqual([task]);
  const { task: done, entry } = await call(node, 'completeTask', { id: task.id, at: 1000, day: '2026-03-29' });
  expect(done).toMatchObject({ due: '2026-04-12', done: { at: 1000, day: '2026-03-29', due: '2026-03-28' } });
  expect(entry).toMatchObject({ device: id, at: 1000, act });
  expect([await kept(), await entries()]).toEqual([[done], [entry]]);
  expect(await call(node, 'reopenTask', { id: task.id, entry: entry.id })).toEqual(task);
  expect(await entries()).toEqual([]);
  const postpone = async (how: 'skip' | 'snooze' | 'move', day: string) => {
    const { due, snoozedUntil } = await call(node, 'postponeTask', { id: task.id, how, day });
    return [due, snoozedUntil];
  };
  expect(await postpone('snooze', '2026-03-30')).toEqual(['2026-03-28', '2026-03-30']);
  expect(await postpone('skip', '2026-03-28')).toEqual(['2026-04-11', null]);
  expect(await postpone('move', '2026-05-01')).toEqual(['2026-05-01', null]);
  await call(node, 'deleteTask', { id: task.id });
  expect(await kept()).toEqual([]);
});

it('an invalid change is refused, and nothing changes', async () => {
  const once = await call(node, 'writeTask', {
    id: null,
    device: null,
    title: 'Order seeds',
    everyDays: null,
    due: '2026-03-28',
  });
  const code = async (...args: Parameters<typeof failure>) => (await failure(...args))[0];
  expect(await code(node, 'postponeTask', { id: once.id, how: 'skip', day: '2026-03-28' })).toBe(409);
  await call(node, 'completeTask', { id: once.id, at: 5, day: '2026-03-28' });
  const before = [await kept(), await entries()];
  expect(await code(node, 'completeTask', { id: once.id, at: 6, day: '2026-03-28' })).toBe(409);
  expect(await code(node, 'completeTask', { id: crypto.randomUUID(), at: 6, day: '2026-03-28' })).toBe(404);
  expect(await code(node, 'writeTask', { ...once, device: 'ee'.repeat(32) } as never)).toBe(400);
  expect(
    await code(node, 'writeTask', { id: null, device: 'ee'.repeat(32), title: 'x', everyDays: 1, due: '2026-03-28' }),
  ).toBe(404);
  expect([await kept(), await entries()]).toEqual(before);
  await call(node, 'deleteTask', { id: once.id });
});

it('no simultaneous change is lost', async () => {
  const write = (title: string) =>
    call(node, 'writeTask', { id: null, device: null, title, everyDays: 1, due: '2026-03-28' });
  const written = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(write));
  expect((await kept()).map(({ title }) => title).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
  for (const task of written) await call(node, 'deleteTask', { id: task.id });
});

it('the command adds, refuses and completes, beside a running node and without one', async () => {
  const run = (...args: string[]) => wellhouse(node.dataDir, ['tasks', ...args]);
  for (const [args, message] of [
    [['add', '--kind', 'toppedUp', '--amount', '-20l'], 'an amount must be more than 0'],
    [['add', 'Wash', '--every', '0'], 'a rhythm is at least a day'],
    [['add', 'Wash', '--due', '2026-02-30'], '2026-02-30 is not a time'],
    [['done', 'nothing'], 'there is no task nothing'],
    [['list', '--every', '3'], '--every is not for "tasks list"'],
  ] as const) {
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  }
  expect(await kept()).toEqual([]);
  const add = ['tasks', 'add', 'Wash', '--device', 'roof', '--every', '7', '--due', '2026-03-28'];
  const task = await answerOf<Task>(node.dataDir, add);
  expect(task).toMatchObject({ device: id, title: 'Wash', everyDays: 7, due: '2026-03-28' });
  await node.stop();
  const done = await answerOf<Task>(node.dataDir, ['tasks', 'done', 'wash', '--at', '2026-03-29T12:00']);
  expect(done).toMatchObject({ due: '2026-04-05', done: { day: '2026-03-29' } });
  const entry = (await wellhouse(node.dataDir, ['log', 'list', 'note'])).stdout.trim().split('\n').at(-1)!;
  expect(JSON.parse(entry) as JournalEntry).toMatchObject({ device: id, text: 'Wash' });
  expect(await answerOf<Task[]>(node.dataDir, ['tasks', 'list'])).toEqual([done]);
});

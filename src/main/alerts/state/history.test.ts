import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AT, someAlert } from '../../../../test/support/alert-notices.ts';
import { removeFolder, temporaryFolder } from '../../../../test/support/node-process.ts';
import type { Alert } from '../../../shared/alerts/alert.ts';
import { AlertHistory, HISTORY_FILE } from './history.ts';

const MOST = 5000;
const ALL = { device: null, rule: null, before: null, limit: 2 * MOST };

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

const file = () => join(folder, HISTORY_FILE.name);
const lines = () => readFileSync(file(), 'utf8').split('\n').filter(Boolean).length;
const alerts = (count: number): Alert[] =>
  Array.from({ length: count }, () => someAlert({ endedAt: AT, ended: 'back' }));

/** Opens the history as at a start. */
function open(): AlertHistory {
  const history = new AlertHistory({ path: folder, log: pino({ level: 'silent' }), now: () => AT });
  history.load();
  return history;
}
const listed = (history: AlertHistory) => history.list(ALL).alerts.map(({ id }) => id);

describe('an ended alert', () => {
  it('that is added during a write is on disk when that settles', async () => {
    const [first, second] = alerts(2) as [Alert, Alert];
    const history = open();
    history.add(first);
    const settled = history.settle();
    // The write has begun, and no file operation ends before the next turn of the event loop.
    for (let step = 0; step < 20; step += 1) await Promise.resolve();
    history.add(second);
    expect(await settled).toBe(true);
    expect(listed(open())).toEqual([second.id, first.id]);
  });

  it('that can’t be written stays, is reported as not written, and is written once the disk allows it', async () => {
    const [first, second] = alerts(2) as [Alert, Alert];
    const history = open();
    mkdirSync(file());
    history.add(first);
    expect(await history.settle()).toBe(false);
    expect(listed(history)).toEqual([first.id]);
    rmSync(file(), { recursive: true });
    history.add(second);
    expect(await history.settle()).toBe(true);
    expect(listed(open())).toEqual([second.id, first.id]);
  });
});

it('keeps the newest 5000, in a file of at most twice as many lines', async () => {
  const history = open();
  const all = alerts(2 * MOST + 1);
  for (const part of [all.slice(0, MOST), all.slice(MOST, 2 * MOST)]) {
    for (const each of part) history.add(each);
    expect(await history.settle()).toBe(true);
  }
  expect(lines()).toBe(2 * MOST);
  history.add(all.at(-1)!);
  expect(await history.settle()).toBe(true);
  expect(lines()).toBe(MOST);
  const newest = all
    .slice(-MOST)
    .map(({ id }) => id)
    .reverse();
  expect(listed(history)).toEqual(newest);
  expect(listed(open())).toEqual(newest);
});

it('writes at most the newest 5000 of what could not be written', async () => {
  const history = open();
  const all = alerts(MOST + 1);
  for (const each of all) history.add(each);
  expect(await history.settle()).toBe(true);
  expect(lines()).toBe(MOST);
  expect(listed(open()).at(-1)).toBe(all[1]!.id);
});

describe('the list', () => {
  const OTHER = 'cd'.repeat(32);
  const ended = (change: Partial<Alert>) => someAlert({ endedAt: AT, ended: 'back', ...change });
  const all = [
    ended({ rule: 'silent', kind: 'silent' }),
    ended({ rule: 'rejected', kind: 'rejected', device: null }),
    ended({ rule: 'silent', kind: 'silent', device: OTHER }),
    ended({ rule: 'clockNotSet', kind: 'clockNotSet' }),
  ];
  const found = (history: AlertHistory, query: Partial<Parameters<AlertHistory['list']>[0]>) => {
    const { alerts: page, hasMore } = history.list({ ...ALL, ...query });
    return [page.map(({ id }) => all.findIndex((each) => each.id === id)), hasMore];
  };
  let history: AlertHistory;
  beforeEach(() => {
    history = open();
    for (const each of all) history.add(each);
  });

  it('has the latest end first, with what was added', () => {
    expect(history.list(ALL)).toEqual({ alerts: all.toReversed(), hasMore: false });
  });

  it('has an alert once, by its latest end', () => {
    history.add({ ...all[0]!, endedAt: AT + 1 });
    expect(found(history, {})).toEqual([[0, 3, 2, 1], false]);
    expect(history.list(ALL).alerts[0]!.endedAt).toBe(AT + 1);
  });

  it('is of one device, one rule, several rules, or both', () => {
    const device = all[0]!.device!;
    expect(found(history, { device })).toEqual([[3, 0], false]);
    expect(found(history, { rule: 'silent' })).toEqual([[2, 0], false]);
    expect(found(history, { rule: ['rejected', 'clockNotSet'] })).toEqual([[3, 1], false]);
    expect(found(history, { rule: [] })).toEqual([[], false]);
    expect(found(history, { device, rule: 'silent' })).toEqual([[0], false]);
  });

  it('comes in pages', () => {
    expect(found(history, { limit: 3 })).toEqual([[3, 2, 1], true]);
    expect(found(history, { limit: 4 })).toEqual([[3, 2, 1, 0], false]);
    expect(found(history, { before: all[2]!.id, limit: 1 })).toEqual([[1], true]);
    expect(found(history, { before: all[2]!.id, limit: 2 })).toEqual([[1, 0], false]);
    expect(found(history, { before: all[0]!.id })).toEqual([[], false]);
    expect(found(history, { before: crypto.randomUUID(), limit: 1 })).toEqual([[3], true]);
  });

  it('is read again from the file', async () => {
    await history.settle();
    const second = open();
    expect(found(second, {})).toEqual([[3, 2, 1, 0], false]);
    rmSync(file());
    rmSync(`${file()}.previous`, { force: true });
    second.load();
    expect(found(second, {})).toEqual([[], false]);
  });
});

it('what can’t be written is logged, and a history without additions writes nothing', async () => {
  const logged: Record<string, unknown>[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const history = new AlertHistory({ path: folder, log, now: () => AT });
  mkdirSync(file());
  expect(await history.settle()).toBe(true);
  expect(logged).toEqual([]);
  history.add(someAlert({ endedAt: AT, ended: 'back' }));
  expect(await history.settle()).toBe(false);
  expect(logged).toEqual([{ level: 50, file: file(), err: expect.anything(), msg: 'ended alerts can’t be written' }]);
});

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

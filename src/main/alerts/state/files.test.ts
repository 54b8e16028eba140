import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RANGE_RULE } from '../../../../test/support/alerts.ts';
import { TimedAlerts } from '../../../../test/support/timed-alerts.ts';
import type { Alert } from '../../../shared/alerts/alert.ts';

const MINUTE = 60_000;

let node: TimedAlerts;
beforeEach(async () => {
  node = await TimedAlerts.start();
});
afterEach(() => node.dispose());

it('an unwritable file stops no alert, and is written as soon as possible', async () => {
  await node.write(RANGE_RULE);
  const file = join(node.stores.folder, 'alerts.json');
  rmSync(file);
  mkdirSync(join(file, 'in the way'), { recursive: true });
  node.receive({ ph: 5 });
  await expect.poll(() => node.shown.length, { timeout: 60_000 }).toBe(1);
  expect(await node.kinds()).toEqual(['range firing']);
  rmSync(file, { recursive: true });
  node.receive({ ph: 6 });
  await expect.poll(() => node.shown.length, { timeout: 60_000 }).toBe(2);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ version: 1, live: [] });
});

it('an ended alert that can’t be written to the history is written half a minute later', async () => {
  await node.write(RANGE_RULE);
  const file = join(node.stores.folder, 'alert-history.ndjson');
  rmSync(file, { force: true });
  mkdirSync(file);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    for (const ph of [5, 6]) node.receive({ ph });
    const [{ id }] = (await node.ended()) as [Alert];
    // Only the retry is left to write it.
    await expect.poll(() => node.shown.length).toBe(2);
    await expect.poll(() => node.alerts.desk.kept.outbox.deliveries).toEqual([]);
    await node.alerts.save();
    rmSync(file, { recursive: true });
    vi.advanceTimersByTime(30_000);
    vi.useRealTimers();
    await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toContain(id);
  } finally {
    vi.useRealTimers();
  }
});

it('the history is complete after a crash tore its last line or wrote one twice', async () => {
  await node.write(RANGE_RULE);
  for (const ph of [5, 6, 5, 6]) {
    node.receive({ ph });
    await node.pass(MINUTE);
  }
  const before = await node.ended();
  expect(before).toHaveLength(2);
  await node.alerts.stop();
  const file = join(node.stores.folder, 'alert-history.ndjson');
  const [, first] = readFileSync(file, 'utf8').split('\n');
  appendFileSync(file, `\n${first}\n{"id":"torn`);
  await node.start();
  expect((await node.ended()).map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort());
  node.receive({ ph: 5 });
  await node.pass(MINUTE);
  node.receive({ ph: 6 });
  await node.alerts.stop();
  await node.start();
  expect(await node.ended()).toHaveLength(3);
  const query = { device: null, rule: null, limit: 2 };
  const page = await node.alerts.handlers.alertHistory({ ...query, before: null });
  const next = await node.alerts.handlers.alertHistory({ ...query, before: page.alerts[1]!.id });
  expect([page.alerts.length, page.hasMore, next.alerts.length, next.hasMore]).toEqual([2, true, 1, false]);
  expect((await node.alerts.handlers.alertHistory({ ...query, device: 'ab'.repeat(32), before: null })).alerts).toEqual(
    [],
  );
  const of = async (rule: string[]) =>
    (await node.alerts.handlers.alertHistory({ ...query, rule, before: null })).alerts.length;
  expect([await of(['silent']), await of(['silent', before[0]!.rule])]).toEqual([0, 2]);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RANGE_RULE } from '../../../../test/support/alerts.ts';
import { TimedAlerts } from '../../../../test/support/timed-alerts.ts';
import type { Alert } from '../../../shared/alerts/alert.ts';

const MINUTE = 60_000;

let node: TimedAlerts;
beforeEach(async () => {
  node = await TimedAlerts.start();
});
afterEach(() => node.dispose());

const textOf = (file: string) => readFileSync(join(node.stores.folder, file), 'utf8');
const liveOnDisk = () =>
  (JSON.parse(textOf('alerts.json')) as { live: { alert: Alert }[] }).live.map((each) => each.alert);
/** Requests the alerts as the page does, and reads the file that a node leaves if it is killed right then. */
async function shownAndKept() {
  const shown = await node.live();
  return [shown, liveOnDisk()];
}
const refusal = (isRefusing: boolean) =>
  node.events.emit('storeState', () => ({
    store: 'private',
    refusal: isRefusing ? { code: 'full', message: 'full' } : null,
  }));

describe('before it is shown, it is on disk:', () => {
  it('an alert of the node', async () => {
    refusal(true);
    const [shown, kept] = await shownAndKept();
    expect(kept).toEqual(shown);
    expect(kept).toMatchObject([{ kind: 'storeRefuses', state: 'firing' }]);
  });

  it('an alert by a reading, pending and firing', async () => {
    await node.write({ ...RANGE_RULE, forMinutes: 2 });
    for (const state of ['pending', 'pending', 'firing']) {
      node.receive({ ph: 5 });
      const [shown, kept] = await shownAndKept();
      expect(kept!.map(({ id, state, since }) => [id, state, since])).toEqual([
        [shown![0]!.id, state, shown![0]!.since],
      ]);
      expect(kept![0]!.state).toBe(state);
      node.wall += MINUTE;
    }
  });

  it('an alert that the owner acknowledges during another read', async () => {
    refusal(true);
    const [{ id }] = (await node.live()) as [Alert];
    const acknowledging = node.alerts.handlers.acknowledgeAlert({ id });
    const [shown, kept] = await shownAndKept();
    expect([shown![0]!.state, kept![0]!.state]).toEqual(['acknowledged', 'acknowledged']);
    await acknowledging;
  });

  it('an ended alert, in the history before it leaves the other file', async () => {
    refusal(true);
    const [{ id }] = (await node.live()) as [Alert];
    refusal(false);
    expect(await node.live()).toEqual([]);
    expect(textOf('alert-history.ndjson')).toContain(id);
    expect(liveOnDisk()).toEqual([]);
    node.wall += MINUTE;
    refusal(true);
    const [again] = (await node.live()) as [Alert];
    refusal(false);
    expect((await node.ended()).map((each) => each.id)).toEqual([again.id, id]);
    expect(textOf('alert-history.ndjson')).toContain(again.id);
  });
});

it('before it is sent, a message and its alert are on disk', async () => {
  const found: unknown[] = [];
  node.events.on('noticed', ({ id, alert }) => {
    const isLive = liveOnDisk().some((each) => each.id === alert);
    found.push([
      isLive ? 'live' : textOf('alert-history.ndjson').includes(alert!) ? 'ended' : 'lost',
      textOf('alerts.json').includes(id),
    ]);
  });
  refusal(true);
  await expect.poll(() => found.length, { timeout: 60_000 }).toBe(1);
  refusal(false);
  await expect.poll(() => found.length, { timeout: 60_000 }).toBe(2);
  expect(found).toEqual([
    ['live', true],
    ['ended', true],
  ]);
});

import { afterEach, beforeEach, expect, it } from 'vitest';
import { RANGE_RULE } from '../../../../test/support/alerts.ts';
import { TimedAlerts } from '../../../../test/support/timed-alerts.ts';
import type { RuleInput } from '../../../shared/alerts/rule.ts';
import { NO_NOTES } from '../../../shared/owner-data/notes.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const TANK = { waterLevel: { tank: { empty: 500, full: 100 } } };

let node: TimedAlerts;
beforeEach(async () => {
  node = await TimedAlerts.start();
  node.stores.write('private', [
    { kind: 'note', id: node.device, notes: { ...NO_NOTES, units: TANK }, updatedAt: node.wall },
  ]);
  node.events.emit('noted', () => ({ deviceId: node.device }));
  await node.write({ ...(await node.builtIn('silent')), isOn: false } as RuleInput);
});
afterEach(() => node.dispose());

/** Sends a reading every hour between two hours. */
async function hours(from: number, to: number, valuesAt: (hour: number) => Parameters<TimedAlerts['receive']>[0]) {
  for (let hour = from; hour < to; hour += 1) {
    node.receive(valuesAt(hour));
    await node.pass(HOUR);
  }
}

const found = async () => (await node.live()).filter(({ kind }) => kind === 'emptySoon' || kind === 'leavesSoon');

it('reports a tank before it is empty, until it is filled', async () => {
  // The distance is 100 mm and grows by 3 mm an hour: empty after 133 hours.
  const level = (hour: number) => ({ waterLevel: 100 + 3 * hour });
  await hours(0, 72, level);
  expect(await found()).toEqual([]);
  await hours(72, 110, level);
  expect(await found()).toMatchObject([{ kind: 'emptySoon', device: node.device, field: 'waterLevel', limit: 2 }]);
  const { value } = (await found())[0]!;
  expect(value).toBeGreaterThan(0.5);
  expect(value).toBeLessThan(1.2);
  await expect.poll(() => node.titles, { timeout: 60_000 }).toEqual(['Tank: the tank is soon empty']);
  await hours(110, 114, (hour) => ({ waterLevel: 100 + 3 * (hour - 110) }));
  expect(await found()).toEqual([]);
  expect((await node.ended()).map(({ kind, ended }) => `${kind} ${ended}`)).toContain('emptySoon back');
});

it('stays while a device is silent and while the tank is empty', async () => {
  const level = (hour: number) => ({ waterLevel: 100 + 3 * hour });
  await hours(0, 140, level);
  expect(await found()).toMatchObject([{ kind: 'emptySoon', value: 0 }]);
  await node.pass(20 * HOUR);
  expect(await found()).toHaveLength(1);
  await node.write({ ...(await node.builtIn('emptySoon')), isOn: false } as RuleInput);
  await node.pass(HOUR);
  expect(await found()).toEqual([]);
});

it('reports that a value will leave its range if the owner turned that on, and ignores steady values', async () => {
  // Of several ranges the one that it leaves first counts.
  for (const high of [12, 7, 11]) await node.write({ ...RANGE_RULE, field: 'ph', low: 5, high });
  const values = (hour: number) => ({ ph: 5.4 + 0.02 * hour, ec: 700 });
  await hours(0, 60, values);
  expect(await found()).toEqual([]);
  await node.write({ ...(await node.builtIn('leavesSoon')), isOn: true } as RuleInput);
  await hours(60, 64, values);
  expect(await found()).toMatchObject([{ kind: 'leavesSoon', field: 'ph', side: null, limit: 1 }]);
});

import { afterEach, beforeEach, expect, it } from 'vitest';
import { type AlertsUnderTest, alertsUnderTest, RANGE_RULE } from '../support/alerts.ts';
import { registeredDevice } from '../support/client.ts';
import { call } from '../support/owner-client.ts';

let node: AlertsUnderTest;
beforeEach(async () => {
  node = await alertsUnderTest();
});
afterEach(() => node.dispose());

const ranges = async () =>
  (await call(node.process, 'alertRules', {})).rules.flatMap(({ rule }) => (rule.kind === 'range' ? [rule] : []));

// That it fires within two minutes: test/long/demo.test.ts.
it('the page’s demo has its own rule, which is deleted with the demo', async () => {
  const own = await registeredDevice(node.local());
  const mine = await call(node.process, 'writeAlertRule', {
    rule: { ...RANGE_RULE, scope: { kind: 'device', device: own.id } },
  });
  await call(node.process, 'startDemo', {});
  await call(node.process, 'startDemo', {});
  expect((await ranges()).map(({ name }) => name)).toEqual(['pH', 'Demo: pH']);
  await call(node.process, 'stopDemo', {});
  expect((await ranges()).map(({ id }) => id)).toEqual([mine.id]);
  await expect.poll(async () => (await call(node.process, 'alerts', {})).alerts, { timeout: 60_000 }).toEqual([]);
}, 300_000);

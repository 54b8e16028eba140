import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RANGE_RULE } from '../../../../test/support/alerts.ts';
import { TimedAlerts } from '../../../../test/support/timed-alerts.ts';
import { BUILT_IN_KINDS } from '../../../shared/alerts/built-in.ts';
import type { RuleInput } from '../../../shared/alerts/rule.ts';
import { NO_NOTES } from '../../../shared/owner-data/notes.ts';
import { FIELD_NAMES, type FieldName } from '../../../shared/protocol/fields.ts';
import { DamagedFiles } from '../../state-files/damaged-files.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const KNOCKING = 'cd'.repeat(32);
const OPTIONS = {
  digest: null,
  quietHours: { from: '22:00', to: '06:30' },
  linkBase: 'https://well.example',
  language: 'es',
} as const;

let node: TimedAlerts;
beforeEach(async () => {
  node = await TimedAlerts.start();
});
afterEach(() => node.dispose());

const file = (name: string) => join(node.stores.folder, name);

/** Runs a function with a new device as the sender of readings. */
async function asDevice(name: string, run: (id: string) => Promise<void> | void): Promise<void> {
  const before = node.device;
  node.device = node.stores.register({ name }, ['private']).id;
  node.events.emit('registered', () => ({ store: 'private', deviceId: node.device }));
  await node.alerts.stop();
  await node.start();
  await run(node.device);
  node.device = before;
}

/** Sends thirty hours of readings of a tank that is empty and whose pH falls from 6.4 to 5.65. */
function sendPast(id: string): void {
  const units = { waterLevel: { tank: { empty: 500, full: 100 } } };
  node.stores.write('private', [{ kind: 'note', id, notes: { ...NO_NOTES, units }, updatedAt: node.wall }]);
  node.events.emit('noted', () => ({ deviceId: id }));
  for (let hour = 30; hour >= 0; hour -= 1) {
    node.seq += 1n;
    const receivedAt = node.wall - hour * HOUR;
    const values: Partial<Record<FieldName, number>> = { waterLevel: 510, ph: 5.65 + 0.025 * hour };
    const fields = FIELD_NAMES.map((name) => values[name] ?? null);
    node.stores.append('private', id, [{ seq: node.seq, timestamp: BigInt(receivedAt), receivedAt, fields }]);
  }
}

/** Makes every built-in alert and one of a range fire. */
async function fireAll(): Promise<void> {
  await node.write({ ...RANGE_RULE, name: '“pH” \u{1F331} <b>' });
  await node.alerts.handlers.setAlertOptions(OPTIONS);
  const change = async (kind: string, threshold: number) =>
    node.write({ ...(await node.builtIn(kind)), threshold } as RuleInput);
  await change('diskLow', 100_000);
  await change('fieldSilent', 1);
  await change('silent', 120);
  node.withoutBackupSince = node.wall - 72 * HOUR - 0.625;
  node.brokenLogs = [{ store: 'private', since: node.wall - HOUR }];
  await node.write({ ...(await node.builtIn('leavesSoon')), isOn: true } as RuleInput);
  await asDevice('Forecast', (id) => sendPast(id));
  await asDevice('Silent', () => node.receive({ ph: 6 }));
  node.receive({ ph: 5, tempWater: 20 });
  for (let hour = 0; hour < 3; hour += 1) {
    await node.pass(HOUR);
    node.receive({ ph: 5 });
  }
  await expect.poll(node.kinds.bind(node)).toEqual(expect.arrayContaining(['emptySoon firing', 'leavesSoon firing']));
  await asDevice('No clock', async () => {
    for (let minute = 1; minute <= 30; minute += 1) {
      node.receive({ ec: 1 }, minute * MINUTE);
      await node.pass(MINUTE);
    }
  });
  node.receive({ ph: 4.9 });
  const { device: deviceId, events } = node;
  const cause = 'invalid_signature' as const;
  events.emit('refused', () => ({
    store: 'private',
    blocks: Array.from({ length: 100 }, () => ({ deviceId, cause })),
  }));
  events.emit('knocked', () => ({ store: 'private', deviceId: KNOCKING, attempts: 3 }));
  events.emit('storeState', () => ({ store: 'public', refusal: { code: 'full', message: 'full' } }));
  events.emit('deviceSaid', () => ({ deviceId, batteryPercent: 3.5, failedSensors: ['ph'] }));
  events.emit('gateState', () => ({ isLost: true }));
  const damaged = new DamagedFiles({ path: node.stores.folder, log: pino({ level: 'silent' }), now: () => node.wall });
  damaged.add({ file: 'public.db', at: node.wall, copy: null, whole: 'missing', lost: [] });
  await node.pass(MINUTE / 2 + 1000);
  await node.alerts.save();
}

async function all() {
  const { handlers } = node.alerts;
  return {
    rules: (await handlers.alertRules({})).rules.map(({ rule }) => rule),
    options: await handlers.alertOptions({}),
    channels: (await handlers.alertChannels({})).channels.map(({ channel }) => channel),
    live: (await node.live()).map(({ id, kind, state, since, device }) => [id, kind, state, since, device]).sort(),
  };
}

/** Stops as after a kill: keeps the file as it is now, and starts with it. */
async function kill(): Promise<void> {
  const kept = readFileSync(file('alerts.json'));
  await node.alerts.stop();
  writeFileSync(file('alerts.json'), kept);
  await node.start();
}

describe('every alert, rule, channel and option survives', () => {
  it.each([
    ['a stop and start', () => node.alerts.stop().then(() => node.start())],
    ['a kill', kill],
  ])('%s', async (_name, restart) => {
    await fireAll();
    const before = await all();
    expect([...new Set(before.live.map(([, kind]) => kind))].sort()).toEqual([...BUILT_IN_KINDS, 'range'].sort());
    await restart();
    expect(await all()).toEqual(before);
    await restart();
    expect(await all()).toEqual(before);
  });
});

it('a file with fractions from an earlier version is read completely', async () => {
  await fireAll();
  const before = await all();
  await node.alerts.stop();
  const kept = JSON.parse(readFileSync(file('alerts.json'), 'utf8'));
  for (const { alert } of kept.live) alert.since -= 0.25;
  writeFileSync(file('alerts.json'), JSON.stringify(kept));
  rmSync(file('alerts.json.previous'));
  await node.start();
  expect(await all()).toEqual(before);
});

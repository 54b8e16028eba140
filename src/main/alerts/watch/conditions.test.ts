import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RANGE_RULE } from '../../../../test/support/alerts.ts';
import { START, TimedAlerts } from '../../../../test/support/timed-alerts.ts';
import type { RuleInput } from '../../../shared/alerts/rule.ts';
import type { NodeEventMap } from '../../common/node-events.ts';
import { DamagedFiles } from '../../state-files/damaged-files.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let node: TimedAlerts;
beforeEach(async () => {
  node = await TimedAlerts.start();
});
afterEach(() => node.dispose());

it('an unset clock raises an alert after ten minutes, which ends when the clock is set', async () => {
  await node.receiveFor(9, { ph: 6 }, -START);
  expect(await node.kinds()).toEqual([]);
  await node.receiveFor(3, { ph: 6 }, -START);
  expect(await node.kinds()).toEqual(['clockNotSet firing']);
  await node.receiveFor(20, { ph: 6 });
  expect(await node.kinds()).toEqual([]);
});

it('the ten minutes of an unset clock pass by the steady clock, and begin again when it was set', async () => {
  await node.receiveFor(5, { ph: 6 }, -START);
  await node.pass(1000, 30 * HOUR);
  node.wall -= 30 * HOUR;
  expect(await node.kinds()).toEqual([]);
  await node.receiveFor(20, { ph: 6 });
  await node.receiveFor(15, { ph: 6 }, -START);
  expect(await node.kinds()).toEqual([]);
  await node.receiveFor(10, { ph: 6 }, -START);
  expect(await node.kinds()).toEqual(['clockNotSet firing']);
});

describe('refused blocks', () => {
  const refuse = async (
    store: 'private' | 'public',
    count: number,
    cause: NodeEventMap['refused']['blocks'][number]['cause'] = 'invalid_signature',
    deviceId = node.device,
  ) => {
    node.events.emit('refused', () => ({ store, blocks: Array.from({ length: count }, () => ({ deviceId, cause })) }));
    return (await node.live()).map((alert) => `${alert.kind} ${alert.store} ${alert.value}`).toSorted();
  };

  it('raise an alert of their store at a hundred within an hour, until half as many are left', async () => {
    expect(await refuse('private', 99)).toEqual([]);
    await node.pass(HOUR);
    expect(await refuse('private', 50)).toEqual([]);
    await node.pass(30 * MINUTE);
    expect(await refuse('private', 50)).toEqual(['rejected private 100']);
    await node.pass(30 * MINUTE - 1000);
    expect(await node.kinds()).toEqual(['rejected firing']);
    expect(await refuse('public', 100)).toEqual(['rejected private 100', 'rejected public 100']);
    await node.pass(HOUR);
    expect(await node.kinds()).toEqual([]);
  });

  it('of strangers at the public endpoint don’t count, nor those of devices that knock', async () => {
    const stranger = node.stores.register({ name: 'Other' }, ['public']).id;
    node.events.emit('noted', () => ({ deviceId: stranger }));
    await node.pass(MINUTE);
    expect(await refuse('public', 200, 'invalid_signature', stranger)).toEqual([]);
    expect(await refuse('public', 200, 'invalid_signature', 'ee'.repeat(32))).toEqual([]);
    expect(await refuse('public', 200, 'invalid_block')).toEqual([]);
    expect(await refuse('private', 200, 'device_not_found', 'ee'.repeat(32))).toEqual([]);
    expect(await refuse('private', 100, 'invalid_block', '')).toEqual(['rejected private 100']);
  });
});

describe('devices that knock', () => {
  const knock = async (store: 'private' | 'public', deviceId: string, attempts = 3) => {
    node.events.emit('knocked', () => ({ store, deviceId, attempts }));
    return node.kinds();
  };
  const unknown = (number: number) => number.toString(16).padStart(64, '0');

  it('raise an alert at the third try, for a day after the last one', async () => {
    expect(await knock('private', unknown(1), 2)).toEqual([]);
    expect(await knock('private', unknown(1))).toEqual(['knocking firing']);
    await node.pass(23 * HOUR, 300 * HOUR);
    expect(await knock('private', unknown(1), 4)).toEqual(['knocking firing']);
    await node.pass(24 * HOUR);
    expect(await node.kinds()).toEqual(['knocking firing']);
    await node.pass(MINUTE);
    expect(await node.kinds()).toEqual([]);
  });

  it('at the public endpoint raise one only if they are the owner’s', async () => {
    expect(await knock('public', unknown(1))).toEqual([]);
    const stranger = node.stores.register({ name: 'Other' }, ['public']).id;
    await node.write({ ...RANGE_RULE, scope: { kind: 'device', device: stranger } });
    expect(await knock('public', stranger)).toEqual([]);
    expect(await knock('public', node.device)).toEqual(['knocking firing']);
  });

  it('raise twenty alerts at most: anyone can invent devices', async () => {
    for (let number = 1; number <= 19; number += 1) await knock('private', unknown(number));
    expect(await knock('private', unknown(20))).toHaveLength(20);
    expect(await knock('private', unknown(21))).toHaveLength(20);
    node.events.emit('registered', () => ({ store: 'private', deviceId: unknown(1) }));
    expect(await knock('private', unknown(21))).toHaveLength(20);
    expect((await node.live()).map(({ device }) => device)).toContain(unknown(21));
  });
});

it('a disk with less space than the rule’s threshold raises an alert, until the threshold is lower', async () => {
  await node.write({ ...(await node.builtIn('diskLow')), threshold: 100_000 } as RuleInput);
  await node.pass(6 * MINUTE);
  expect(await node.kinds()).toEqual(['diskLow firing']);
  await node.write(await node.builtIn('storeRefuses'));
  expect(await node.kinds()).toEqual(['diskLow firing']);
  await node.write({ ...(await node.builtIn('diskLow')), threshold: 0.1 } as RuleInput);
  expect((await node.ended()).map(({ kind, ended }) => `${kind} ${ended}`)).toEqual(['diskLow rule_changed']);
});

describe('the status of a device', () => {
  const says = async (batteryPercent: number | null, ...failedSensors: string[]) => {
    node.events.emit('deviceSaid', () => ({ deviceId: node.device, batteryPercent, failedSensors }));
    return node.kinds();
  };

  it('reports a low battery until it is charged by more than a margin', async () => {
    expect(await says(20)).toEqual([]);
    expect(await says(19)).toEqual(['batteryLow firing']);
    await node.pass(24 * HOUR);
    expect(await node.kinds()).toContain('batteryLow firing');
    expect(await says(24)).toContain('batteryLow firing');
    expect(await says(25)).toEqual([]);
    expect(await says(null)).toEqual([]);
  });

  it('reports failed sensors until they work', async () => {
    expect(await says(90, 'tds', 'dht')).toEqual(['sensorFailed firing']);
    expect(await says(90, 'dht')).toEqual(['sensorFailed firing']);
    expect(await says(90)).toEqual([]);
  });

  it('is ignored for a device that is not registered', async () => {
    node.events.emit('deviceSaid', () => ({ deviceId: 'ee'.repeat(32), batteryPercent: 1, failedSensors: ['tds'] }));
    expect(await node.kinds()).toEqual([]);
  });
});

it('a gate that can’t listen raises an alert after half a minute, until it listens or is turned off', async () => {
  const gate = (isLost: boolean) => node.events.emit('gateState', () => ({ isLost }));
  gate(true);
  await node.pass(29_000);
  gate(true);
  expect(await node.kinds()).toEqual([]);
  await node.pass(1000);
  expect(await node.kinds()).toEqual(['gateLost firing']);
  gate(false);
  expect(await node.kinds()).toEqual([]);
  gate(true);
  await node.pass(29_000);
  gate(false);
  await node.pass(MINUTE);
  expect((await node.ended()).map(({ kind }) => kind)).toEqual(['gateLost']);
});

it('a missing store raises an alert until the owner dismisses its notice', async () => {
  const log = pino({ level: 'silent' });
  const damaged = new DamagedFiles({ path: node.stores.folder, log, now: () => node.wall });
  const damage = { at: START - HOUR, copy: null, lost: [] };
  damaged.add({ ...damage, file: 'settings.json', whole: 'nothing' });
  await node.pass(MINUTE);
  expect(await node.kinds()).toEqual([]);
  damaged.add({ ...damage, file: 'private.db', whole: 'missing' });
  await node.pass(MINUTE);
  expect(await node.live()).toMatchObject([
    { kind: 'storeMissing', store: 'private', severity: 'critical', state: 'firing', since: START - HOUR },
  ]);
  damaged.dismiss(damaged.list().find(({ file }) => file === 'private.db')!.id);
  await node.pass(MINUTE);
  expect(await node.kinds()).toEqual([]);
  await expect
    .poll(() => node.titles, { timeout: 60_000 })
    .toEqual(['Critical: A store is missing', 'The notice of the missing store was dismissed']);
});

it('alerts of devices that are gone with a missing store stay until its notice is dismissed', async () => {
  await node.write(RANGE_RULE);
  node.receive({ ph: 5 });
  expect(await node.kinds()).toEqual(['range firing']);
  await node.alerts.stop();
  const log = pino({ level: 'silent' });
  const damaged = new DamagedFiles({ path: node.stores.folder, log, now: () => node.wall });
  damaged.add({ at: START, copy: null, lost: [], file: 'private.db', whole: 'missing' });
  node.stores.write('private', [{ kind: 'forget', id: node.device, limit: 1000 }]);
  await node.start();
  await node.pass(MINUTE);
  expect((await node.kinds()).toSorted()).toEqual(['range firing', 'storeMissing firing']);
  damaged.dismiss(damaged.list()[0]!.id);
  await node.pass(MINUTE);
  await node.alerts.stop();
  await node.start();
  expect(await node.kinds()).toEqual([]);
  expect((await node.ended()).map(({ kind, ended }) => `${kind} ${ended}`)).toContain('range forgotten');
});

it('a log that does not continue its signed checkpoint raises a critical alert of its store until it does', async () => {
  node.brokenLogs = [
    { store: 'public', since: START - HOUR },
    { store: 'public', since: START - 2 * HOUR },
    { store: null, since: START - HOUR },
  ];
  await node.pass(MINUTE);
  expect(await node.live()).toMatchObject([
    { kind: 'logBroken', store: null, since: START - HOUR },
    { kind: 'logBroken', store: 'public', severity: 'critical', state: 'firing', since: START - 2 * HOUR },
  ]);
  await expect.poll(() => node.titles[0]).toBe('Critical: A store was changed or put back');
  await node.alerts.stop();
  await node.start();
  expect(await node.kinds()).toEqual(['logBroken firing', 'logBroken firing']);
  node.brokenLogs = [];
  await node.pass(MINUTE);
  expect(await node.kinds()).toEqual([]);
});

it('an acknowledged alert about a log is not repeated while it continues, also after a restart', async () => {
  node.brokenLogs = [{ store: null, since: START - HOUR }];
  await node.pass(MINUTE);
  await expect.poll(() => node.titles).toHaveLength(1);
  const { id } = (await node.live())[0]!;
  await node.alerts.handlers.acknowledgeAlert({ id });
  await node.pass(50 * HOUR);
  await node.alerts.stop();
  await node.start();
  await node.pass(50 * HOUR);
  expect(await node.kinds()).toEqual(['logBroken acknowledged']);
  expect(node.titles).toHaveLength(1);
  // A second broken log raises its own alert.
  node.brokenLogs = [...node.brokenLogs, { store: 'public', since: node.wall }];
  await node.pass(HOUR);
  expect((await node.kinds()).toSorted()).toEqual(['logBroken acknowledged', 'logBroken firing']);
  await expect.poll(() => node.titles).toHaveLength(2);
});

it('an overdue backup raises an alert until one is made, but not without a folder', async () => {
  const HOUR = 60 * MINUTE;
  node.withoutBackupSince = node.wall - 47 * HOUR + MINUTE;
  await node.pass(MINUTE);
  expect(await node.kinds()).toEqual([]);
  await node.pass(HOUR);
  expect(await node.kinds()).toEqual(['backupOverdue firing']);
  node.withoutBackupSince = node.wall;
  node.events.emit('backupsChanged', () => ({}));
  expect(await node.kinds()).toEqual([]);
  node.withoutBackupSince = null;
  await node.pass(100 * HOUR);
  expect(await node.kinds()).toEqual([]);
});

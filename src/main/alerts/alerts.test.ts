import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RANGE_RULE } from '../../../test/support/alerts.ts';
import { START, TimedAlerts } from '../../../test/support/timed-alerts.ts';
import type { RuleInput } from '../../shared/alerts/rule.ts';
import { NO_NOTES } from '../../shared/owner-data/notes.ts';
import { DamagedFiles } from '../state-files/damaged-files.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let node: TimedAlerts;
beforeEach(async () => {
  node = await TimedAlerts.start();
});
afterEach(() => node.dispose());

describe('silence', () => {
  it('is reported once, again as the rule repeats, not after it is acknowledged, and when it ends', async () => {
    await node.write({ ...(await node.builtIn('silent')), repeatMinutes: 30 } as RuleInput);
    await node.receiveFor(5, { ph: 6 });
    await node.pass(MINUTE);
    expect(await node.kinds()).toEqual([]);
    await node.pass(2 * MINUTE);
    expect(await node.kinds()).toEqual(['silent firing']);
    await node.pass(29 * MINUTE);
    await expect.poll(() => node.shown.length, { timeout: 60_000 }).toBe(1);
    await node.pass(MINUTE);
    await expect.poll(() => node.shown.length, { timeout: 60_000 }).toBe(2);
    const id = (await node.live())[0]!.id;
    await node.alerts.handlers.acknowledgeAlert({ id });
    await node.pass(10 * HOUR);
    expect(await node.kinds()).toEqual(['silent acknowledged']);
    node.receive({ ph: 6 });
    expect(await node.live()).toEqual([]);
    await expect.poll(() => node.shown, { timeout: 60_000 }).toEqual([id, id, id]);
  });

  it('that is snoozed is reported again at its time, and not before', async () => {
    await node.receiveFor(5, { ph: 6 });
    await node.pass(HOUR);
    await expect.poll(() => node.shown.length, { timeout: 60_000 }).toBe(1);
    await node.alerts.handlers.snoozeAlert({ id: node.shown[0]!, until: node.wall + HOUR });
    await node.pass(HOUR - 1);
    expect(node.shown.length).toBe(1);
    expect(await node.kinds()).toEqual(['silent snoozed']);
    await node.pass(1);
    await expect.poll(() => node.shown.length, { timeout: 60_000 }).toBe(2);
    expect(await node.kinds()).toEqual(['silent firing']);
  });

  it('can’t be snoozed until a time in the past', async () => {
    await node.receiveFor(5, { ph: 6 });
    await node.pass(HOUR);
    await expect.poll(() => node.shown.length, { timeout: 60_000 }).toBe(1);
    const id = node.shown[0]!;
    for (const until of [0, node.wall - HOUR, node.wall]) {
      await expect((async () => node.alerts.handlers.snoozeAlert({ id, until }))()).rejects.toMatchObject({
        code: 'invalid_input',
        message: 'until: is not ahead of now',
      });
    }
    expect(await node.kinds()).toEqual(['silent firing']);
  });

  it('does not count time when the clock was set, the computer slept, or the node did not run', async () => {
    await node.receiveFor(5, { ph: 6 });
    await node.pass(1000, 30 * HOUR);
    expect(await node.kinds()).toEqual([]);
    await node.pass(1000, -60 * HOUR);
    expect(await node.kinds()).toEqual([]);
    node.receive({ ph: 6 });
    await node.alerts.stop();
    node.wall += 30 * HOUR;
    await node.start();
    await node.pass(MINUTE);
    expect(await node.kinds()).toEqual([]);
    await node.pass(3 * MINUTE);
    expect(await node.kinds()).toEqual(['silent firing']);
  });

  it('of one field is reported while others continue; a manual pH entry ignores repeated values beside it', async () => {
    await node.write({ ...(await node.builtIn('fieldSilent')), threshold: 2 } as RuleInput);
    await node.write({ ...(await node.builtIn('silent')), isOn: false } as RuleInput);
    node.receive({ ec: 700, tempWater: 20 });
    await node.pass(HOUR);
    node.receive({ ec: 700, tempWater: 20, ph: 6 });
    await node.pass(HOUR + MINUTE);
    // Both values were last measured two hours ago, so the device counts as silent.
    expect(await node.kinds()).toEqual(['fieldSilent firing', 'fieldSilent firing']);
    node.receive({ ec: 701 });
    expect((await node.live()).map(({ field }) => field)).toEqual(['tempWater']);
    node.receive({ tempWater: 20 });
    expect(await node.live()).toEqual([]);
  });
});

describe('a message about one of several devices of one name', () => {
  it('has the last four digits of its id', async () => {
    node.stores.register({ name: 'Tank' }, ['private']);
    await node.alerts.stop();
    await node.start();
    await node.write(RANGE_RULE);
    node.receive({ ph: 5 });
    await node.pass(MINUTE);
    await expect.poll(() => node.titles.length, { timeout: 60_000 }).toBeGreaterThan(0);
    expect(node.titles[0]).toBe(`Tank (${node.device.slice(-4)}): pH below its range`);
  });
});

describe('a rule that is added', () => {
  const FOR_10: RuleInput = { ...RANGE_RULE, forMinutes: 10 };
  beforeEach(async () => {
    await node.write({ ...(await node.builtIn('silent')), isOn: false } as RuleInput);
  });

  it('fires at once for a value that has been out of range for its time, and says since when', async () => {
    await node.receiveFor(3, { ph: 6 });
    const since = node.wall;
    await node.receiveFor(30, { ph: 5 });
    await node.write(FOR_10);
    expect(await node.live()).toMatchObject([{ kind: 'range', state: 'firing', since, value: 5, extreme: 5 }]);
    await node.pass(MINUTE);
    await expect.poll(() => node.shown.length, { timeout: 60_000 }).toBe(1);
    node.receive({ ph: 6.5 });
    expect(await node.live()).toEqual([]);
  });

  it('says how long a value has been out of range before it fires, and fires after its time', async () => {
    await node.receiveFor(3, { ph: 6 });
    const since = node.wall;
    await node.receiveFor(6, { ph: 5 });
    await node.write(FOR_10);
    expect(await node.live()).toMatchObject([{ state: 'pending', since }]);
    await node.receiveFor(4, { ph: 5 });
    expect(await node.kinds()).toEqual(['range pending']);
    await node.receiveFor(1, { ph: 5 });
    expect(await node.kinds()).toEqual(['range firing']);
  });

  it('searches many readings for the beginning, up to the last value in range', async () => {
    await node.receiveFor(2, { ph: 5 });
    await node.receiveFor(2, { ph: 6 });
    const since = node.wall;
    await node.receiveFor(1200, { ph: 5 });
    await node.write(FOR_10);
    expect(await node.live()).toMatchObject([{ state: 'firing', since }]);
  });

  it('finds nothing if the newest value is in range', async () => {
    await node.receiveFor(30, { ph: 5 });
    await node.receiveFor(1, { ph: 6 });
    await node.write(FOR_10);
    expect(await node.live()).toEqual([]);
    expect(await node.ended()).toEqual([]);
  });

  it('of another field keeps the time of the last value in range of the first one', async () => {
    await node.write(FOR_10);
    await node.receiveFor(5, { ph: 6, ec: 1000 });
    await node.write({ ...FOR_10, field: 'ec', low: 500, high: 2000 } as RuleInput);
    const since = node.wall;
    node.receive({ ph: 5 });
    node.receive({ ph: 5 }, since - 3 * MINUTE);
    expect(await node.live()).toMatchObject([{ field: 'ph', state: 'pending', since }]);
  });

  it('evaluates earlier readings again after a change', async () => {
    const since = node.wall;
    await node.receiveFor(30, { ph: 6.4 });
    const rule = await node.write(FOR_10);
    expect(await node.live()).toEqual([]);
    await node.write({ ...rule, high: 6.3 } as RuleInput);
    expect(await node.live()).toMatchObject([{ state: 'firing', side: 'high', since }]);
  });
});

describe('a message that waited for quiet hours to end', () => {
  it('has the value at that time, and the worst since the beginning', async () => {
    await node.write({ ...(await node.builtIn('silent')), isOn: false } as RuleInput);
    const clockAt = (at: number) => new Date(at).toTimeString().slice(0, 5);
    const quietHours = { from: clockAt(START - HOUR), to: clockAt(START + HOUR) };
    await node.alerts.handlers.setAlertOptions({ ...(await node.alerts.handlers.alertOptions({})), quietHours });
    await node.write(RANGE_RULE);
    await node.receiveFor(1, { ph: 5 });
    await node.receiveFor(1, { ph: 4.25 });
    await node.receiveFor(90, { ph: 5.25 });
    // The timer of the outbox uses the system clock: this call wakes it.
    await node.alerts.handlers.setAlertOptions(await node.alerts.handlers.alertOptions({}));
    await expect.poll(() => node.texts.length, { timeout: 60_000 }).toBe(1);
    expect(node.texts[0]).toMatch(
      /^5\.25 now; at least 5\.50 is right\. Out of range since .*\. Worst since then: 4\.25\.\n/,
    );
  });
});

describe('a range, when clocks are set,', () => {
  const FOR_10: RuleInput = { ...RANGE_RULE, forMinutes: 10 };
  beforeEach(async () => {
    await node.write({ ...(await node.builtIn('silent')), isOn: false } as RuleInput);
    await node.write({ ...(await node.builtIn('clockNotSet')), isOn: false } as RuleInput);
    await node.write(FOR_10);
  });

  it('does not fire early if this node’s clock is a day ahead', async () => {
    await node.receiveFor(5, { ph: 5 });
    const sent = node.wall;
    node.wall += 24 * HOUR;
    node.receive({ ph: 5 }, sent);
    expect(await node.kinds()).toEqual(['range pending']);
    await node.receiveFor(4, { ph: 5 }, -24 * HOUR);
    expect(await node.kinds()).toEqual(['range pending']);
    await node.receiveFor(3, { ph: 5 }, -24 * HOUR);
    expect(await node.kinds()).toEqual(['range firing']);
  });

  it('neither fires nor ends if this node’s clock goes back by a day, and counts from then on', async () => {
    await node.receiveFor(5, { ph: 5 });
    node.wall -= 24 * HOUR;
    await node.receiveFor(9, { ph: 5 }, 24 * HOUR);
    expect(await node.kinds()).toEqual(['range pending']);
    await node.receiveFor(2, { ph: 5 }, 24 * HOUR);
    expect(await node.kinds()).toEqual(['range firing']);
    node.wall -= 24 * HOUR;
    await node.receiveFor(2, { ph: 5 }, 48 * HOUR);
    expect(await node.kinds()).toEqual(['range firing']);
    node.receive({ ph: 6 }, node.wall + 48 * HOUR);
    expect(await node.live()).toEqual([]);
    expect((await node.ended()).map(({ ended }) => ended)).toEqual(['back']);
  });

  it('never counts timestamps in the future', async () => {
    node.receive({ ph: 5 });
    node.receive({ ph: 5 }, node.wall + 30 * MINUTE);
    expect(await node.kinds()).toEqual(['range pending']);
  });

  it('uses the arrival if the device has no clock, and starts to wait again if either clock is set', async () => {
    const boot = START - 1000;
    await node.receiveFor(12, { ph: 6 }, -boot);
    await node.receiveFor(9, { ph: 5 }, -boot);
    expect(await node.kinds()).toEqual(['range pending']);
    // The node's clock is set: the time that passed does not count.
    await node.pass(MINUTE, 5 * HOUR);
    await node.receiveFor(9, { ph: 5 }, -boot);
    expect(await node.kinds()).toEqual(['range pending']);
    await node.receiveFor(2, { ph: 5 }, -boot);
    expect(await node.kinds()).toEqual(['range firing']);
  });

  it('a backlog fires by its last reading, and ignores values that returned into the range', async () => {
    node.receive({ ph: 6 });
    await node.pass(12 * HOUR);
    const backlog = (ph: (ago: number) => number) => {
      for (let ago = 10 * 60; ago >= 0; ago -= 1) node.receive({ ph: ph(ago) }, node.wall - ago * MINUTE);
    };
    backlog((ago) => (ago > 300 && ago < 400 ? 5 : 6));
    expect([await node.live(), await node.ended()]).toEqual([[], []]);
    await node.pass(12 * HOUR);
    backlog((ago) => (ago < 60 ? 5 : 6));
    expect(await node.kinds()).toEqual(['range firing']);
    expect((await node.live())[0]!.since).toBe(node.wall - 59 * MINUTE);
  });

  it('a device whose clock is behind raises an alert like any other', async () => {
    await node.receiveFor(20, { ph: 5 }, -3 * HOUR);
    expect(await node.kinds()).toEqual(['range firing']);
  });
});

it('an unset clock raises an alert after ten minutes, which ends when the clock is set', async () => {
  await node.receiveFor(9, { ph: 6 }, -START);
  expect(await node.kinds()).toEqual([]);
  await node.receiveFor(3, { ph: 6 }, -START);
  expect(await node.kinds()).toEqual(['clockNotSet firing']);
  await node.receiveFor(20, { ph: 6 });
  expect(await node.kinds()).toEqual([]);
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

it('an overdue backup raises an alert until one is made; without a folder none is due', async () => {
  const HOUR = 60 * MINUTE;
  node.withoutBackupSince = node.wall - 47 * HOUR;
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

it('while every rule is off nothing listens to readings; a rule that is turned on knows the devices', async () => {
  for (const { rule } of (await node.alerts.handlers.alertRules({})).rules)
    await node.write({ ...rule, isOn: false } as RuleInput);
  await node.alerts.stop();
  await node.start();
  expect(node.events.isHeard('stored')).toBe(false);
  node.receive({ ph: 5 });
  await node.write(RANGE_RULE);
  expect(node.events.isHeard('stored')).toBe(true);
  await node.pass(MINUTE);
  node.receive({ ph: 5 });
  expect(await node.kinds()).toEqual(['range firing']);
});

it('rules watch a device after the owner claims it, and never a stranger’s', async () => {
  const stranger = node.stores.register({ name: 'Other' }, ['public']).id;
  await node.write(RANGE_RULE);
  node.device = stranger;
  const receivePublic = () => {
    node.seq += 1n;
    const times = { seq: String(node.seq), timestamp: String(node.wall), receivedAt: node.wall };
    const reading = { deviceId: stranger, ...times, values: { ph: 5 }, sealed: [] };
    node.events.emit('stored', () => ({ store: 'public', readings: [reading] }));
  };
  receivePublic();
  expect(await node.live()).toEqual([]);
  node.stores.write('private', [
    { kind: 'note', id: stranger, notes: { ...NO_NOTES, mine: true }, updatedAt: node.wall },
  ]);
  node.events.emit('noted', () => ({ deviceId: stranger }));
  await expect
    .poll(async () => {
      receivePublic();
      return node.kinds();
    })
    .toEqual(['range firing']);
});

it('a hidden device has no alerts, and has them again when it is shown', async () => {
  await node.write(RANGE_RULE);
  node.receive({ ph: 5 });
  expect(await node.kinds()).toEqual(['range firing']);
  const hide = (isHidden: boolean) => {
    const notes = { ...NO_NOTES, isHidden };
    node.stores.write('private', [{ kind: 'note', id: node.device, notes, updatedAt: node.wall }]);
    node.events.emit('noted', () => ({ deviceId: node.device }));
  };
  hide(true);
  await expect.poll(() => node.kinds()).toEqual([]);
  node.wall += MINUTE;
  node.receive({ ph: 5 });
  expect(await node.kinds()).toEqual([]);
  hide(false);
  await expect
    .poll(async () => {
      node.wall += MINUTE;
      node.receive({ ph: 5 });
      return node.kinds();
    })
    .toEqual(['range firing']);
});

it('a rule for all devices is compared in the unit that a device sends, also after a note changes it', async () => {
  await node.write({ ...RANGE_RULE, field: 'tempWater', low: 15, high: 25, margin: 0 });
  node.receive({ tempWater: 70 });
  expect(await node.kinds()).toEqual(['range firing']);
  const units = { tempWater: { sent: 'fahrenheit' } } as const;
  node.stores.write('private', [
    { kind: 'note', id: node.device, notes: { ...NO_NOTES, units }, updatedAt: node.wall },
  ]);
  node.events.emit('noted', () => ({ deviceId: node.device }));
  // 70 °F are 21 °C, and 80 °F are 27 °C.
  await expect
    .poll(async () => {
      node.wall += MINUTE;
      node.receive({ tempWater: 70 });
      return node.kinds();
    })
    .toEqual([]);
  node.wall += MINUTE;
  node.receive({ tempWater: 80 });
  expect(await node.live()).toMatchObject([{ kind: 'range', state: 'firing', side: 'high', value: 80, limit: 77 }]);
});

it('a rule on a derived field is compared in its own unit, reading by reading', async () => {
  await node.write({ ...RANGE_RULE, field: 'vpd', low: 0.4, high: 1.6, margin: 0 });
  // The VPD is 1.27 kPa at 25 °C and 60 %, and 1.9 kPa at 40 %.
  node.receive({ tempAmbient: 25, humidity: 60 });
  node.wall += MINUTE;
  node.receive({ humidity: 5 });
  expect(await node.kinds()).toEqual([]);
  node.wall += MINUTE;
  node.receive({ tempAmbient: 25, humidity: 40 });
  const [alert] = await node.live();
  expect(alert).toMatchObject({ kind: 'range', field: 'vpd', state: 'firing', side: 'high', limit: 1.6 });
  expect(alert!.value).toBeCloseTo(1.9, 2);
  node.wall += MINUTE;
  node.receive({ tempAmbient: 25, humidity: 60 });
  expect(await node.kinds()).toEqual([]);
});

it('a rule on the leaf uses the owner’s offset, and evaluates nothing without one', async () => {
  const rule = { ...RANGE_RULE, field: 'vpdLeaf', low: 1, high: 5, margin: 0 } as const;
  node.receive({ tempAmbient: 25, humidity: 60 });
  await node.write(rule);
  expect(await node.kinds()).toEqual([]);
  // With leaves two degrees cooler it is 0.91 kPa.
  const climate = { [node.device]: { leafOffset: -2 } };
  node.stores.write('private', [
    { kind: 'choose', name: 'climate', value: JSON.stringify(climate), updatedAt: node.wall },
  ]);
  node.events.emit('chosen', () => ({ names: ['climate'] }));
  await expect
    .poll(async () => {
      node.wall += MINUTE;
      node.receive({ tempAmbient: 25, humidity: 60 });
      return node.kinds();
    })
    .toEqual(['range firing']);
});

it('a rule on a derived field reports devices with a sealed source', async () => {
  await node.write({ ...RANGE_RULE, field: 'dewPoint', low: null, high: 18, margin: 0 });
  const times = { seq: '1', timestamp: String(node.wall), receivedAt: node.wall };
  const reading = { deviceId: node.device, ...times, values: { tempAmbient: 25 }, sealed: ['humidity' as const] };
  node.events.emit('stored', () => ({ store: 'private', readings: [reading] }));
  const { rules } = await node.alerts.handlers.alertRules({});
  expect(rules.find(({ rule }) => rule.kind === 'range')).toMatchObject({ sealedOn: [node.device] });
  expect(await node.kinds()).toEqual([]);
});

it('a new rule on a derived field finds since when it has been out of range', async () => {
  await node.receiveFor(30, { tempAmbient: 25, humidity: 30 });
  await node.write({ ...RANGE_RULE, field: 'vpd', low: null, high: 1.6, margin: 0, forMinutes: 10 });
  expect(await node.kinds()).toEqual(['range firing']);
});

describe('a calibration', () => {
  const calibrate = (reference: number, shown: number): void => {
    const act = { kind: 'calibrated' as const, field: 'ph' as const, points: [{ reference, shown }] };
    const entry = { id: null, device: node.device, at: node.wall, text: '', act, updatedAt: node.wall };
    node.stores.write('private', [{ kind: 'writeEntry', ...entry }]);
  };

  it('corrects the values of rules from then on', async () => {
    await node.write(RANGE_RULE);
    await node.receiveFor(2, { ph: 6.4 });
    expect(await node.kinds()).toEqual([]);
    calibrate(7, 6.8);
    node.events.emit('journalChanged', () => ({ id: 1 }));
    await expect
      .poll(async () => {
        await node.receiveFor(1, { ph: 6.4 });
        return node.kinds();
      })
      .toEqual(['range firing']);
    expect((await node.live())[0]!.value).toBe(6.6);
  });

  it('corrects the earlier values that a new rule evaluates', async () => {
    await node.receiveFor(2, { ph: 6.4 });
    calibrate(7, 6.8);
    await node.receiveFor(2, { ph: 6.4 });
    await node.alerts.stop();
    await node.start();
    await node.write(RANGE_RULE);
    expect((await node.live()).map(({ value }) => value)).toEqual([6.6]);
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RANGE_RULE } from '../../../../test/support/alerts.ts';
import { START, TimedAlerts } from '../../../../test/support/timed-alerts.ts';
import type { Alert } from '../../../shared/alerts/alert.ts';
import type { RuleInput } from '../../../shared/alerts/rule.ts';
import { NO_NOTES } from '../../../shared/owner-data/notes.ts';
import { FIELD_NAMES } from '../../../shared/protocol/fields.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let node: TimedAlerts;
beforeEach(async () => {
  node = await TimedAlerts.start();
});
afterEach(() => node.dispose());

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

it('a rule with another margin ends its alert by the new one', async () => {
  const rule = await node.write(RANGE_RULE);
  node.receive({ ph: 5 });
  await node.write({ ...rule, margin: 0.4 } as RuleInput);
  expect(await node.kinds()).toEqual(['range firing']);
  for (const [ph, kinds] of [
    [5.8, ['range firing']],
    [5.9, []],
  ] as const) {
    await node.pass(MINUTE);
    node.receive({ ph });
    expect(await node.kinds()).toEqual(kinds);
  }
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

  it('is not blind until the old time if this node’s clock goes back while all is well', async () => {
    const boot = START - 1000;
    await node.receiveFor(12, { ph: 6 }, -boot);
    await node.pass(MINUTE, -5 * HOUR);
    await node.receiveFor(12, { ph: 5 }, -boot + 5 * HOUR);
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
  await node.pass(MINUTE);
  node.receive({ tempAmbient: 25, humidity: 60 });
  const { rules: now } = await node.alerts.handlers.alertRules({});
  expect(now.find(({ rule }) => rule.kind === 'range')).toMatchObject({ sealedOn: [] });
});

it('a new rule on a derived field finds since when it has been out of range', async () => {
  await node.receiveFor(30, { tempAmbient: 25, humidity: 30 });
  await node.write({ ...RANGE_RULE, field: 'vpd', low: null, high: 1.6, margin: 0, forMinutes: 10 });
  expect(await node.kinds()).toEqual(['range firing']);
});

describe('a late value', () => {
  beforeEach(async () => {
    await node.write(RANGE_RULE);
    await node.receiveFor(20, { ph: 6 });
    node.receive({ ph: 6 });
  });

  it('in range does not make older ones count as the newest', async () => {
    node.receive({ ph: 6 }, node.wall - 5 * MINUTE);
    node.receive({ ph: 5 }, node.wall - 3 * MINUTE);
    expect(await node.live()).toEqual([]);
  });

  it('out of range is none of the present', async () => {
    node.receive({ ph: 5 }, node.wall - 3 * MINUTE);
    expect(await node.live()).toEqual([]);
  });
});

it('an alert that ends as the other side begins keeps its own extreme', async () => {
  await node.write(RANGE_RULE);
  for (const ph of [5, 4, 5, 8]) {
    node.receive({ ph });
    await node.pass(MINUTE);
  }
  expect(await node.ended()).toMatchObject([{ side: 'low', extreme: 4, value: 8 }]);
  expect(await node.live()).toMatchObject([{ side: 'high', extreme: 8 }]);
});

it('a reading that arrives while a new rule looks back counts', async () => {
  await node.receiveFor(3, { ph: 6 });
  const written = node.write(RANGE_RULE);
  const times = { seq: '100', timestamp: String(node.wall), receivedAt: node.wall };
  const reading = { deviceId: node.device, ...times, values: { ph: 5 }, sealed: [] };
  node.events.emit('stored', () => ({ store: 'private', readings: [reading] }));
  await written;
  expect(await node.kinds()).toEqual(['range firing']);
});

it('a reading that a stopped node stored without evaluating it counts at the next start', async () => {
  await node.write(RANGE_RULE);
  node.receive({ ph: 6 });
  node.wall += 30_000;
  const receivedAt = node.wall;
  node.wall += 20_000;
  await node.alerts.stop();
  const store = (seq: bigint, ph: number, at: number) => {
    const fields = FIELD_NAMES.map((name) => (name === 'ph' ? ph : null));
    node.stores.append('private', node.device, [{ seq, timestamp: BigInt(at), receivedAt: at, fields }]);
  };
  store(100n, 5, receivedAt);
  store(101n, 6, receivedAt + 1000);
  store(102n, 5, receivedAt + 2000);
  await node.start();
  expect(await node.live()).toMatchObject([{ kind: 'range', state: 'firing', since: receivedAt + 2000 }]);
  expect(await node.ended()).toMatchObject([{ since: receivedAt, endedAt: receivedAt + 1000, ended: 'back' }]);
});

describe('a restart', () => {
  it('does not let the time of a pending alert begin again', async () => {
    await node.write({ ...RANGE_RULE, forMinutes: 10 });
    node.receive({ ph: 6 });
    node.wall += 20_000;
    const since = node.wall;
    for (let count = 0; count < 10; count += 1) {
      node.receive({ ph: 5 });
      await node.pass(20_000);
    }
    await node.alerts.stop();
    await node.start();
    node.receive({ ph: 5 });
    expect(await node.live()).toMatchObject([{ state: 'pending', since }]);
  });

  it('ends no acknowledged alert before the value is back by the margin', async () => {
    await node.write(RANGE_RULE);
    node.receive({ ph: 5 });
    const [{ id }] = (await node.live()) as [Alert];
    await node.alerts.handlers.acknowledgeAlert({ id });
    // A start evaluates the readings of the last minute again.
    await node.pass(2 * MINUTE);
    await node.alerts.stop();
    await node.start();
    node.receive({ ph: 5.55 });
    expect(await node.live()).toMatchObject([{ id, state: 'acknowledged' }]);
    await node.pass(MINUTE);
    node.receive({ ph: 5.6 });
    expect(await node.live()).toEqual([]);
  });
});

it('requests that overtake each other by seconds do not let the time of a pending alert begin again', async () => {
  await node.write({ ...RANGE_RULE, forMinutes: 10 });
  node.receive({ ph: 6 });
  await node.pass(MINUTE);
  const since = node.wall;
  node.receive({ ph: 5 });
  await node.pass(MINUTE);
  node.receive({ ph: 5 });
  node.wall -= 5000;
  node.receive({ ph: 5 });
  expect(await node.live()).toMatchObject([{ state: 'pending', since }]);
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

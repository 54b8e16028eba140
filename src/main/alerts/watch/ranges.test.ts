import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RANGE_RULE } from '../../../../test/support/alerts.ts';
import { START, TimedAlerts } from '../../../../test/support/timed-alerts.ts';
import type { Alert } from '../../../shared/alerts/alert.ts';
import type { RuleInput } from '../../../shared/alerts/rule.ts';
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

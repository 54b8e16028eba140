import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RANGE_RULE } from '../../../test/support/alerts.ts';
import { OwnerStoresForTest } from '../../../test/support/owner-stores.ts';
import type { RuleInput } from '../../shared/alerts/rule.ts';
import { NO_NOTES } from '../../shared/owner-api/devices.ts';
import { FIELD_NAMES, type FieldName } from '../../shared/protocol/fields.ts';
import { EventBus } from '../common/event-bus.ts';
import type { NodeEventMap } from '../common/node-events.ts';
import { Alerts } from './alerts.ts';

// Alerts on real stores and files, with a clock that the test sets.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = 1_790_000_000_000;
type Values = Partial<Record<FieldName, number>>;

let stores: OwnerStoresForTest;
let events: EventBus<NodeEventMap>;
let alerts: Alerts;
let device: string;
let seq: bigint;
let wall: number;
let steady: number;
let shown: string[];
const clock = { now: () => wall, steady: () => steady };

beforeEach(async () => {
  stores = new OwnerStoresForTest();
  device = stores.register({ name: 'Tank' }, ['private']).id;
  [seq, wall, steady, shown] = [0n, START, 5000, []];
  await start();
  // What is told is shown, which takes no server.
  await alerts.handlers.writeAlertChannel({
    channel: { id: null, name: '', isOn: true, withoutValues: false, maxPerHour: 1000, target: { kind: 'desktop' } },
    secrets: {},
  });
});
afterEach(async () => {
  await alerts.stop();
  await stores.dispose();
});

async function start() {
  const log = pino({ level: 'silent' });
  events = new EventBus<NodeEventMap>(log);
  events.on('noticed', ({ alert }) => shown.push(alert!));
  const parts = { folder: { path: stores.folder }, stores: { paths: stores.paths }, language: () => null };
  alerts = new Alerts({ ...parts, events, log, clock });
  await alerts.start();
}
/** Time passes, and what did not happen is noticed; `by` is how far the clock on the wall goes. */
async function pass(ms: number, by = ms) {
  wall += by;
  steady += ms;
  await alerts.look();
}
/** A reading arrives: it is stored, and told of. */
function receive(values: Values, timestamp = wall) {
  seq += 1n;
  const fields = FIELD_NAMES.map((name) => values[name] ?? null);
  stores.append('private', device, [{ seq, timestamp: BigInt(timestamp), receivedAt: wall, fields }]);
  const times = { seq: String(seq), timestamp: String(timestamp), receivedAt: wall };
  const reading = { deviceId: device, ...times, values, sealed: [] };
  events.emit('stored', () => ({ store: 'private', readings: [reading] }));
}
const write = (rule: RuleInput) => alerts.handlers.writeAlertRule({ rule });
const builtIn = async (kind: string) =>
  (await alerts.handlers.alertRules({})).rules.find(({ rule }) => rule.id === kind)!.rule;
const live = async () => (await alerts.handlers.alerts({})).alerts;
const kinds = async () => (await live()).map(({ kind, state }) => `${kind} ${state}`);
const ended = async () =>
  (await alerts.handlers.alertHistory({ device: null, rule: null, before: null, limit: 50 })).alerts;
/** A reading a minute for so long. */
async function receiveFor(minutes: number, values: Values, offset = 0) {
  for (let minute = 0; minute < minutes; minute += 1) {
    receive(values, wall + offset);
    await pass(MINUTE);
  }
}

describe('silence', () => {
  it('is told once, again as the rule repeats, not when acknowledged, and when it ends', async () => {
    await write({ ...(await builtIn('silent')), repeatMinutes: 30 } as RuleInput);
    await receiveFor(5, { ph: 6 });
    await pass(MINUTE);
    expect(await kinds()).toEqual([]);
    await pass(2 * MINUTE);
    expect(await kinds()).toEqual(['silent firing']);
    await pass(29 * MINUTE);
    await expect.poll(() => shown.length, { timeout: 60_000 }).toBe(1);
    await pass(MINUTE);
    await expect.poll(() => shown.length, { timeout: 60_000 }).toBe(2);
    const id = (await live())[0]!.id;
    await alerts.handlers.acknowledgeAlert({ id });
    await pass(10 * HOUR);
    expect(await kinds()).toEqual(['silent acknowledged']);
    receive({ ph: 6 });
    expect(await live()).toEqual([]);
    await expect.poll(() => shown, { timeout: 60_000 }).toEqual([id, id, id]);
  });

  it('that is snoozed is told again at its time, and not before', async () => {
    await receiveFor(5, { ph: 6 });
    await pass(HOUR);
    await expect.poll(() => shown.length, { timeout: 60_000 }).toBe(1);
    await alerts.handlers.snoozeAlert({ id: shown[0]!, until: wall + HOUR });
    await pass(HOUR - 1);
    expect(shown.length).toBe(1);
    expect(await kinds()).toEqual(['silent snoozed']);
    await pass(1);
    await expect.poll(() => shown.length, { timeout: 60_000 }).toBe(2);
    expect(await kinds()).toEqual(['silent firing']);
  });

  it('is none where the clock is set, the computer slept, or the node did not run', async () => {
    await receiveFor(5, { ph: 6 });
    await pass(1000, 30 * HOUR);
    expect(await kinds()).toEqual([]);
    await pass(1000, -60 * HOUR);
    expect(await kinds()).toEqual([]);
    receive({ ph: 6 });
    await alerts.stop();
    wall += 30 * HOUR;
    await start();
    await pass(MINUTE);
    expect(await kinds()).toEqual([]);
    await pass(3 * MINUTE);
    expect(await kinds()).toEqual(['silent firing']);
  });

  it('of one field is told where the others go on; a pH by hand says nothing of what is repeated beside it', async () => {
    await write({ ...(await builtIn('fieldSilent')), threshold: 2 } as RuleInput);
    await write({ ...(await builtIn('silent')), isOn: false } as RuleInput);
    receive({ ec: 700, tempWater: 20 });
    await pass(HOUR);
    receive({ ec: 700, tempWater: 20, ph: 6 });
    await pass(HOUR + MINUTE);
    // Last measured two hours ago, both of them: then it is the device.
    expect(await kinds()).toEqual(['fieldSilent firing', 'fieldSilent firing']);
    receive({ ec: 701 });
    expect((await live()).map(({ field }) => field)).toEqual(['tempWater']);
    receive({ tempWater: 20 });
    expect(await live()).toEqual([]);
  });
});

describe('a range, where clocks are set,', () => {
  const FOR_10: RuleInput = { ...RANGE_RULE, forMinutes: 10 };
  beforeEach(async () => {
    await write({ ...(await builtIn('silent')), isOn: false } as RuleInput);
    await write({ ...(await builtIn('clockNotSet')), isOn: false } as RuleInput);
    await write(FOR_10);
  });

  it('fires no sooner because this node’s goes ahead by a day', async () => {
    await receiveFor(5, { ph: 5 });
    const sent = wall;
    wall += 24 * HOUR;
    receive({ ph: 5 }, sent);
    expect(await kinds()).toEqual(['range pending']);
    await receiveFor(4, { ph: 5 }, -24 * HOUR);
    expect(await kinds()).toEqual(['range pending']);
    await receiveFor(3, { ph: 5 }, -24 * HOUR);
    expect(await kinds()).toEqual(['range firing']);
  });

  it('neither fires nor ends because this node’s goes back by a day, and counts from then on', async () => {
    await receiveFor(5, { ph: 5 });
    wall -= 24 * HOUR;
    await receiveFor(9, { ph: 5 }, 24 * HOUR);
    expect(await kinds()).toEqual(['range pending']);
    await receiveFor(2, { ph: 5 }, 24 * HOUR);
    expect(await kinds()).toEqual(['range firing']);
    wall -= 24 * HOUR;
    await receiveFor(2, { ph: 5 }, 48 * HOUR);
    expect(await kinds()).toEqual(['range firing']);
    receive({ ph: 6 }, wall + 48 * HOUR);
    expect(await live()).toEqual([]);
    expect((await ended()).map(({ ended }) => ended)).toEqual(['back']);
  });

  it('never counts by dates that lie ahead', async () => {
    receive({ ph: 5 });
    receive({ ph: 5 }, wall + 30 * MINUTE);
    expect(await kinds()).toEqual(['range pending']);
  });

  it('goes by arrival where the device has none, and waits from the start when either is set', async () => {
    const boot = START - 1000;
    await receiveFor(12, { ph: 6 }, -boot);
    await receiveFor(9, { ph: 5 }, -boot);
    expect(await kinds()).toEqual(['range pending']);
    // The node's own is set: what was waited for says nothing.
    await pass(MINUTE, 5 * HOUR);
    await receiveFor(9, { ph: 5 }, -boot);
    expect(await kinds()).toEqual(['range pending']);
    await receiveFor(2, { ph: 5 }, -boot);
    expect(await kinds()).toEqual(['range firing']);
  });

  it('a backlog fires by its end, and says nothing of what was right again', async () => {
    receive({ ph: 6 });
    await pass(12 * HOUR);
    const backlog = (ph: (ago: number) => number) => {
      for (let ago = 10 * 60; ago >= 0; ago -= 1) receive({ ph: ph(ago) }, wall - ago * MINUTE);
    };
    backlog((ago) => (ago > 300 && ago < 400 ? 5 : 6));
    expect([await live(), await ended()]).toEqual([[], []]);
    await pass(12 * HOUR);
    backlog((ago) => (ago < 60 ? 5 : 6));
    expect(await kinds()).toEqual(['range firing']);
    expect((await live())[0]!.since).toBe(wall - 59 * MINUTE);
  });

  it('a device whose clock is behind is told of as any other', async () => {
    await receiveFor(20, { ph: 5 }, -3 * HOUR);
    expect(await kinds()).toEqual(['range firing']);
  });
});

it('a clock that is not set is told of after ten minutes, and ends when it is', async () => {
  await receiveFor(9, { ph: 6 }, -START);
  expect(await kinds()).toEqual([]);
  await receiveFor(3, { ph: 6 }, -START);
  expect(await kinds()).toEqual(['clockNotSet firing']);
  await receiveFor(20, { ph: 6 });
  expect(await kinds()).toEqual([]);
});

it('a disk with less room than the rule asks for is told of, until the rule asks for less', async () => {
  await write({ ...(await builtIn('diskLow')), threshold: 100_000 } as RuleInput);
  await pass(6 * MINUTE);
  expect(await kinds()).toEqual(['diskLow firing']);
  await write(await builtIn('storeRefuses'));
  expect(await kinds()).toEqual(['diskLow firing']);
  await write({ ...(await builtIn('diskLow')), threshold: 0.1 } as RuleInput);
  expect((await ended()).map(({ kind, ended }) => `${kind} ${ended}`)).toEqual(['diskLow rule_changed']);
});

it('with every rule off nobody listens to readings; one that is turned on knows the devices', async () => {
  for (const { rule } of (await alerts.handlers.alertRules({})).rules)
    await write({ ...rule, isOn: false } as RuleInput);
  await alerts.stop();
  await start();
  expect(events.isHeard('stored')).toBe(false);
  receive({ ph: 5 });
  await write(RANGE_RULE);
  expect(events.isHeard('stored')).toBe(true);
  await pass(MINUTE);
  receive({ ph: 5 });
  expect(await kinds()).toEqual(['range firing']);
});

it('a device that the owner says is theirs is watched from then on, a stranger’s never', async () => {
  const stranger = stores.register({ name: 'Other' }, ['public']).id;
  await write(RANGE_RULE);
  device = stranger;
  const receivePublic = () => {
    seq += 1n;
    const times = { seq: String(seq), timestamp: String(wall), receivedAt: wall };
    const reading = { deviceId: stranger, ...times, values: { ph: 5 }, sealed: [] };
    events.emit('stored', () => ({ store: 'public', readings: [reading] }));
  };
  receivePublic();
  expect(await live()).toEqual([]);
  stores.write('private', [{ kind: 'note', id: stranger, notes: { ...NO_NOTES, mine: true }, updatedAt: wall }]);
  events.emit('noted', () => ({ deviceId: stranger }));
  await expect
    .poll(async () => {
      receivePublic();
      return kinds();
    })
    .toEqual(['range firing']);
});

import { describe, expect, it } from 'vitest';
import { someAlert } from '../../../test/support/alert-notices.ts';
import { RANGE_RULE } from '../../../test/support/alerts.ts';
import { VALID_INPUTS } from '../../../test/support/owner-inputs.ts';
import { builtInRules, type RangeRule } from '../../shared/alerts/rule.ts';
import { METHODS, type MethodName, type Output } from '../../shared/owner-api/contract.ts';
import type { DeviceDetail, DeviceSummary, NewestValue } from '../../shared/owner-api/devices.ts';
import { EVENTS, type EventName, type EventPayload } from '../../shared/owner-api/events.ts';
import type { OwnerReading } from '../../shared/owner-api/readings.ts';
import type { FieldValue } from '../../shared/owner-api/values.ts';
import type { OwnerChoices } from '../../shared/owner-data/choices.ts';
import type { Cycle } from '../../shared/owner-data/cycles.ts';
import type { JournalEntry } from '../../shared/owner-data/journal.ts';
import { NO_CHOICES } from '../../shared/owner-data/no-choices.ts';
import { NO_NOTES } from '../../shared/owner-data/notes.ts';
import type { Task } from '../../shared/owner-data/tasks.ts';
import { perFieldName } from '../../shared/protocol/fields.ts';
import { refuseUnseen, type Sight, viewersAnswer, viewersEvent } from './sight.ts';

const [SEEN, OTHER, THIRD] = ['aa'.repeat(32), 'bb'.repeat(32), 'cc'.repeat(32)] as const;
const ALL: Sight = { devices: null };
const ONE: Sight = { devices: new Set([SEEN]) };
const NAMES = Object.keys(METHODS) as MethodName[];
const ID = '6b1f4c2e-7a3d-4c55-9d10-2f6f0a1b2c3d';
const IDS = [ID.replace('6', '7'), ID.replace('6', '8')] as const;
const PHOTO = { id: 'ab'.repeat(32), width: 40, height: 30, bytes: 900 };

/**
 * Checks what two viewers see in an answer: one of all devices, and one of SEEN alone. The answer itself stays, since
 * the owner may get it as well.
 */
function expectSeen<M extends MethodName>(method: M, answer: Output<M>, byAll: Output<M>, byOne = byAll): void {
  const { output } = METHODS[method];
  expect(output.parse(answer)).toStrictEqual(answer);
  const before = structuredClone(answer);
  expect(viewersAnswer(method, answer, ALL)).toStrictEqual(byAll);
  expect(viewersAnswer(method, answer, ONE)).toStrictEqual(byOne);
  expect(answer).toStrictEqual(before);
  expect([output.parse(byAll), output.parse(byOne)]).toStrictEqual([byAll, byOne]);
}

/** A pH of 0, a sealed EC, and no other value. */
const someValues = (sealed: FieldValue): Record<string, FieldValue> => ({ ph: 0, ec: sealed });
const sent = perFieldName((field) => someValues({ cipher: 'c1', nonce: 'd2' })[field] ?? null);
const shown = perFieldName((field) => someValues({ cipher: '', nonce: '' })[field] ?? null);

/** Returns the newest values of a device: one of each field except those that it never sent. */
function newestOf(values: typeof sent): Record<keyof typeof sent, NewestValue | null> {
  const facts = { seq: '9', keyVersion: 1, receivedAt: 70, measuredAt: 60, isEntered: true };
  const all = perFieldName((field) => ({
    ...{ value: values[field], ...facts, unchangedSince: 50, isUnchangedLonger: true },
  }));
  return { ...all, humidity: null };
}

function device(id: string): DeviceSummary {
  return {
    ...{ id, mac: 'aa:bb:cc:dd:ee:ff', ownerPubkey: 'dd'.repeat(32), ownerName: 'Ana', name: 'Tank', type: 1 },
    ...{ location: '617700169958293503', hardware: { model: 'M1', firmware_version: '2' } },
    stores: [
      {
        ...{ store: 'private', publishTo: 2, dispositions: perFieldName(() => 1), createdAt: 5 },
        privacyPolicy: { ph: { default_disposition: 1, per_destination: { somebody: 0 } } },
      },
      { store: 'public', publishTo: 1, dispositions: perFieldName(() => 2), createdAt: 6, privacyPolicy: {} },
    ],
    notes: { ...NO_NOTES, displayName: 'Tank 1', text: 'a secret', silentAfterMs: 5000, status: 1, mine: true },
    corrections: [{ field: 'ph', from: 3, slope: 1.1, offset: -0.2 }],
    ...{ hasNamesake: true, mine: true, claimed: true, lastReceivedAt: 70, usualIntervalMs: 60_000 },
    ...{ silentAfterMs: 180_000, clockNotSet: true, newest: newestOf(sent) },
    sparkline: { startAt: 10, stepMs: 1000, values: { ph: [6.1, null] } },
  };
}

/** The same device as a viewer sees it. */
function plain(id: string): DeviceSummary {
  const { stores, notes, ...rest } = device(id);
  return {
    ...{ ...rest, mac: '', ownerPubkey: '', ownerName: null, location: null },
    stores: stores.map((store) => ({ ...store, privacyPolicy: {} })),
    notes: { ...notes, text: '' },
    newest: newestOf(shown),
  };
}

const reading = (fields: typeof sent): OwnerReading => ({
  ...{ seq: '9', timestamp: '60', receivedAt: 70, keyVersion: 1, store: 'public', fields },
});
const entry = (id: number, about: string | null): JournalEntry => ({
  ...{ id, device: about, at: 5, text: 'Cleaned', by: 'Ben', updatedAt: 6 },
});
const task = (about: string | null): Task => ({
  ...{ id: ID, device: about, title: 'Wash', everyDays: 7, due: '2026-03-29', snoozedUntil: null, done: null },
});
const cycle = (place: Cycle['place']): Cycle => ({
  ...{ id: ID, crop: 'Basil', variety: '', place, zone: 'UTC', plantedAt: '2026-03-01', plants: 4, areaM2: null },
  ...{ stages: [], endedAt: null },
});
const series: Output<'history'>['fields'][keyof typeof sent] = {
  ...{ min: [1], max: [3], mean: [2], count: [4], sealed: [5] },
};

describe('a viewer sees', () => {
  it('the facts about itself, and the outcome of its own calls, whole', () => {
    const self = { role: 'viewer', name: 'Ana', isBounded: true, mayUnlock: false, mayLog: true } as const;
    expectSeen('caller', self, self);
    expectSeen('leave', {}, {});
    expectSeen('writeJournalEntry', entry(1, OTHER), entry(1, OTHER));
    const done = { task: task(OTHER), entry: entry(1, OTHER) };
    expectSeen('completeTask', done, done);
    expectSeen('addPhoto', { problem: null, photo: PHOTO }, { problem: null, photo: PHOTO });
    expectSeen('photo', { image: 'QUJD' }, { image: 'QUJD' });
  });

  it('no address and no folder of the node', () => {
    const clock = { state: 'known', aheadMs: 1, lastStep: { at: 1, by: 2 } } as const;
    const facts = { version: '1.2.3', publicKey: 'ab', clock, ownerView: 'desktop' } as const;
    const where = {
      publicUrl: 'http://a:1',
      localUrl: 'http://b:2',
      addresses: ['10.0.0.1'],
      exposedAt: ['10.0.0.1:3'],
    };
    const nowhere = { publicUrl: null, localUrl: '', addresses: [], exposedAt: [], dataDir: '' };
    expectSeen('nodeInfo', { ...facts, ...where, dataDir: '/data' }, { ...facts, ...nowhere });
  });

  it('that a store refuses writes, without the message and the room on the disk', () => {
    const refusing = { since: 5, cause: 'full', message: 'ENOSPC /data/private.db' } as const;
    const stores = (message: string): Output<'storage'>['stores'] => [
      { store: 'private', refusing: { ...refusing, message } },
      { store: 'public', refusing: null },
    ];
    const room = { freeBytes: 1, totalBytes: 2, isLow: true };
    expectSeen('storage', { stores: stores(refusing.message), room }, { stores: stores(''), room: null });
  });

  it('its devices in the overview, and only a viewer of all devices the numbers', () => {
    const stores: Output<'overview'>['totals']['stores'] = [{ store: 'private', bytes: 8 }];
    const attempt = { id: SEEN, stores: ['public' as const], isOurs: true, attempts: 1, firstAt: 1, lastAt: 2 };
    const answer: Output<'overview'> = {
      ...{ now: 90, devices: [device(OTHER), device(SEEN), device(THIRD)], hidden: [device(SEEN)] },
      ...{ unlisted: { claimed: 3, others: 4 }, unregistered: [{ ...attempt, lastError: 'unknown_device' }] },
      totals: { readingsToday: 7, rejectedToday: [{ store: 'private', cause: 'bad_signature', count: 2 }], stores },
      ...{ demo: true, demoDevices: [OTHER, SEEN] },
    };
    const common = { now: 90, hidden: [], unregistered: [], demo: true };
    const byAll: Output<'overview'> = {
      ...{ ...common, devices: [plain(OTHER), plain(SEEN), plain(THIRD)], demoDevices: [OTHER, SEEN] },
      ...{ unlisted: { claimed: 3, others: 4 }, totals: { readingsToday: 7, rejectedToday: [], stores: [] } },
    };
    expectSeen('overview', answer, byAll, {
      ...{ ...common, devices: [plain(SEEN)], demoDevices: [SEEN] },
      ...{ unlisted: { claimed: 0, others: 0 }, totals: { readingsToday: 0, rejectedToday: [], stores: [] } },
    });
  });

  it('a device without its keys, its location, its policies and the owner’s text', () => {
    const counts: Omit<DeviceDetail, keyof DeviceSummary | 'withheld'> = {
      readings: [{ store: 'private', count: 2 }],
      held: [{ store: 'private', fields: perFieldName(() => ({ plain: 1, sealed: 2 })) }],
      ...{ span: { from: 1, to: 2 }, timesMoved: [{ at: 1, by: -2, readings: 3 }] },
    };
    const withheld: DeviceDetail['withheld'] = [
      { store: 'private', cause: 'omit', field: 'ph', count: 1, firstAt: 1, lastAt: 2 },
    ];
    expectSeen('device', { ...device(SEEN), ...counts, withheld }, { ...plain(SEEN), ...counts, withheld: [] });
  });

  it('that a value of a reading is sealed, without its bytes', () => {
    expectSeen('latestReadings', { readings: [reading(sent)] }, { readings: [reading(shown)] });
    const page = { next: 'more', total: 5 };
    expectSeen('readingsPage', { readings: [reading(sent)], ...page }, { readings: [reading(shown)], ...page });
    const history: Output<'history'> = {
      ...{ axis: 'timestamp', stepMs: 1000, times: [5], fields: perFieldName(() => series) },
    };
    expectSeen('history', history, history);
  });

  it('the groups, comparisons and climate of its devices, and none of the owner’s other choices', () => {
    const group = (id: string, ...devices: string[]) => ({ id, name: 'Roof', isCollapsed: true, devices });
    const comparison = (id: string, ...devices: string[]) => ({
      ...{ id, name: 'Both', lines: devices.map((each) => ({ device: each, field: 'ph' as const })) },
      range: 'range=7d',
    });
    const [empty, mixed, others] = [group(ID), group(IDS[0], OTHER, SEEN), group(IDS[1], THIRD)];
    const [both, own] = [comparison(IDS[0], SEEN, OTHER), comparison(IDS[1], SEEN)];
    const { keyCopies, bridge, setup } = NO_CHOICES;
    const visible: OwnerChoices = {
      ...{ units: { temperature: 'fahrenheit' }, keyCopies, bridge, setup },
      ...{ groups: [empty, mixed, others], comparisons: [both, own] },
      climate: { [OTHER]: { leafOffset: -2 }, [SEEN]: { leafOffset: -1 } },
    };
    const answer: OwnerChoices = {
      ...{ ...visible, keyCopies: { exportedAt: 5, isLacking: false }, bridge: { leftOut: [SEEN] } },
      setup: { skipped: ['phone'], unwatched: [SEEN], isOver: true },
    };
    expectSeen('ownerChoices', answer, visible, {
      ...{ ...visible, groups: [empty, { ...mixed, devices: [SEEN] }], comparisons: [own] },
      climate: { [SEEN]: { leafOffset: -1 } },
    });
  });

  it('log entries, photos and tasks of its devices and of all devices', () => {
    const isCut = true;
    const entries = [entry(1, OTHER), entry(2, null), entry(3, SEEN)];
    expectSeen('journal', { entries, isCut }, { entries, isCut }, { entries: entries.slice(1), isCut });
    const photos = entries.map(({ id, device: about }) => ({
      ...{ ...PHOTO, entry: id, device: about, at: 5, kind: 'observed' as const, text: 'Spots' },
    }));
    expectSeen('photos', { photos, isCut }, { photos, isCut }, { photos: photos.slice(1), isCut });
    const tasks = [task(OTHER), task(null), task(SEEN)];
    expectSeen('tasks', { tasks }, { tasks }, { tasks: tasks.slice(1) });
  });

  it('crop cycles of its devices, and of groups if it sees all devices', () => {
    const [other, own] = [OTHER, SEEN].map((each) => cycle({ kind: 'device', device: each })) as [Cycle, Cycle];
    const cycles = [other, cycle({ kind: 'group', group: ID }), own];
    expectSeen('cycles', { cycles }, { cycles }, { cycles: [own] });
  });

  it('alerts of its devices, and of the node if it sees all devices', () => {
    const alerts = [someAlert({ device: OTHER }), someAlert({ device: null }), someAlert({ device: SEEN })];
    expectSeen('alerts', { now: 5, alerts }, { now: 5, alerts }, { now: 5, alerts: [alerts[2]!] });
    const page = { alerts, hasMore: true };
    expectSeen('alertHistory', page, page, { alerts: [alerts[2]!], hasMore: true });
  });

  it('alert rules without their channels, except those of other devices', () => {
    const range = (scope: RangeRule['scope']): RangeRule => ({ ...RANGE_RULE, id: ID, scope, channels: [ID] });
    const rules = [
      range({ kind: 'device', device: OTHER }),
      range({ kind: 'device', device: SEEN }),
      range({ kind: 'group', group: ID }),
      range({ kind: 'all' }),
      { ...builtInRules()[0]!, channels: [ID] },
    ];
    const sealedOn = [OTHER, SEEN];
    const byAll = rules.map((rule) => ({ rule: { ...rule, channels: 'all' as const }, devices: 2, sealedOn }));
    const byOne = byAll.slice(1).map(({ rule }) => ({ rule, devices: 0, sealedOn: [SEEN] }));
    const answer = rules.map((rule) => ({ rule, devices: 2, sealedOn }));
    expectSeen('alertRules', { rules: answer }, { rules: byAll }, { rules: byOne });
  });
});

it.each([...NAMES.filter((name) => METHODS[name].role === 'owner'), 'toString'])('%s answers no viewer', (name) => {
  const refused = expect.objectContaining({ name: 'OwnerError', code: 'forbidden', message: 'only for the owner' });
  for (const sight of [ALL, ONE]) expect(() => viewersAnswer(name as MethodName, {} as never, sight)).toThrow(refused);
});

describe('a question about a device', () => {
  const unknown = expect.objectContaining({
    ...{ name: 'OwnerError', code: 'not_found', message: 'this device is in no store' },
  });
  const ask = (method: MethodName, change: object, sight: Sight) =>
    refuseUnseen(method, METHODS[method].input.parse({ ...VALID_INPUTS[method], ...change }) as never, sight);

  it.each([
    ...(['device', 'latestReadings', 'readingsPage', 'history'] as const).map((name) => [name, 'id'] as const),
    ...(['journal', 'writeJournalEntry', 'alertHistory'] as const).map((name) => [name, 'device'] as const),
  ])('by %s is refused a viewer who does not see it', (method, key) => {
    expect(() => ask(method, { [key]: OTHER }, ONE)).toThrow(unknown);
    expect(() => ask(method, { [key]: SEEN }, ONE)).not.toThrow();
    expect(() => ask(method, { [key]: OTHER }, ALL)).not.toThrow();
    if (key === 'device') expect(() => ask(method, { device: null }, ONE)).not.toThrow();
  });

  it('by any other method is not refused here', () => {
    const refused = NAMES.filter((name) => {
      try {
        ask(name, {}, ONE);
        return false;
      } catch (error) {
        expect(error).toEqual(unknown);
        return true;
      }
    });
    const asked = ['device', 'latestReadings', 'readingsPage', 'history', 'journal', 'writeJournalEntry'];
    expect(refused.toSorted()).toEqual(asked.toSorted());
  });
});

describe('an event', () => {
  it.each(Object.keys(EVENTS) as EventName[])('%s reaches the viewers that it is for', (event) => {
    const payload = (event === 'readings' ? { devices: [SEEN] } : { event }) as EventPayload<typeof event>;
    const isHeard = ['readings', 'devices', 'choices', 'journal', 'alerts', 'storage'].includes(event);
    for (const sight of [ALL, ONE]) expect(viewersEvent(event, payload, sight)).toEqual(isHeard ? payload : null);
  });

  it('about readings names only devices that the viewer sees', () => {
    const two: Sight = { devices: new Set([THIRD, SEEN]) };
    const payload = { devices: [SEEN, OTHER, THIRD] };
    expect(viewersEvent('readings', payload, two)).toEqual({ devices: [SEEN, THIRD] });
    expect(viewersEvent('readings', payload, ALL)).toBe(payload);
    expect(viewersEvent('readings', { devices: [OTHER] }, two)).toBeNull();
    expect(payload).toEqual({ devices: [SEEN, OTHER, THIRD] });
  });
});

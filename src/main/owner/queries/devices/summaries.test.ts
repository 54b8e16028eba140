import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NODE_KEY, OwnerStoresForTest } from '../../../../../test/support/owner-stores.ts';
import type { TestReading } from '../../../../../test/support/readings.ts';
import type { DeviceSummary } from '../../../../shared/owner-api/devices.ts';
import { NO_NOTES } from '../../../../shared/owner-data/notes.ts';
import type { StoreName } from '../../../../shared/protocol/codes.ts';
import { perFieldName } from '../../../../shared/protocol/fields.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = 488_888 * HOUR + 10 * MINUTE;
const BOTH: StoreName[] = ['private', 'public'];
const SEALED = Buffer.from('0102030405060708090a0b0cffeeddccbbaa99887766554433221100ffeeddcc', 'hex');

let stores: OwnerStoresForTest;
beforeEach(() => {
  stores = new OwnerStoresForTest();
});
afterEach(() => stores.dispose());

const fill = (store: StoreName, id: string, count: number, over?: (index: number) => Partial<TestReading>) =>
  stores.fill(store, id, { last: NOW, count, ...(over && { over }) });

const overview = (now = NOW) => stores.ask('overview', { dayStart: 0 }, { now });
const summaryOf = async (id: string, now = NOW) => (await overview(now)).devices.find((device) => device.id === id)!;

describe('a device known to both stores', () => {
  it('is one device with its private row, and each store’s registration', async () => {
    const seed = Buffer.alloc(32, 1);
    const ownerPubkey = 'cc'.repeat(32);
    stores.register({ seed, name: 'As the public endpoint was told', ownerPubkey, mac: '020000000001' }, ['public'], {
      publishTo: 1,
      ownerName: 'Somebody',
    });
    const policy = { ph: { default_disposition: 2, per_destination: { [NODE_KEY]: 0 } } };
    const overrides = { publishTo: 2, privacyPolicy: policy, location: 622485130170302463n, ownerName: 'Ana' };
    const { id } = stores.register({ seed, name: 'At home', ownerPubkey, mac: '020000000002' }, ['private'], overrides);
    const { devices } = await overview();
    expect(devices).toHaveLength(1);
    expect(devices[0]).toMatchObject({
      id,
      name: 'At home',
      mac: '020000000002',
      ownerName: 'Ana',
      location: '622485130170302463',
      mine: true,
      stores: [
        { store: 'private', publishTo: 2, privacyPolicy: policy, dispositions: { ph: 0, ec: 1 } },
        { store: 'public', publishTo: 1, dispositions: { ph: 1, ec: 1 } },
      ],
    });
  });

  it('shows the private store’s reading if it has one, never a mix of fields', async () => {
    const { id } = stores.register({}, BOTH);
    fill('private', id, 2, () => ({ fields: [null, SEALED, null, null, null, null] }));
    fill('public', id, 3, () => ({ fields: [7, 8, 9, null, null, null] }));
    const { readings } = await stores.ask('latestReadings', { id, limit: 10 });
    const nothing = perFieldName(() => null);
    const own = { ...nothing, ec: { nonce: SEALED.toString('hex', 0, 12), cipher: SEALED.toString('hex', 12) } };
    expect(readings.map(({ seq, store, fields }) => ({ seq, store, fields }))).toEqual([
      { seq: '3', store: 'public', fields: { ...nothing, ph: 7, ec: 8, waterLevel: 9 } },
      { seq: '2', store: 'private', fields: own },
      { seq: '1', store: 'private', fields: own },
    ]);
  });

  it('is not confused with a device of the same number in the other store', async () => {
    const first = stores.register({}, ['private']);
    const second = stores.register({}, ['public']);
    expect(stores.numberIn('private', first.id)).toBe(stores.numberIn('public', second.id));
    fill('private', first.id, 2);
    expect((await stores.ask('latestReadings', { id: first.id, limit: 10 })).readings).toHaveLength(2);
    expect((await stores.ask('latestReadings', { id: second.id, limit: 10 })).readings).toHaveLength(0);
  });
});

describe('the owner of a device', () => {
  const ownerPubkey = 'dd'.repeat(32);
  const note = (id: string, value: boolean | null) =>
    stores.write('private', [{ kind: 'note', id, notes: { ...NO_NOTES, mine: value }, updatedAt: 0 }]);

  it('is determined by the private store and the note; a copied owner key is only a claim', async () => {
    const [ours, both, byKey, stranger] = [
      stores.register({ ownerPubkey }, ['private']),
      stores.register({ ownerPubkey }, BOTH),
      stores.register({ ownerPubkey }, ['public']),
      stores.register({}, ['public']),
    ];
    const whose = async () => {
      const { devices } = await overview();
      return [ours, both, byKey, stranger].map(({ id }) => {
        const { mine, claimed } = devices.find((device) => device.id === id)!;
        return claimed ? 'claimed' : mine ? 'mine' : 'other';
      });
    };
    expect(await whose()).toEqual(['mine', 'mine', 'claimed', 'other']);
    for (const { id } of [ours, byKey]) note(id, false);
    note(stranger.id, true);
    expect(await whose()).toEqual(['mine', 'mine', 'other', 'mine']);
    note(byKey.id, true);
    expect(await whose()).toEqual(['mine', 'mine', 'mine', 'mine']);
    note(byKey.id, null);
    expect(await whose()).toEqual(['mine', 'mine', 'claimed', 'mine']);
  });

  it('limits the list: all devices of the owner, and the newest fifty of strangers', async () => {
    for (let count = 0; count < 60; count += 1) stores.register({ ownerPubkey }, ['private']);
    for (let count = 0; count < 53; count += 1) stores.register({ ownerPubkey }, ['public']);
    for (let count = 0; count < 55; count += 1) stores.register({}, ['public']);
    const { devices, unlisted } = await overview();
    const count = (which: (device: DeviceSummary) => boolean) => devices.filter(which).length;
    expect([count(({ mine }) => mine), count(({ claimed }) => claimed), devices.length]).toEqual([60, 50, 160]);
    expect(unlisted).toEqual({ claimed: 3, others: 5 });
  });
});

describe('a hidden device', () => {
  const hide = (id: string, isHidden: boolean) =>
    stores.write('private', [{ kind: 'note', id, notes: { ...NO_NOTES, isHidden }, updatedAt: 0 }]);

  it('is in no list and no count except that of hidden ones, and keeps its readings', async () => {
    const [kept, ours, stranger] = [
      stores.register({}, ['private']),
      stores.register({}, ['private']),
      stores.register({}, ['public']),
    ];
    fill('private', ours.id, 3);
    for (const { id } of [ours, stranger]) hide(id, true);
    const { devices, hidden, unlisted } = await overview();
    expect(devices.map(({ id }) => id)).toEqual([kept.id]);
    expect(hidden.map(({ id }) => id)).toEqual([ours.id, stranger.id]);
    expect(unlisted).toEqual({ claimed: 0, others: 0 });
    expect(await stores.ask('device', { id: ours.id })).toMatchObject({ notes: { isHidden: true } });
    expect((await stores.ask('latestReadings', { id: ours.id, limit: 10 })).readings).toHaveLength(3);
    hide(ours.id, false);
    expect((await overview()).devices.map(({ id }) => id)).toEqual([kept.id, ours.id]);
  });

  it('does not appear as knocking', async () => {
    const { id } = stores.register({}, ['public']);
    hide(id, true);
    const knock = { id, attempts: 9, firstAt: NOW - 9, lastAt: NOW, lastError: 'device_not_found' };
    const unregistered = new Map([['private', [knock]]] as const);
    expect((await stores.ask('overview', { dayStart: 0 }, { now: NOW, unregistered })).unregistered).toEqual([]);
  });
});

describe('unregistered devices', () => {
  it('are listed once for both stores, for a day, with strangers separate', async () => {
    const registered = stores.register({}, ['private']);
    const [twice, stranger, old] = ['11', '22', '33'].map((byte) => byte.repeat(32)) as [string, string, string];
    const knock = (id: string, attempts: number, lastAt: number, lastError = 'device_not_found') => {
      return { id, attempts, firstAt: lastAt - attempts, lastAt, lastError };
    };
    const unregistered = new Map([
      ['private', [knock(twice, 2, NOW - 5), knock(old, 9, NOW - DAY - 1)]],
      ['public', [knock(twice, 3, NOW - 3, 'later'), knock(stranger, 1, NOW - DAY), knock(registered.id, 1, NOW)]],
    ] as const);
    expect((await stores.ask('overview', { dayStart: 0 }, { now: NOW, unregistered })).unregistered).toEqual([
      { ...knock(twice, 5, NOW - 3, 'later'), firstAt: NOW - 7, stores: ['private', 'public'], isOurs: true },
      { ...knock(stranger, 1, NOW - DAY), stores: ['public'], isOurs: false },
      { ...knock(registered.id, 1, NOW), stores: ['public'], isOurs: true },
    ]);
  });
});

describe('the silence of a device', () => {
  it('is three times the usual interval of its arrivals, or the owner’s value', async () => {
    const { id } = stores.register({}, ['private']);
    expect(await summaryOf(id)).toMatchObject({
      lastReceivedAt: null,
      usualIntervalMs: null,
      silentAfterMs: 3 * MINUTE,
    });
    // By the device's own clock the readings would be years old.
    fill('private', id, 60, (index) => ({ timestamp: BigInt(NOW - 900 * DAY + index * 2 * MINUTE) }));
    expect(await summaryOf(id)).toMatchObject({
      lastReceivedAt: NOW + 50,
      usualIntervalMs: MINUTE,
      silentAfterMs: 3 * MINUTE,
      clockNotSet: false,
    });
    const notes = {
      ...NO_NOTES,
      displayName: 'Well',
      units: { ec: { shown: 'microsiemens' as const }, ph: { label: 'mV' } },
      text: 'In the greenhouse\nbehind the door',
      silentAfterMs: HOUR,
      status: 2,
    } as const;
    stores.write('private', [{ kind: 'note', id, notes, updatedAt: 0 }]);
    expect(await summaryOf(id)).toMatchObject({ silentAfterMs: HOUR, notes });
  });

  it('follows the owner’s alert rule with a time, unless the device has its own', async () => {
    const own = stores.register({}, ['private']).id;
    const other = stores.register({}, ['private']).id;
    stores.write('private', [{ kind: 'note', id: own, notes: { ...NO_NOTES, silentAfterMs: HOUR }, updatedAt: NOW }]);
    const { devices } = await stores.ask('overview', { dayStart: 0 }, { now: NOW, silenceRuleMs: 2 * MINUTE });
    const silentAfter = new Map(devices.map(({ id, silentAfterMs }) => [id, silentAfterMs]));
    expect([silentAfter.get(own), silentAfter.get(other)]).toEqual([HOUR, 2 * MINUTE]);
  });

  it('ends with an old reading that arrives late, also if it was summed up already', async () => {
    const { id } = stores.register({}, ['private']);
    fill('private', id, 300);
    const late = { seq: 1000n, timestamp: BigInt(NOW - 30 * DAY), receivedAt: NOW + HOUR, fields: [] };
    // The reading is far from the latest by timestamp. The next readings make it far by seq, too.
    stores.append('private', id, [late]);
    fill('private', id, 100, (index) => ({ seq: BigInt(2000 + index) }));
    stores.sumUp('private');
    stores.memory.summaries.forgotten(id);
    expect((await summaryOf(id, NOW + HOUR)).lastReceivedAt).toBe(NOW + HOUR);
  });
});

describe('the time of a device’s last reading', () => {
  it('never goes back, in any order of arrival', async () => {
    const { id } = stores.register({}, ['private']);
    fill('private', id, 300, (index) => ({ seq: BigInt(1000 + index) }));
    await summaryOf(id);
    // Readings that are neither among the latest by timestamp nor among those by seq: only their arrival reports them.
    const arrive = async (seq: bigint, receivedAt: number) => {
      const timestamp = BigInt(NOW - 30 * DAY) + seq;
      stores.append('private', id, [{ seq, timestamp, receivedAt, fields: [] }]);
      stores.memory.follow({ arrivals: new Map([[id, receivedAt]]), forgotten: [] });
      const { devices } = await stores.ask('overview', { dayStart: 0 }, { now: NOW + 4 * HOUR });
      return devices[0]!.lastReceivedAt;
    };
    expect(await arrive(1n, NOW + 2 * HOUR)).toBe(NOW + 2 * HOUR);
    expect(await arrive(2n, NOW + HOUR)).toBe(NOW + 2 * HOUR);
    expect(await arrive(3n, NOW + 3 * HOUR)).toBe(NOW + 3 * HOUR);
  });
});

describe('the newest value of each field', () => {
  it('is found in the latest readings, or further back for a rare field', async () => {
    const { id } = stores.register({}, BOTH);
    fill('public', id, 2000, (index) => ({ fields: [1, null, index === 3 ? SEALED : null, null, null, null] }));
    fill('private', id, 2000, (index) => ({ fields: [index, index === 5 ? 55 : null, null, null, null, null] }));
    const { newest } = await summaryOf(id);
    expect(newest.ph).toMatchObject({ value: 1999, seq: '2000', receivedAt: NOW + 50 });
    expect(newest.ec).toMatchObject({ value: 55, seq: '6' });
    // The public store has a water level, but only in readings that the private store has, too.
    expect(newest.waterLevel).toBeNull();
    for (const store of BOTH) stores.sumUp(store);
    stores.memory.summaries.forgotten(id);
    expect((await summaryOf(id)).newest).toEqual(newest);
  });
});

describe('readings dated ahead of their arrival', () => {
  /** Returns the summary of the device after another reading with the right time. */
  function afterAnother(id: string, seq: bigint) {
    const time = NOW + 5 * MINUTE;
    const reading = { seq, timestamp: BigInt(time), receivedAt: time + 50, fields: [7777] };
    stores.append('private', id, [reading]);
    stores.memory.summaries.arrived(id, time + 50);
    return summaryOf(id);
  }

  it.each([
    ['in this century', BigInt(Date.UTC(2100, 0, 1))],
    ['as far as a timestamp goes', 2n ** 64n - 1n],
  ])('do not stand as the newest: one %s', async (_name, timestamp) => {
    const { id } = stores.register({}, ['private']);
    fill('private', id, 260, (index) => (index === 100 ? { timestamp, fields: [1, 99] } : {}));
    expect(await summaryOf(id)).toMatchObject({ clockNotSet: false, newest: { ph: { value: 265, seq: '260' } } });
    expect((await afterAnother(id, 261n)).newest.ph).toMatchObject({ value: 7777, seq: '261' });
  });

  it('are not the newest: an hour of a clock two hours ahead', async () => {
    const { id } = stores.register({}, ['private']);
    fill('private', id, 260, (index) =>
      index >= 190 && index < 250 ? { timestamp: BigInt(NOW - (259 - index) * MINUTE + 2 * HOUR) } : {},
    );
    expect(await summaryOf(id)).toMatchObject({ clockNotSet: false, newest: { ph: { value: 265, seq: '260' } } });
    expect((await afterAnother(id, 261n)).newest.ph).toMatchObject({ value: 7777, seq: '261' });
  });

  it('are the newest if there are no others', async () => {
    const { id } = stores.register({}, ['private']);
    fill('private', id, 60, (index) => ({ timestamp: BigInt(NOW - (59 - index) * MINUTE + 10 * MINUTE) }));
    expect((await summaryOf(id)).newest.ph).toMatchObject({ value: 65, seq: '60' });
  });
});

describe('the sparkline', () => {
  it('has the means of the last 24 hours, and null in gaps', async () => {
    const { id } = stores.register({}, ['private']);
    fill('private', id, 3 * 60, (index) => ({
      fields: [index < 60 ? 1 : index < 120 ? null : 3, null, SEALED, null, null, null],
    }));
    const { sparkline } = await summaryOf(id);
    expect(sparkline.stepMs).toBe(HOUR);
    expect(sparkline.startAt + 24 * HOUR).toBe(NOW + 50 * MINUTE);
    expect(Object.keys(sparkline.values)).toEqual(['ph']);
    // The 180 readings end ten minutes into an hour: 49 of the first sixty are in one hour, 11 in the next.
    expect(sparkline.values.ph!.slice(-5)).toEqual([null, 1, 1, 3, 3]);
    expect(sparkline.values.ph!.slice(0, -4).every((value) => value === null)).toBe(true);
  });

  it('uses single readings if a device has sent only for minutes', async () => {
    const registered = () => stores.register({}, ['private']);
    const [young, younger, clockless] = [registered(), registered(), registered()];
    fill('private', young.id, 36);
    fill('private', younger.id, 5);
    fill('private', clockless.id, 36, (index) => ({ timestamp: BigInt(index) }));
    const pointsOf = async (id: string) => {
      const { startAt, stepMs, values } = (await summaryOf(id)).sparkline;
      expect(values.ph).toHaveLength(24);
      expect(startAt + 24 * stepMs).toBeGreaterThan(NOW);
      return values.ph!.filter((value) => value !== null).length;
    };
    expect(await pointsOf(young.id)).toBe(8);
    expect(await pointsOf(younger.id)).toBe(5);
    expect(await pointsOf(clockless.id)).toBe(8);
  });

  it('is placed by arrival if the clock is not set, and left out for devices of others', async () => {
    const clockless = stores.register({}, ['private']);
    const stranger = stores.register({}, ['public']);
    fill('private', clockless.id, 160, (index) => ({ timestamp: BigInt(index) }));
    fill('public', stranger.id, 100);
    expect(await summaryOf(clockless.id)).toMatchObject({ clockNotSet: true });
    expect((await summaryOf(clockless.id)).sparkline.values.ph!.slice(-5)).toEqual([null, 20, 64.5, 124.5, 160]);
    expect(await summaryOf(stranger.id)).toMatchObject({ mine: false, sparkline: { values: {} } });
  });
});

describe('the span of a device', () => {
  it('leaves out stray timestamps, as the history does, while pages have every reading', async () => {
    const { id } = stores.register({}, ['private']);
    fill('private', id, 30);
    const stray = (seq: bigint, timestamp: bigint) => ({ seq, timestamp, receivedAt: NOW, fields: [99] });
    const strays = [stray(1001n, 61_000n), stray(1002n, BigInt(NOW + 400 * DAY)), stray(1003n, 2n ** 64n - 1n)];
    stores.append('private', id, strays);
    const span = { from: NOW - 29 * MINUTE, to: NOW };
    expect(await stores.ask('device', { id })).toMatchObject({ clockNotSet: false, span });
    const { times } = await stores.ask('history', { id, from: null, to: null, maxPoints: 1000 });
    expect([times.length, times[0], times.at(-1)]).toEqual([30, span.from, span.to]);
    const page = await stores.ask('readingsPage', { id, from: null, to: null, cursor: null, limit: 100 });
    expect([page.total, page.readings.length]).toEqual([33, 33]);
  });
});

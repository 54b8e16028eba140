import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { AT, DEVICE } from '../../../../test/support/alert-notices.ts';
import { EngineUnderRules } from '../../../../test/support/engine-under-rules.ts';
import { knownDevice } from '../../../../test/support/rules-under-test.ts';
import { BUILT_IN_KINDS } from '../../../shared/alerts/built-in.ts';
import { perFieldName } from '../../../shared/protocol/fields.ts';
import { EventBus } from '../../common/event-bus.ts';
import type { NodeEventMap, StoredReading } from '../../common/node-events.ts';
import type { KnownDevice, StoresView } from '../../store/stores-view.ts';
import { ReadingFeed } from './reading-feed.ts';

const OTHER = 'cd'.repeat(32);

let node: EngineUnderRules;
let events: EventBus<NodeEventMap>;
let feed: ReadingFeed;
/** The devices in the stores, and the pH of the only reading of each; null if there is none. */
let stored: KnownDevice[];
let ph: number | null;
let reads: number;
let isReadable: boolean;
let news: number;
/** The stores of evaluated readings, and whether that ends anything. */
let evaluated: string[];
let endsRefusal: boolean;

const page = async () => {
  const times = { seq: 1n, timestamp: BigInt(AT), receivedAt: AT, keyVersion: 0, store: 'private' };
  return ph === null ? [] : [{ ...times, fields: { ...perFieldName(() => null), ph } }];
};
const stores = {
  ...{ page, latest: page, choices: async () => new Map() },
  devices: async () => stored,
  device: async (id: string) => stored.find((each) => each.id === id) ?? null,
} as unknown as StoresView;

beforeEach(() => {
  node = new EngineUnderRules();
  events = new EventBus<NodeEventMap>(pino({ level: 'silent' }));
  isReadable = true;
  [stored, ph, reads, news, evaluated, endsRefusal] = [[knownDevice()], null, 0, 0, [], false];
  const { rules, engine, devices, clock } = node;
  feed = new ReadingFeed({
    ...{ rules, engine, devices, clock, events },
    read: async (run) => {
      reads += 1;
      if (isReadable) await run(stores);
    },
    onStored: (store) => {
      evaluated.push(store);
      return endsRefusal;
    },
    onNews: () => {
      news += 1;
    },
  });
});

/** Announces readings, and waits until they are evaluated. */
async function announce(readings: readonly StoredReading[], store: 'private' | 'public' = 'private'): Promise<void> {
  events.emit('stored', () => ({ store, readings }));
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}
/** Returns how often anything was read and told since the last call. */
const done = () => {
  const all = [reads, news];
  [reads, news] = [0, 0];
  return all;
};
const allOff = () => {
  for (const kind of BUILT_IN_KINDS) node.change(kind, { isOn: false });
};
const devices = () => node.live.map(({ device }) => device);

describe('readings', () => {
  it('are listened to once, while any rule is on', () => {
    allOff();
    feed.start();
    expect(events.isHeard('stored')).toBe(false);
    feed.stop();
    node.change('silent', { isOn: true });
    feed.start();
    feed.start();
    expect(events.isHeard('stored')).toBe(true);
    feed.stop();
    expect(events.isHeard('stored')).toBe(false);
  });

  it('are evaluated as they arrive, with news of what fires', async () => {
    node.rule();
    await feed.reloadAll();
    feed.start();
    done();
    await announce([node.reading({ ph: 6 })], 'public');
    expect([evaluated, done()]).toEqual([['public'], [0, 0]]);
    await announce([node.reading({ ph: 5 })]);
    expect([devices(), done()]).toEqual([[DEVICE], [0, 1]]);
    endsRefusal = true;
    await announce([node.reading({ ph: 5 })]);
    expect(done()).toEqual([0, 1]);
  });

  it('of a device that has just registered wait until it is known', async () => {
    node.rule();
    feed.start();
    await announce([node.reading({ ph: 5 }), node.reading({ ph: 5 }, { deviceId: OTHER })]);
    // The one is read from the stores, and the rule looks back; the other is not there.
    expect([devices(), done()]).toEqual([[DEVICE], [2, 1]]);
    await announce([node.reading({ ph: 6 })]);
    expect([devices(), done()]).toEqual([[], [0, 1]]);
  });

  it('of unknown devices at the public endpoint are left out', async () => {
    node.rule();
    feed.start();
    await announce([node.reading({ ph: 5 })], 'public');
    expect([devices(), done()]).toEqual([[], [0, 0]]);
  });

  it('of unknown devices wait up to a number', async () => {
    feed.start();
    const readings = Array.from({ length: 5001 }, (_, index) => node.reading({ ph: 6 }, { receivedAt: AT + index }));
    await announce(readings);
    expect(node.engine.watchOf(DEVICE)!.lastReceivedAt).toBe(AT + 4999);
  });
});

describe('devices', () => {
  it('that rules name are those of range rules for one device', () => {
    node.rule();
    node.rule({ scope: { kind: 'device', device: OTHER } });
    node.rule({ scope: { kind: 'group', group: crypto.randomUUID() } });
    expect(feed.named).toEqual(new Set([OTHER]));
  });

  it('are read again one by one, with what was fired by earlier readings', async () => {
    stored = [knownDevice(), knownDevice({ mine: null }, { id: OTHER, store: 'public' })];
    ph = 5;
    node.rule({ scope: { kind: 'device', device: OTHER } });
    await feed.reload([OTHER]);
    expect([node.devices.all, devices(), done()]).toEqual([[stored[1]], [OTHER], [2, 1]]);
    await feed.reload([DEVICE]);
    expect([node.devices.find(DEVICE), done()]).toEqual([stored[0], [1, 0]]);
  });

  it('are all read again', async () => {
    stored = [knownDevice(), knownDevice({}, { id: OTHER })];
    await feed.reloadAll();
    expect([node.devices.all, done()]).toEqual([stored, [1, 0]]);
    ph = 5;
    node.rule();
    await feed.reloadAll();
    expect([devices(), done()]).toEqual([
      [DEVICE, OTHER],
      [2, 1],
    ]);
  });

  it('bring no news while the stores can’t be read', async () => {
    await feed.reloadAll();
    done();
    node.rule();
    isReadable = false;
    await feed.reload([DEVICE]);
    expect(done()).toEqual([2, 0]);
  });

  it('that are gone end their alerts, which is news', async () => {
    node.rule();
    ph = 5;
    await feed.reloadAll();
    done();
    stored = [];
    await feed.reload([DEVICE]);
    expect([devices(), done()]).toEqual([[], [1, 1]]);
  });
});

describe('the readings of an earlier run', () => {
  it('are evaluated, and that tells whether there is news', async () => {
    node.rule();
    await node.know(stored);
    ph = 6;
    expect(await feed.catchUp(stores, { devices: [], savedAt: AT })).toBe(false);
    node = new EngineUnderRules();
    const { rules, engine, clock } = node;
    node.rule();
    await node.know(stored);
    ph = 5;
    const others = { events, read: async () => {}, onStored: () => false, onNews: () => {} };
    const second = new ReadingFeed({ rules, engine, devices: node.devices, clock, ...others });
    expect(await second.catchUp(stores, { devices: [], savedAt: AT })).toBe(true);
  });
});

describe('changed rules', () => {
  it('are not read again without a new one', async () => {
    await feed.reloadAll();
    feed.start();
    done();
    await feed.rulesChanged();
    expect(done()).toEqual([0, 0]);
  });

  it('that are new look back', async () => {
    await feed.reloadAll();
    feed.start();
    done();
    ph = 5;
    node.rule();
    await feed.rulesChanged();
    expect([devices(), done()]).toEqual([[DEVICE], [1, 0]]);
  });

  it('that name an unknown device let it be read', async () => {
    stored = [knownDevice({ mine: null }, { id: OTHER, store: 'public' })];
    await feed.reloadAll();
    feed.start();
    node.rule({ scope: { kind: 'device', device: OTHER } });
    await feed.rulesChanged();
    expect(node.devices.all).toEqual(stored);
  });

  it('are the first that are on: the devices are judged by their latest readings, and listened to', async () => {
    allOff();
    await feed.reloadAll();
    feed.start();
    await feed.rulesChanged();
    expect([events.isHeard('stored'), node.engine.watchOf(DEVICE)!.lastReceivedAt]).toEqual([false, null]);
    ph = 5;
    node.rule();
    await feed.rulesChanged();
    expect([events.isHeard('stored'), node.engine.watchOf(DEVICE)!.lastReceivedAt]).toEqual([true, AT]);
    expect(devices()).toEqual([DEVICE]);
  });
});

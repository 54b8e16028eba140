import { beforeEach, describe, expect, it } from 'vitest';
import { knownDevice } from '../../../../test/support/rules-under-test.ts';
import type { KnownDevice, StoresView } from '../../store/stores-view.ts';
import { KnownDevices } from './known-devices.ts';

const [MINE, NAMED, GROUPED, STRANGE] = ['aa', 'bb', 'cc', 'dd'].map((byte) => byte.repeat(32)) as [
  ...[string, string, string, string],
];
const BENCH = '3f0f6f5e-8a5a-4f1e-9d43-0c7f4c2f6a12';
const EMPTY = '4f0f6f5e-8a5a-4f1e-9d43-0c7f4c2f6a12';

/** The devices in the stores, and the owner's choices. */
let devices: KnownDevice[];
let choices: Map<string, unknown>;
let known: KnownDevices;
const stores = {
  devices: async () => devices,
  device: async (id: string) => devices.find((each) => each.id === id) ?? null,
  choices: async () => choices,
} as unknown as StoresView;
const group = (id: string, members: readonly string[]) => ({ id, name: 'Bench', isCollapsed: false, devices: members });
const stranger = (id: string) => knownDevice({ mine: null }, { id, store: 'public' });
const ids = () => known.all.map(({ id }) => id);

beforeEach(() => {
  known = new KnownDevices();
  devices = [knownDevice({}, { id: MINE }), stranger(NAMED), stranger(GROUPED), stranger(STRANGE)];
  choices = new Map([['groups', [group(EMPTY, []), group(BENCH, [MINE, GROUPED])]]]);
});

describe('the known devices', () => {
  it('are the owner’s, and those that a rule or a group names', async () => {
    await known.load(stores, new Set([NAMED]));
    expect(known.all).toEqual(devices.slice(0, 3));
    expect(known.find(MINE)).toBe(devices[0]);
    expect([known.find(STRANGE), known.lastKnown(STRANGE)]).toEqual([null, null]);
    await known.load(stores, new Set());
    expect(ids()).toEqual([MINE, GROUPED]);
  });

  it('have none that is hidden', async () => {
    devices = [knownDevice({ isHidden: true }, { id: MINE }), knownDevice({ isHidden: true }, { id: NAMED })];
    await known.load(stores, new Set([NAMED]));
    expect(known.all).toEqual([]);
  });

  it('are read again one by one', async () => {
    await known.load(stores, new Set());
    devices = [knownDevice({ text: 'new' }, { id: MINE }), ...devices.slice(1)];
    await known.reload(stores, [MINE, NAMED, STRANGE, 'unknown'], new Set([NAMED]));
    expect([known.find(MINE), known.find(NAMED)]).toEqual([devices[0], devices[1]]);
    expect(ids().toSorted()).toEqual([MINE, NAMED, GROUPED]);
  });

  it('that are gone are remembered until others are read again', async () => {
    await known.load(stores, new Set());
    const before = known.find(MINE);
    devices = [];
    await known.reload(stores, [MINE, STRANGE], new Set());
    expect([known.find(MINE), known.lastKnown(MINE), known.lastKnown(STRANGE)]).toEqual([null, before, null]);
    await known.reload(stores, [], new Set());
    expect(known.lastKnown(MINE)).toBe(null);
  });

  it('that are not kept are not remembered either', async () => {
    await known.load(stores, new Set());
    await known.reload(stores, [STRANGE], new Set());
    expect([known.find(STRANGE), known.lastKnown(STRANGE)]).toEqual([null, null]);
  });

  it('that are hidden now are remembered as such', async () => {
    await known.load(stores, new Set());
    devices = [knownDevice({ isHidden: true }, { id: MINE })];
    await known.reload(stores, [MINE], new Set());
    expect([known.find(MINE), known.lastKnown(MINE)]).toEqual([null, devices[0]]);
  });

  it('that come back are known as they are', async () => {
    await known.load(stores, new Set());
    const all = devices;
    devices = [];
    await known.reload(stores, [MINE], new Set());
    devices = all;
    await known.reload(stores, [MINE], new Set());
    expect(known.lastKnown(MINE)).toBe(all[0]);
  });
});

describe('a rule', () => {
  it.each([
    ['for one device', { kind: 'device', device: GROUPED }, [false, false, true]],
    ['for a group', { kind: 'group', group: BENCH }, [true, false, true]],
    ['for an unknown group', { kind: 'group', group: crypto.randomUUID() }, [false, false, false]],
    ['for all devices of the owner', { kind: 'all' }, [true, false, false]],
  ] as const)('%s is for its devices only', async (_name, scope, isIn) => {
    await known.load(stores, new Set());
    expect(devices.slice(0, 3).map((device) => known.isIn(scope, device))).toEqual(isIn);
  });
});

describe('the place of a crop', () => {
  it('has one device, or those of a group', async () => {
    await known.load(stores, new Set());
    expect(known.at({ kind: 'device', device: NAMED })).toEqual([NAMED]);
    expect(known.at({ kind: 'group', group: BENCH })).toEqual([MINE, GROUPED]);
    expect(known.at({ kind: 'group', group: crypto.randomUUID() })).toEqual([]);
  });

  it('has the groups of the last read, and none if they can’t be read', async () => {
    await known.loadGroups(stores);
    choices = new Map([['groups', [group(BENCH, [NAMED])]]]);
    await known.loadGroups(stores);
    expect(known.at({ kind: 'group', group: BENCH })).toEqual([NAMED]);
    choices = new Map([['groups', 'damaged']]);
    await known.loadGroups(stores);
    expect(known.at({ kind: 'group', group: BENCH })).toEqual([]);
  });
});

describe('the name of a device', () => {
  it('is the owner’s or its own, with digits if another one has the same', async () => {
    devices = [
      knownDevice({}, { id: MINE, name: 'Tank' }),
      knownDevice({ displayName: 'Basil' }, { id: NAMED, name: 'Tank' }),
      knownDevice({ displayName: 'tank' }, { id: GROUPED, name: 'Other' }),
    ];
    await known.load(stores, new Set());
    expect(devices.map((device) => known.nameOf(device))).toEqual(['Tank (aaaa)', 'Basil', 'tank (cccc)']);
  });
});

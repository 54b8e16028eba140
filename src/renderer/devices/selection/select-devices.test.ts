import { describe, expect, it } from 'vitest';
import { type FieldScale, fieldScale } from '../../../shared/measures/field-scale.ts';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { NO_NOTES } from '../../../shared/owner-data/notes.ts';
import { perFieldName } from '../../../shared/protocol/fields.ts';
import { deviceStatus } from '../../../shared/wellness/status.ts';
import { DEFAULT_PREFERENCES, type ListPreferences, parsePreferences } from './preferences.ts';
import { SHOW_ALL, selectDevices, sortNumber } from './select-devices.ts';

const NOW = 1_800_000_000_000;
const NEWEST = {
  seq: '1',
  keyVersion: 0,
  receivedAt: NOW,
  measuredAt: NOW,
  isEntered: false,
  unchangedSince: null,
  isUnchangedLonger: false,
};
const NONE = perFieldName(() => null);
const KEPT = perFieldName(() => 1 as const);

let made = 0;

function device(name: string, change: Partial<DeviceSummary> & { ph?: number } = {}): DeviceSummary {
  const { ph, ...rest } = change;
  const id = (++made).toString(16).padStart(64, '0');
  return {
    id,
    mac: '02988cb8e9d5',
    ownerPubkey: 'aa'.repeat(32),
    ownerName: null,
    name,
    type: 0,
    location: null,
    hardware: {},
    stores: [{ store: 'private', publishTo: 2, privacyPolicy: {}, dispositions: KEPT, createdAt: made }],
    notes: NO_NOTES,
    corrections: [],
    hasNamesake: false,
    mine: true,
    claimed: false,
    lastReceivedAt: NOW - 1000,
    usualIntervalMs: 60_000,
    silentAfterMs: 180_000,
    clockNotSet: false,
    newest: { ...NONE, ph: ph === undefined ? null : { ...NEWEST, value: ph } },
    sparkline: { startAt: 0, stepMs: 1, values: {} },
    ...rest,
  };
}

const select = (devices: readonly DeviceSummary[], preferences: Partial<ListPreferences>) =>
  selectDevices(devices, { ...DEFAULT_PREFERENCES, ...preferences }, () => NOW, 'en');
const names = (devices: readonly DeviceSummary[]): string[] => devices.map(({ name }) => name);

type Value = { readonly scale: FieldScale; readonly sent: number };

it('sorts levels and distances separately, more water after less', () => {
  const distance = fieldScale('waterLevel', undefined);
  const level = fieldScale('waterLevel', { tank: { empty: 400, full: 50 } });
  const by = (isMixed: boolean) => (a: Value, b: Value) => numberOf(a, isMixed) - numberOf(b, isMixed);
  const numberOf = ({ scale, sent }: Value, isMixed: boolean) => sortNumber(scale, sent, isMixed);
  const full = { scale: level, sent: 60 };
  const low = { scale: level, sent: 420 };
  const near = { scale: distance, sent: 100 };
  const far = { scale: distance, sent: 900 };
  const sorted = [full, near, far, low].toSorted(by(true));
  expect(sorted).toEqual([far, near, low, full]);
  // A column that only has distances is named so, and sorted by distance.
  expect([far, near].toSorted(by(false))).toEqual([near, far]);
});

describe('selectDevices', () => {
  it('sorts names naturally, in both directions', () => {
    const devices = ['Tank 10', 'tank 2', 'Água'].map((name) => device(name));
    expect(names(select(devices, {}).mine)).toEqual(['Água', 'tank 2', 'Tank 10']);
    expect(names(select(devices, { descending: true }).mine)).toEqual(['Tank 10', 'tank 2', 'Água']);
  });

  it('puts devices without the value last in both directions', () => {
    const devices = [device('none'), device('low', { ph: 5 }), device('high', { ph: 7 })];
    expect(names(select(devices, { sort: 'ph' }).mine)).toEqual(['low', 'high', 'none']);
    expect(names(select(devices, { sort: 'ph', descending: true }).mine)).toEqual(['high', 'low', 'none']);
  });

  it('sorts by the last reading and by status', () => {
    const devices = [
      device('silent', { lastReceivedAt: NOW - 180_001 }),
      device('online'),
      device('new', { lastReceivedAt: null }),
    ];
    expect(names(select(devices, { sort: 'lastReading', descending: true }).mine)).toEqual(['online', 'silent', 'new']);
    expect(names(select(devices, { sort: 'status' }).mine)).toEqual(['silent', 'new', 'online']);
  });

  it('finds every word of the search, without accents, in name, id, MAC, owner and model', () => {
    const devices = [
      device('Água fria'),
      device('other', { ownerName: 'Joana', hardware: { model: 'ESP32' } }),
      device('renamed', { notes: { ...device('x').notes, displayName: 'Cellar' } }),
    ];
    expect(names(select(devices, { search: 'agua' }).mine)).toEqual(['Água fria']);
    expect(names(select(devices, { search: 'esp32 JOANA' }).mine)).toEqual(['other']);
    expect(names(select(devices, { search: 'cellar' }).mine)).toEqual(['renamed']);
    expect(names(select(devices, { search: devices[1]!.id }).mine)).toEqual(['other']);
    expect(select(devices, { search: 'agua joana' }).mine).toEqual([]);
    const byMac = [device('found', { mac: '0200ab34cd56' }), device('not')];
    for (const search of ['0200ab34cd56', '02:00:AB:34:cd:56', '34:cd']) {
      expect(names(select(byMac, { search }).mine)).toEqual(['found']);
    }
  });

  it('lists devices of other owners apart and counts what is hidden', () => {
    const stores = [{ ...device('x').stores[0]!, store: 'public' as const }];
    const devices = [device('a'), device('b', { stores }), device('c', { stores, mine: false })];
    const all = select(devices, {});
    expect([names(all.mine), names(all.others), all.hiddenMine, all.hiddenOthers]).toEqual([['a', 'b'], ['c'], 0, 0]);
    const some = select(devices, { store: 'private' });
    expect([names(some.mine), names(some.others), some.hiddenMine, some.hiddenOthers]).toEqual([['a'], [], 1, 1]);
    expect(names(select(devices, { store: 'private', search: 'zzz', ...SHOW_ALL }).mine)).toEqual(['a', 'b']);
    const withClaim = select([...devices, device('d', { stores, mine: false, claimed: true })], {});
    expect([names(withClaim.claimed), names(withClaim.others), withClaim.hiddenOthers]).toEqual([['d'], ['c'], 0]);
  });

  it('leaves devices of other owners out of every status', () => {
    const silent = { lastReceivedAt: NOW - 1e9 };
    const devices = [device('mine', silent), device('other', { ...silent, mine: false })];
    for (const status of ['online', 'silent', 'off'] as const) {
      const { others, hiddenOthers } = select(devices, { status });
      expect([others, hiddenOthers]).toEqual([[], 1]);
    }
    expect(names(select(devices, { status: 'silent' }).mine)).toEqual(['mine']);
  });
});

describe('deviceStatus', () => {
  it('determines silence by the arrival of the last reading, to the millisecond', () => {
    expect(deviceStatus(device('x', { lastReceivedAt: NOW - 180_000 }), NOW)).toBe('online');
    expect(deviceStatus(device('x', { lastReceivedAt: NOW - 180_001 }), NOW)).toBe('silent');
    expect(deviceStatus(device('x', { lastReceivedAt: null }), NOW)).toBe('waiting');
  });

  it('expects no readings of another owner’s device', () => {
    for (const lastReceivedAt of [null, NOW - 1, NOW - 1e9]) {
      expect(deviceStatus(device('x', { lastReceivedAt, mine: false }), NOW)).toBe('foreign');
    }
  });

  it('expects no readings of a device that the owner noted as inactive or lost', () => {
    const { notes } = device('x');
    const long = { lastReceivedAt: NOW - 1e9 };
    expect(deviceStatus(device('x', { ...long, notes: { ...notes, status: 1 } }), NOW)).toBe('inactive');
    expect(deviceStatus(device('x', { ...long, notes: { ...notes, status: 2 } }), NOW)).toBe('lost');
  });
});

describe('parsePreferences', () => {
  it('keeps valid preferences and uses defaults for the rest', () => {
    expect(parsePreferences(null)).toEqual(DEFAULT_PREFERENCES);
    expect(parsePreferences('not json')).toEqual(DEFAULT_PREFERENCES);
    expect(parsePreferences('[]')).toEqual(DEFAULT_PREFERENCES);
    expect(parsePreferences('{"sort":"ec","descending":true,"status":"gone","search":5}')).toEqual({
      ...DEFAULT_PREFERENCES,
      sort: 'ec',
      descending: true,
    });
  });
});

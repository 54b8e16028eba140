import { describe, expect, it, test } from 'vitest';
import type { StoreDevice } from '../../../../shared/owner-api/devices.ts';
import { perFieldName } from '../../../../shared/protocol/fields.ts';
import { arrivedOf, hasOwnRule, policyPlaces } from './policy.ts';

const node = 'ab'.repeat(32);
const elsewhere = 'cd'.repeat(32);

function row(store: 'private' | 'public', over: Partial<StoreDevice> = {}): StoreDevice {
  return {
    store,
    publishTo: 2,
    privacyPolicy: {
      ph: { default_disposition: 2, per_destination: { [node]: 1, [elsewhere]: 0, 'topic/a': 2 } },
      water_level: { default_disposition: 0 },
    },
    dispositions: { ...perFieldName(() => 1 as const), waterLevel: 0, humidity: 2 },
    createdAt: 0,
    ...over,
  };
}

describe('policyPlaces', () => {
  it('describes what each store, named places and all others get', () => {
    const places = policyPlaces({ stores: [row('private'), row('public')] }, node);
    expect(places.map(({ kind, name }) => [kind, name])).toEqual([
      ['private', null],
      ['public', null],
      ['named', elsewhere],
      ['named', 'topic/a'],
      ['others', null],
    ]);
    expect(places[0]!.fields).toMatchObject({ ph: 'plain', waterLevel: 'no', humidity: 'sealed' });
    expect(places[2]!.fields).toMatchObject({ ph: 'no', ec: 'plain', waterLevel: 'no' });
    expect(places[3]!.fields).toMatchObject({ ph: 'sealed' });
    expect(places[4]!.fields).toMatchObject({ ph: 'sealed', ec: 'plain', waterLevel: 'no' });
  });

  it('says if a store keeps nothing', () => {
    const [priv, pub, named] = policyPlaces(
      { stores: [row('private', { publishTo: 1 }), row('public', { publishTo: 0 })] },
      node,
    );
    expect(new Set(Object.values(priv!.fields))).toEqual(new Set(['nothing']));
    expect(new Set(Object.values(pub!.fields))).toEqual(new Set(['nothing']));
    expect(named!.fields.ec).toBe('plain');
  });

  it('names no other recipients if the device has none', () => {
    const places = policyPlaces({ stores: [row('private', { publishTo: 0, privacyPolicy: {} })] }, node);
    expect(places.map(({ kind }) => kind)).toEqual(['private']);
  });
});

test('a rule for this node does not apply to others, nor to another field or store', () => {
  const device = { stores: [row('private')] };
  expect(hasOwnRule(device, 'private', 'ph', node)).toBe(true);
  expect(hasOwnRule(device, 'private', 'ph', 'ef'.repeat(32))).toBe(false);
  expect(hasOwnRule(device, 'private', 'ph', null)).toBe(false);
  expect(hasOwnRule(device, 'private', 'waterLevel', node)).toBe(false);
  expect(hasOwnRule(device, 'public', 'ph', node)).toBe(false);
});

describe('arrivedOf', () => {
  const none = { plain: 0, sealed: 0 };
  const held = (ph: { plain: number; sealed: number }) => ({ ...perFieldName(() => none), ph });
  const times = { firstAt: 1, lastAt: 2 };
  const device = {
    readings: [
      { store: 'private' as const, count: 100 },
      { store: 'public' as const, count: 7 },
    ],
    held: [{ store: 'private' as const, fields: held({ plain: 10, sealed: 30 }) }],
    withheld: [
      { store: 'private' as const, cause: 'encrypted_only' as const, field: 'ph' as const, count: 5, ...times },
      { store: 'private' as const, cause: 'publish_to' as const, field: null, count: 9, ...times },
      { store: 'public' as const, cause: 'omit' as const, field: 'ph' as const, count: 2, ...times },
    ],
  };

  it('counts by store and field what is plain, sealed, withheld or missing', () => {
    expect(arrivedOf(device, 'private', 'ph')).toEqual({ plain: 10, sealed: 30, withheld: 5, missing: 60 });
    expect(arrivedOf(device, 'public', 'ph')).toEqual({ plain: 0, sealed: 0, withheld: 2, missing: 7 });
    expect(arrivedOf(device, 'private', 'ec')).toEqual({ plain: 0, sealed: 0, withheld: 0, missing: 100 });
  });
});

import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { ATTACKER, HOME, someone } from '../../../../test/support/joining.ts';
import type { DeviceRegistration } from '../../../shared/protocol/device.ts';
import type { JoinAttempt } from './attempts.ts';
import { digestOf, PENDING_MS, PendingDevices, waitsFor } from './pending-devices.ts';
import { writeSent } from './pending-file.ts';

const AT = 1_790_000_000_000;
const NET = 'fd00:0:0:1';
const REGISTRATION: DeviceRegistration = { ...someone(), publishTo: 2 };
const { id: ID } = REGISTRATION;
const BYTES = writeSent(REGISTRATION).length;
/** The number of bytes that all may have. */
const MOST = 4 * 1024 ** 2;

const KEPT_REGISTRATION = {
  ...{ sent: writeSent(REGISTRATION), address: HOME, hosts: [ATTACKER, HOME], count: 2, firstAt: AT, lastAt: AT + 5 },
};
const KEPT = {
  ...{ id: ID, since: AT, isSigned: true, isHeld: false, onlyOneOf: 'opening' },
  registrations: [KEPT_REGISTRATION],
};

let list: PendingDevices;
beforeEach(() => {
  list = new PendingDevices();
});

const named = (id: string) => ({ ...REGISTRATION, id });
/** Returns a registration of so many bytes in the file. */
const sized = (id: string, bytes: number) => {
  const name = 'x'.repeat(bytes - writeSent({ ...named(id), name: '' }).length);
  return { ...named(id), name };
};
const from = (address: string, onlyOneOf: string | null = null) => ({ address, now: AT, onlyOneOf });
const add = (registration: DeviceRegistration, address = HOME, onlyOneOf: string | null = null) =>
  list.add(registration, 'own', from(address, onlyOneOf), []);
const attempt = (digest: string, changes: Partial<JoinAttempt> = {}): JoinAttempt => ({
  ...{ registration: REGISTRATION, digest, address: ATTACKER, isSigned: false, count: 3, firstAt: 1, lastAt: 2 },
  ...changes,
});
const ids = () => list.all.map(({ id }) => id);
const digests = (id = ID) => list.find(id)?.registrations.map(({ digest }) => digest);
const addTo = (digest: string, address = HOME, now = AT + 1) =>
  list.addTo(list.find(ID)!, REGISTRATION, digest, { address, now });

it('has the registration, its address and its size', () => {
  expect([list.isEmpty, list.all, list.find(ID)]).toEqual([true, [], undefined]);
  list.add(REGISTRATION, 'own', from(`${NET}::1`, 'opening'), []);
  const sent = { registration: REGISTRATION, digest: 'own', address: `${NET}::1`, count: 1, firstAt: AT, lastAt: AT };
  const device = {
    ...{ id: ID, since: AT, address: `${NET}::1`, isSigned: false, isHeld: false, onlyOneOf: 'opening' },
    registrations: [{ ...sent, hosts: [NET], bytes: BYTES }],
  };
  expect([list.isEmpty, list.all, list.find(ID)]).toEqual([false, [device], device]);
  expect(list.registrations).toEqual([{ ...sent, isSigned: false, waitsFor: 'reading', endsAt: AT + 24 * 3_600_000 }]);
});

it('has three others of the id that were refused before it, and whether one of them is proven', () => {
  const others = ['own', '1', '2', '3', '4'].map((digest) => attempt(digest, { isSigned: digest === '2' }));
  list.add(REGISTRATION, 'own', from(HOME), others);
  expect(digests()).toEqual(['1', '2', '3', 'own']);
  const { isSigned: _, ...first } = others[1]!;
  expect(list.find(ID)).toMatchObject({ isSigned: true, address: HOME });
  expect(list.find(ID)!.registrations[0]).toEqual({ ...first, hosts: [ATTACKER], bytes: BYTES });
  expect(list.registrations.map(({ waitsFor }) => waitsFor)).toEqual(Array.from({ length: 4 }, () => 'choice'));
});

it('has two hundred ids, and then the address with the most loses its first one', () => {
  add(named('home'));
  for (let each = 0; each < 199; each += 1) add(named(String(each)), ATTACKER);
  expect(ids()).toHaveLength(200);
  add(named('new'));
  expect(ids()).toEqual(['home', ...Array.from({ length: 198 }, (_, each) => String(each + 1)), 'new']);
});

it('has four megabytes, or one larger device', () => {
  add(sized('1', MOST / 4));
  list.add(sized('2', MOST / 4), 'own', from(HOME), [attempt('1', { registration: sized('2', MOST / 4) })]);
  add(sized('3', MOST / 4));
  expect(ids()).toEqual(['1', '2', '3']);
  list.remove('3');
  add(sized('3', MOST / 4 + 1));
  expect(ids()).toEqual(['2', '3']);
  add(sized('4', MOST + 1));
  expect(ids()).toEqual(['4']);
});

it('counts the same registration again, and remembers its last eight addresses', () => {
  add(REGISTRATION);
  expect([addTo('2'), addTo('own', ATTACKER, AT + 2), addTo('own', HOME, AT + 3)]).toEqual([
    'beside',
    'known',
    'known',
  ]);
  const added = { registration: REGISTRATION, address: HOME, bytes: BYTES };
  expect(list.find(ID)!.registrations).toEqual([
    { ...added, digest: 'own', hosts: [ATTACKER, HOME], count: 3, firstAt: AT, lastAt: AT + 3 },
    { ...added, digest: '2', hosts: [HOME], count: 1, firstAt: AT + 1, lastAt: AT + 1 },
  ]);
  const hosts = Array.from({ length: 7 }, (_, each) => `10.0.0.${each}`);
  for (const host of hosts) addTo('own', host);
  expect(list.find(ID)!.registrations[0]!.hosts).toEqual([HOME, ...hosts]);
  addTo('own', `${NET}::1`);
  expect(list.find(ID)!.registrations[0]!.hosts).toEqual([...hosts, NET]);
});

it('identifies a registration by the first 16 digits of the hash of its text', () => {
  const hash = createHash('sha256').update(writeSent(REGISTRATION)).digest('hex');
  expect(digestOf(REGISTRATION)).toBe(hash.slice(0, 16));
});

describe('a further registration under an id', () => {
  it('is kept if fewer than four are there', () => {
    add(REGISTRATION);
    expect(['2', '3', '4', '5'].map((digest) => addTo(digest))).toEqual(['beside', 'beside', 'beside', 'full']);
    expect(digests()).toEqual(['own', '2', '3', '4']);
    expect(['4', '5'].map((digest) => list.has(ID, digest))).toEqual([true, false]);
    expect(list.has('unknown', '4')).toBe(false);
  });

  it('is kept if all have four megabytes with it', () => {
    add(sized(ID, MOST - BYTES - 1));
    add(sized('2', BYTES + 1));
    expect(addTo('2')).toBe('full');
    list.remove('2');
    expect([addTo('2'), digests()]).toEqual(['beside', ['own', '2']]);
    list.remove(ID);
    add(sized(ID, MOST - BYTES + 1));
    expect([addTo('2'), digests()]).toEqual(['full', ['own']]);
    list.remove(ID);
    add(sized(ID, MOST - BYTES));
    expect(addTo('2')).toBe('beside');
  });
});

describe('a device', () => {
  it.each([
    ['reading', 0, 1, false],
    ['reading', 2, 1, false],
    ['owner', 2, 1, true],
    ['keeping', 1, 1, false],
    ['keeping', 1, 1, true],
    ['choice', 1, 2, true],
  ] as const)('waits for %s: publishTo %d, registrations %d, held %s', (event, publishTo, count, isHeld) => {
    add({ ...REGISTRATION, publishTo }, HOME, 'opening');
    if (count > 1) addTo('2');
    if (isHeld) list.hold('opening');
    expect(waitsFor(list.find(ID)!)).toBe(event);
    expect([list.confirmable(ID, HOME) !== null, list.confirmable(ID, ATTACKER)]).toEqual([event === 'reading', null]);
  });

  it('is confirmed from each address that sent its registration', () => {
    add(REGISTRATION, `${NET}::1`);
    addTo('own', HOME);
    expect([HOME, `${NET}::2`, ATTACKER].map((at) => list.confirmable(ID, at))).toEqual([
      REGISTRATION,
      REGISTRATION,
      null,
    ]);
    expect(list.confirmable('unknown', HOME)).toBeNull();
  });

  it('is proven once', () => {
    add(REGISTRATION);
    add(named('other'));
    expect([list.signed('unknown'), list.signed(ID), list.signed(ID)]).toEqual([false, true, false]);
    expect(list.all.map(({ isSigned }) => isSigned)).toEqual([true, false]);
  });

  it('is removed, or one of its registrations', () => {
    add(REGISTRATION);
    add(named('other'));
    addTo('2');
    list.remove('unknown');
    list.remove(ID, '3');
    expect([ids(), digests()]).toEqual([
      [ID, 'other'],
      ['own', '2'],
    ]);
    list.remove(ID, 'own');
    expect([ids(), digests()]).toEqual([[ID, 'other'], ['2']]);
    list.remove(ID, '2');
    expect(ids()).toEqual(['other']);
    add(REGISTRATION);
    addTo('2');
    list.remove(ID);
    expect(ids()).toEqual(['other']);
  });

  it('of an opening for one is held with the others of that opening only', () => {
    for (const [id, opening] of [
      ['1', 'a'],
      ['2', 'b'],
      ['3', null],
      ['4', 'a'],
    ] as const)
      add(named(id), HOME, opening);
    list.hold('a');
    expect(list.all.map(({ isHeld }) => isHeld)).toEqual([true, false, false, true]);
  });
});

describe('a dismissed registration', () => {
  it('is removed and stays so until dismissed ones are forgotten', () => {
    add(REGISTRATION);
    addTo('2');
    expect(list.isDismissed('2')).toBe(false);
    list.dismiss(ID, '2', AT);
    expect([digests(), list.isDismissed('2'), list.isDismissed('own')]).toEqual([['own'], true, false]);
    list.forgetDismissed();
    expect(list.isDismissed('2')).toBe(false);
  });

  it('is one of the last two hundred', () => {
    for (let each = 0; each < 200; each += 1) list.dismiss(ID, String(each), AT);
    expect(list.isDismissed('0')).toBe(true);
    list.dismiss(ID, 'last', AT);
    expect(['0', '1', 'last'].map((digest) => list.isDismissed(digest))).toEqual([false, true, true]);
  });
});

it('what has waited for a day expires', () => {
  add(REGISTRATION);
  list.add(named('later'), 'own', { ...from(HOME), now: AT + 1 }, []);
  list.dismiss('none', 'old', AT);
  list.dismiss('none', 'new', AT + 1);
  expect([list.expire(AT + PENDING_MS - 1), ids(), list.isDismissed('old')]).toEqual([false, [ID, 'later'], true]);
  expect([list.expire(AT + PENDING_MS), ids()]).toEqual([true, ['later']]);
  expect([list.isDismissed('old'), list.isDismissed('new')]).toEqual([false, true]);
  expect(list.expire(AT + PENDING_MS)).toBe(false);
});

it.each([
  ['within its span', 10, [AT - 1, AT, AT + 1, AT + 2], [AT - 1, AT + 10, AT + 11, AT + 2]],
  ['not before 1970', -AT - 1, [AT, AT + 1, AT, AT + 2], [0, 0, 0, AT + 2]],
])('a corrected clock moves times: %s', (_how, by, times, moved) => {
  const dated = ([since, firstAt, lastAt, at]: number[]) => ({
    ...{ version: 1 as const, dismissed: [{ digest: 'd', at: at! }] },
    devices: [
      { ...KEPT, since: since!, registrations: [{ ...KEPT_REGISTRATION, firstAt: firstAt!, lastAt: lastAt! }] },
    ],
  });
  for (const turn of [0, 1, 2, 3]) {
    const turned = (each: number[]) => dated([...each.slice(turn), ...each.slice(0, turn)]);
    const other = new PendingDevices();
    other.load(turned(times), false);
    other.move({ by, from: AT, to: AT + 1 });
    expect(other.document).toEqual(turned(moved));
  }
});

describe('the document of the file', () => {
  const document = {
    ...{ version: 1 as const, dismissed: [{ digest: 'd', at: 4 }] },
    devices: [KEPT, { ...KEPT, id: 'other', isSigned: false, isHeld: true, onlyOneOf: null }],
  };

  it('is empty at first', () => {
    expect(list.document).toEqual({ version: 1, devices: [], dismissed: [] });
  });

  it('is the same after it was read', () => {
    list.load(document, false);
    expect(list.document).toEqual(document);
    const { sent: _, ...entry } = KEPT_REGISTRATION;
    expect(list.find(ID)).toEqual({
      ...{ ...KEPT, address: HOME },
      registrations: [{ ...entry, registration: REGISTRATION, digest: digestOf(REGISTRATION), bytes: BYTES }],
    });
    expect(list.isDismissed('d')).toBe(true);
  });

  it('leaves every device to the owner if it was damaged', () => {
    list.load(document, true);
    expect(list.all.map(({ isHeld }) => isHeld)).toEqual([true, true]);
  });
});

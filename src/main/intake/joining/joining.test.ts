import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../../test/support/node-process.ts';
import { type DeviceRegistration, deviceRegistration } from '../../../shared/protocol/device.ts';
import { SimulatedDevice } from '../../../simulator/device.ts';
import { type Clock, SYSTEM_CLOCK } from '../../common/clock.ts';
import { EventBus } from '../../common/event-bus.ts';
import type { NodeEventMap } from '../../common/node-events.ts';
import { previousOf } from '../../state-files/state-file.ts';
import { StorageUnavailable } from '../../store/storage-unavailable.ts';
import { Joining } from './joining.ts';
import { digestOf, PENDING_MS } from './pending-devices.ts';
import { PENDING_FILE, readSent, writeSent } from './pending-file.ts';

const TEN_MINUTES_MS = 10 * 60_000;
const HOME = '192.168.1.20';
const ATTACKER = '192.168.1.66';
const someone = (changes = {}) => deviceRegistration.parse(new SimulatedDevice().registration(changes));

let folder: string;
const started: Joining[] = [];
beforeEach(() => {
  folder = temporaryFolder();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
});
afterEach(async () => {
  for (const each of started.splice(0)) await each.stop();
  vi.useRealTimers();
  removeFolder(folder);
});

/** A store for devices that have joined. In these tests a block is its device's id, and is signed by default. */
function home() {
  const devices = new Map<string, DeviceRegistration>();
  const signers = async (blocks: readonly unknown[], ids: ReadonlySet<string>) => {
    const signed = (blocks as ({ deviceId: string; isForged?: boolean } | null)[]).filter((each) => !each?.isForged);
    return new Set(signed.map((each) => each?.deviceId ?? '').filter((id) => ids.has(id)));
  };
  const register = async (registration: DeviceRegistration) => {
    if (devices.has(registration.id)) return 'exists' as const;
    devices.set(registration.id, registration);
    return 'created' as const;
  };
  return { devices, signers, register };
}

async function joining(clock: Clock = SYSTEM_CLOCK, registered: readonly string[] = []) {
  const events = new EventBus<NodeEventMap>(pino({ level: 'silent' }));
  let changes = 0;
  events.on('gateChanged', () => {
    changes += 1;
  });
  const way = new Joining(events, clock);
  await way.start({ path: folder, log: pino({ level: 'silent' }), now: () => clock.now() }, async (id) =>
    registered.includes(id),
  );
  started.push(way);
  return { joining: way, changes: () => changes };
}

const idsOf = (list: readonly { readonly registration: DeviceRegistration }[]) =>
  list.map(({ registration: { id } }) => id);

describe('an opening', () => {
  test('closes after ten minutes and emits an event', async () => {
    const { joining: way, changes } = await joining();
    way.open(false);
    vi.advanceTimersByTime(TEN_MINUTES_MS - 1);
    expect(await way.register(someone(), HOME)).toBe('new');
    const before = changes();
    vi.advanceTimersByTime(1);
    expect(way.state.leftMs).toBeNull();
    expect(changes()).toBe(before + 1);
    expect(await way.register(someone(), HOME)).toBe('closed');
  });

  test('lasts ten minutes from the time when it is opened again', async () => {
    const { joining: way } = await joining();
    way.open(false);
    vi.advanceTimersByTime(TEN_MINUTES_MS - 1000);
    way.open(true);
    vi.advanceTimersByTime(TEN_MINUTES_MS - 1);
    expect(way.state.leftMs).toBe(1);
    vi.advanceTimersByTime(1);
    expect(way.state.leftMs).toBeNull();
  });

  test('does not depend on the time of day', async () => {
    const { joining: way } = await joining();
    way.open(false);
    vi.setSystemTime(Date.now() + 24 * 60 * 60_000);
    expect(await way.register(someone(), HOME)).toBe('new');
  });

  test('for one device stays open after unsigned registrations, and closes after the first signed block', async () => {
    const { joining: way } = await joining();
    const store = home();
    way.open(true);
    const devices = Array.from({ length: 8 }, () => someone());
    for (const device of devices) expect(await way.register(device, HOME)).toBe('new');
    expect(way.state).toMatchObject({ leftMs: expect.any(Number), joined: [] });
    await Promise.all(devices.map(({ id }) => way.meet([{ deviceId: id }], HOME, store)));
    expect(store.devices.size).toBe(1);
    expect(way.state).toMatchObject({ leftMs: null, joined: [...store.devices.keys()] });
    expect(way.pending.map(({ waitsFor }) => waitsFor)).toEqual(Array.from({ length: 7 }, () => 'owner'));
  });

  test('accepts 200; then one more only replaces one from an address with more registrations', async () => {
    const { joining: way } = await joining();
    const store = home();
    way.open(false);
    const junk = Array.from({ length: 200 }, () => someone());
    for (const device of junk) expect(await way.register(device, ATTACKER)).toBe('new');
    expect(await way.register(someone(), ATTACKER)).toBe('closed');
    const real = someone();
    expect(await way.register(real, HOME)).toBe('new');
    expect(idsOf(way.pending)).toEqual([...junk.slice(1).map(({ id }) => id), real.id]);
    for (const device of Array.from({ length: 20 }, () => someone())) await way.register(device, ATTACKER);
    await way.meet([{ deviceId: real.id }], HOME, store);
    expect([...store.devices.keys()]).toEqual([real.id]);
    way.open(false);
    expect(await way.register(someone(), ATTACKER)).toBe('new');
    expect(way.pending).toHaveLength(200);
  });
});

describe('a registration that waits', () => {
  test('is confirmed by a signed block from its address, also after joining has closed', async () => {
    const { joining: way } = await joining();
    const store = home();
    const device = someone();
    way.open(false);
    expect(await way.register(device, HOME)).toBe('new');
    way.close();
    expect(await way.register(device, HOME)).toBe('known');
    await way.meet([{ deviceId: device.id, isForged: true }, {}, null, 3], HOME, store);
    expect(store.devices.size).toBe(0);
    // A device's own block does not confirm a registration that another address sent in its name.
    await way.meet([{ deviceId: device.id }], ATTACKER, store);
    expect(store.devices.size).toBe(0);
    expect(way.pending).toMatchObject([{ isSigned: true, waitsFor: 'reading' }]);
    await way.meet([{ deviceId: device.id.toUpperCase() }, { deviceId: device.id }], HOME, store);
    expect([...store.devices.values()]).toEqual([device]);
    expect(way.pending).toEqual([]);
    expect(way.state.joined).toEqual([device.id]);
  });

  test('with another under its id waits for the owner’s choice; a dismissed one does not come back', async () => {
    const { joining: way } = await joining();
    const store = home();
    const mine = someone();
    const theirs = { ...mine, ownerPubkey: 'bb'.repeat(32) };
    way.open(false);
    await way.register(theirs, ATTACKER);
    expect(await way.register(mine, HOME)).toBe('beside');
    way.close();
    for (const name of ['1', '2']) expect(await way.register({ ...theirs, name }, ATTACKER)).toBe('beside');
    expect(await way.register({ ...theirs, name: '3' }, ATTACKER)).toBe('closed');
    await way.meet([{ deviceId: mine.id }], HOME, store);
    await way.meet([{ deviceId: mine.id }], ATTACKER, store);
    expect(store.devices.size).toBe(0);
    expect(way.pending.map(({ waitsFor, isSigned }) => [waitsFor, isSigned])).toEqual(
      Array.from({ length: 4 }, () => ['choice', true]),
    );
    for (const { digest, registration } of way.pending) {
      if (registration.ownerPubkey === theirs.ownerPubkey) expect(await way.dismiss(mine.id, digest)).toBe(true);
    }
    expect(await way.dismiss(mine.id, 'none')).toBe(false);
    expect(await way.register(theirs, ATTACKER)).toBe('closed');
    await way.meet([{ deviceId: mine.id }], HOME, store);
    expect([...store.devices.values()]).toEqual([mine]);
  });

  test('whose readings would not be kept here waits for the owner', async () => {
    const { joining: way } = await joining();
    const store = home();
    const device = someone({ publishTo: 1 });
    way.open(false);
    await way.register(device, HOME);
    await way.meet([{ deviceId: device.id }], HOME, store);
    expect(store.devices.size).toBe(0);
    expect(way.pending).toMatchObject([{ waitsFor: 'keeping', isSigned: true }]);
  });

  test('includes the registrations under its id from when joining was closed', async () => {
    const { joining: way } = await joining();
    const store = home();
    const mine = someone();
    const theirs = { ...mine, name: 'Theirs' };
    await way.register(mine, HOME);
    way.open(false);
    await way.register(theirs, ATTACKER);
    expect(way.attempts).toEqual([]);
    expect(way.pending.map(({ registration, waitsFor }) => [registration.name, waitsFor])).toEqual([
      [mine.name, 'choice'],
      ['Theirs', 'choice'],
    ]);
    await way.meet([{ deviceId: mine.id }], ATTACKER, store);
    expect(store.devices.size).toBe(0);
  });

  test('expires after a day, also if the node’s time was wrong', async () => {
    let now = 60_000;
    const { joining: way, changes } = await joining({ ...SYSTEM_CLOCK, now: () => now });
    const store = home();
    const device = someone();
    way.open(false);
    await way.register(device, HOME);
    const by = 1_790_000_000_000;
    now += by;
    way.moved({ by, from: 0, to: 100_000 });
    now += PENDING_MS - 1;
    expect(idsOf(way.pending)).toEqual([device.id]);
    now += 1;
    const before = changes();
    await vi.advanceTimersByTimeAsync(PENDING_MS);
    expect(changes()).toBeGreaterThan(before);
    expect(way.pending).toEqual([]);
    await way.meet([{ deviceId: device.id }], HOME, store);
    expect(store.devices.size).toBe(0);
  });

  test('survives a restart unless its device is registered by then', async () => {
    const devices = Array.from({ length: 3 }, (_, index) =>
      someone({ location: 2n ** 60n + BigInt(index), publishTo: index % 2 }),
    );
    const { joining: first } = await joining();
    first.open(false);
    await Promise.all(devices.map((device) => first.register(device, HOME)));
    await first.dismiss(devices[2]!.id, digestOf(devices[2]!));
    const { joining: second } = await joining(SYSTEM_CLOCK, [devices[0]!.id]);
    expect(second.pending.map(({ registration, address, waitsFor }) => [registration, address, waitsFor])).toEqual([
      [devices[1], HOME, 'keeping'],
    ]);
    expect(await second.register(devices[2]!, HOME)).toBe('closed');
    expect(second.attempts).toEqual([]);
  });

  test('in a damaged file waits for the owner: an alternative to it may be lost', async () => {
    const device = someone();
    const entry = (sent: string) => ({ sent, address: HOME, hosts: [HOME], count: 1, firstAt: 1, lastAt: 1 });
    const registrations = [entry(writeSent(device)), entry('{}')];
    const kept = { id: device.id, since: Date.now(), isSigned: false, isHeld: false, onlyOneOf: null, registrations };
    const document = { version: 1, devices: [kept], dismissed: [] };
    writeFileSync(join(folder, PENDING_FILE.name), JSON.stringify(document));
    const { joining: way } = await joining();
    expect(way.pending).toMatchObject([{ registration: { id: device.id }, waitsFor: 'owner' }]);
  });

  test('is not confirmed to its device if the disk takes no writes', async () => {
    const { joining: way } = await joining();
    const device = someone();
    way.open(false);
    // The folder's name is taken by a file, so no write succeeds.
    removeFolder(folder);
    writeFileSync(folder, '');
    const answers = await Promise.allSettled([way.register(device, HOME), way.register(device, HOME)]);
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 'rejected', reason: expect.any(StorageUnavailable) });
    }
    expect(way.pending).toEqual([]);
    removeFolder(folder);
  });
});

test('a registration is unchanged after it was written and read', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 2n ** 64n - 1n), fc.string({ minLength: 1 }), fc.string(), (location, name, to) => {
      const sent = deviceRegistration.safeParse({
        ...new SimulatedDevice().registration({ name, location }),
        privacyPolicy: { ph: { default_disposition: 2, per_destination: { [to]: 0 } } },
      });
      if (!sent.success) return;
      const read = readSent(writeSent(sent.data));
      expect(read).toEqual(sent.data);
      expect(digestOf(read!)).toBe(digestOf(sent.data));
    }),
  );
});

test('in any order of events, no registration from another address is confirmed; an opening for one lets in one', async () => {
  const devices = [someone(), someone()];
  const registrations = devices.flatMap((device) => [
    device,
    { ...device, name: 'Other' },
    { ...device, publishTo: 1 as const },
  ]);
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ register: fc.nat(5), from: fc.constantFrom(HOME, ATTACKER) }) },
    { weight: 4, arbitrary: fc.record({ block: fc.nat(1), from: fc.constantFrom(HOME, ATTACKER) }) },
    { weight: 1, arbitrary: fc.record({ forged: fc.nat(1), from: fc.constantFrom(HOME, ATTACKER) }) },
    { weight: 1, arbitrary: fc.record({ open: fc.boolean() }) },
    { weight: 1, arbitrary: fc.constant({ close: true }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { joining: way } = await joining();
      const store = home();
      /** By device: the registrations since the start, and their addresses. */
      const said = new Map<string, Map<string, Set<string>>>();
      let joinedInOpening = 0;
      let isForOne = false;
      for (const each of steps) {
        const before = store.devices.size;
        if ('register' in each) {
          const registration = registrations[each.register]!;
          if (store.devices.has(registration.id)) continue;
          await way.register(registration, each.from);
          const of = said.get(registration.id) ?? new Map<string, Set<string>>();
          said.set(registration.id, of);
          const digest = digestOf(registration);
          of.set(digest, (of.get(digest) ?? new Set()).add(each.from));
        } else if ('block' in each || 'forged' in each) {
          const { id } = devices['block' in each ? each.block : each.forged]!;
          await way.meet([{ deviceId: id, isForged: 'forged' in each }], each.from, store);
          if (store.devices.size > before) {
            expect('block' in each).toBe(true);
            const made = store.devices.get(id)!;
            expect(made.publishTo).not.toBe(1);
            expect([...said.get(id)!.keys()]).toEqual([digestOf(made)]);
            expect(said.get(id)!.get(digestOf(made))).toContain(each.from);
            joinedInOpening += 1;
          }
        } else if ('open' in each) {
          way.open(each.open);
          isForOne = each.open;
          joinedInOpening = 0;
        } else way.close();
        if (isForOne && joinedInOpening > 0) expect(way.state.leftMs).toBeNull();
      }
      await way.stop();
      for (const name of [PENDING_FILE.name, previousOf(PENDING_FILE.name)])
        rmSync(join(folder, name), { force: true });
    }),
    { numRuns: 60 },
  );
});

describe('while joining is closed', () => {
  test('the last fifty attempts are remembered', async () => {
    const { joining: way } = await joining();
    const devices = Array.from({ length: 51 }, () => someone());
    for (const [index, device] of devices.entries()) await way.register(device, `192.168.1.${index}`);
    await way.register(devices[1]!, '192.168.1.1');
    expect(way.attempts).toHaveLength(50);
    expect(way.attempts.at(-1)).toMatchObject({ registration: { id: devices[1]!.id }, count: 2 });
    expect(idsOf(way.attempts)).not.toContain(devices[0]!.id);
  });

  test.each([
    [HOME, () => ATTACKER],
    ['fd00:1:2:4::20', (index: number) => `fd00:1:2:3::${index.toString(16)}`],
  ])('one address, or one IPv6 network, with invented ids pushes out no other device: %s', async (at, from) => {
    const { joining: way } = await joining();
    const real = someone();
    await way.register(real, at);
    const invented = Array.from({ length: 60 }, () => someone());
    for (const [index, device] of invented.entries()) await way.register(device, from(index));
    expect(idsOf(way.attempts)).toEqual([real.id, ...invented.slice(-8).map(({ id }) => id)]);
  });

  test('a device that sent a signed block stays, even if many others are invented', async () => {
    const { joining: way, changes } = await joining();
    const store = home();
    const real = someone();
    await way.register(real, ATTACKER);
    await way.meet([{ deviceId: real.id, isForged: true }], ATTACKER, store);
    expect(way.attempts).toMatchObject([{ isSigned: false }]);
    await way.meet([{ deviceId: real.id }], ATTACKER, store);
    expect(way.attempts).toMatchObject([{ isSigned: true }]);
    expect(store.devices.size).toBe(0);
    const before = changes();
    way.signed(real.id);
    expect(changes()).toBe(before);
    for (let address = 10; address < 30; address += 1) {
      for (let each = 0; each < 8; each += 1) await way.register(someone(), `192.168.1.${address}`);
    }
    for (let each = 0; each < 20; each += 1) await way.register(someone(), ATTACKER);
    expect(way.attempts).toHaveLength(50);
    expect(idsOf(way.attempts)).toContain(real.id);
  });
});

test('a device that is deleted and joins again counts once', async () => {
  const { joining: way, changes } = await joining();
  const { id } = someone();
  way.adopted(id);
  way.adopted(id);
  expect(way.state.joined).toEqual([id]);
  const before = changes();
  way.forgotten(id);
  expect(way.state.joined).toEqual([]);
  way.forgotten(id);
  expect(changes()).toBe(before + 1);
});

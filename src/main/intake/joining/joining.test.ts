import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { ATTACKER, HOME, home, idsOf, joiningForTest, someone } from '../../../../test/support/joining.ts';
import { previousOf } from '../../state-files/state-file.ts';
import { digestOf } from './pending-devices.ts';
import { PENDING_FILE } from './pending-file.ts';

const TEN_MINUTES_MS = 10 * 60_000;
const gate = joiningForTest();

describe('an opening', () => {
  test('closes after ten minutes and emits an event', async () => {
    const { joining: way, changes } = await gate.start();
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
    const { joining: way } = await gate.start();
    way.open(false);
    vi.advanceTimersByTime(TEN_MINUTES_MS - 1000);
    way.open(true);
    vi.advanceTimersByTime(TEN_MINUTES_MS - 1);
    expect(way.state.leftMs).toBe(1);
    vi.advanceTimersByTime(1);
    expect(way.state.leftMs).toBeNull();
  });

  test('does not depend on the time of day', async () => {
    const { joining: way } = await gate.start();
    way.open(false);
    vi.setSystemTime(Date.now() + 24 * 60 * 60_000);
    expect(await way.register(someone(), HOME)).toBe('new');
  });

  test('for one device stays open after unsigned registrations, and closes after the first signed block', async () => {
    const { joining: way } = await gate.start();
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
    const { joining: way } = await gate.start();
    const store = home();
    way.open(false);
    const junk = Array.from({ length: 200 }, () => someone());
    const answers = await Promise.all(junk.map((device) => way.register(device, ATTACKER)));
    expect(new Set(answers)).toEqual(new Set(['new']));
    expect(await way.register(someone(), ATTACKER)).toBe('closed');
    const real = someone();
    expect(await way.register(real, HOME)).toBe('new');
    expect(idsOf(way.pending)).toEqual([...junk.slice(1).map(({ id }) => id), real.id]);
    await Promise.all(Array.from({ length: 20 }, () => way.register(someone(), ATTACKER)));
    await way.meet([{ deviceId: real.id }], HOME, store);
    expect([...store.devices.keys()]).toEqual([real.id]);
    way.open(false);
    expect(await way.register(someone(), ATTACKER)).toBe('new');
    expect(way.pending).toHaveLength(200);
  });
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
      const { joining: way } = await gate.start();
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
        rmSync(join(gate.folder, name), { force: true });
    }),
    { numRuns: 60 },
  );
});

describe('while joining is closed', () => {
  test('the last fifty attempts are remembered', async () => {
    const { joining: way } = await gate.start();
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
    const { joining: way } = await gate.start();
    const real = someone();
    await way.register(real, at);
    const invented = Array.from({ length: 60 }, () => someone());
    for (const [index, device] of invented.entries()) await way.register(device, from(index));
    expect(idsOf(way.attempts)).toEqual([real.id, ...invented.slice(-8).map(({ id }) => id)]);
  });

  test('a device that sent a signed block stays, even if many others are invented', async () => {
    const { joining: way, changes } = await gate.start();
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
  const { joining: way, changes } = await gate.start();
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

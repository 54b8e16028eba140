import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { ATTACKER, HOME, home, idsOf, joiningForTest, someone } from '../../../../test/support/joining.ts';
import { removeFolder } from '../../../../test/support/node-process.ts';
import { SYSTEM_CLOCK } from '../../common/clock.ts';
import { StorageUnavailable } from '../../store/storage-unavailable.ts';
import { digestOf, PENDING_MS } from './pending-devices.ts';
import { PENDING_FILE, writeSent } from './pending-file.ts';

const gate = joiningForTest();

describe('a registration that waits', () => {
  test('is confirmed by a signed block from its address, also after joining has closed', async () => {
    const { joining: way } = await gate.start();
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
    const { joining: way } = await gate.start();
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

  test('that was dismissed may come again once the owner opens joining again', async () => {
    const { joining: way } = await gate.start();
    const device = someone();
    way.open(false);
    expect(await way.register(device, HOME)).toBe('new');
    expect(await way.dismiss(device.id, digestOf(device))).toBe(true);
    expect(await way.register(device, HOME)).toBe('closed');
    way.open(false);
    expect(await way.register(device, HOME)).toBe('new');
  });

  test('whose readings would not be kept here waits for the owner', async () => {
    const { joining: way } = await gate.start();
    const store = home();
    const device = someone({ publishTo: 1 });
    way.open(false);
    await way.register(device, HOME);
    await way.meet([{ deviceId: device.id }], HOME, store);
    expect(store.devices.size).toBe(0);
    expect(way.pending).toMatchObject([{ waitsFor: 'keeping', isSigned: true }]);
  });

  test('includes the registrations under its id from when joining was closed', async () => {
    const { joining: way } = await gate.start();
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
    const { joining: way, changes } = await gate.start({ ...SYSTEM_CLOCK, now: () => now });
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
    const { joining: first } = await gate.start();
    first.open(false);
    await Promise.all(devices.map((device) => first.register(device, HOME)));
    await first.dismiss(devices[2]!.id, digestOf(devices[2]!));
    const { joining: second } = await gate.start(SYSTEM_CLOCK, [devices[0]!.id]);
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
    writeFileSync(join(gate.folder, PENDING_FILE.name), JSON.stringify(document));
    const { joining: way } = await gate.start();
    expect(way.pending).toMatchObject([{ registration: { id: device.id }, waitsFor: 'owner' }]);
  });

  test('is not confirmed to its device if the disk takes no writes', async () => {
    const { joining: way } = await gate.start();
    const device = someone();
    way.open(false);
    // The folder's name is taken by a file, so no write succeeds.
    removeFolder(gate.folder);
    writeFileSync(gate.folder, '');
    const answers = await Promise.allSettled([way.register(device, HOME), way.register(device, HOME)]);
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 'rejected', reason: expect.any(StorageUnavailable) });
    }
    expect(way.pending).toEqual([]);
    removeFolder(gate.folder);
  });
});

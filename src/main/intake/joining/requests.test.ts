import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../../test/support/fake-clock.ts';
import { ATTACKER, HOME, idsOf, joiningForTest, someone } from '../../../../test/support/joining.ts';
import { removeFolder } from '../../../../test/support/node-process.ts';
import type { DeviceRegistration } from '../../../shared/protocol/device.ts';
import { previousOf } from '../../state-files/state-file.ts';
import { StorageUnavailable } from '../../store/storage-unavailable.ts';
import type { Intake } from '../intake.ts';
import type { Joining } from './joining.ts';
import { digestOf, PENDING_MS } from './pending-devices.ts';
import { PENDING_FILE, writeSent } from './pending-file.ts';

const AT = 1_790_000_000_000;
const gate = joiningForTest();

let clock: FakeClock;
let way: Joining;
let changes: () => number;
let device: DeviceRegistration;
let other: DeviceRegistration;
beforeEach(async () => {
  clock = new FakeClock(AT);
  ({ joining: way, newChanges: changes } = await gate.start(clock));
  device = someone();
  other = { ...device, name: 'Other' };
});

const path = () => join(gate.folder, PENDING_FILE.name);
const { onDisk } = gate;
const digests = () => way.pending.map(({ digest }) => digest);
const blockOf = ({ id }: DeviceRegistration) => ({ deviceId: id });
/** Waits until what was asked of the file is done. */
const settled = () => way.dismiss('unknown', '').then(() => new Promise(setImmediate));

/** An intake that records the calls; `register` lasts until `finish`. */
function slowIntake() {
  const asked: unknown[] = [];
  const made: unknown[] = [];
  const { promise, resolve: finish } = Promise.withResolvers<void>();
  const intake: Pick<Intake, 'signers' | 'register'> = {
    signers: async (blocks, ids) => {
      asked.push([blocks, [...ids]]);
      return new Set(ids);
    },
    register: async (...call) => {
      made.push(call);
      await promise;
      return 'created';
    },
  };
  return { asked, made, finish, intake };
}

describe('a request to register', () => {
  it('is an event, whatever its answer is', async () => {
    const answer = async (registration: DeviceRegistration) => [await way.register(registration, HOME), changes()];
    expect(await answer(device)).toEqual(['closed', 1]);
    way.open(false);
    changes();
    expect(await answer(device)).toEqual(['new', 1]);
    expect(await answer(device)).toEqual(['known', 1]);
    expect(await answer(other)).toEqual(['beside', 1]);
    expect(onDisk().devices[0]!.registrations).toHaveLength(2);
    way.registered(device.id);
    changes();
    expect(await answer(device)).toEqual(['registered', 1]);
    expect(await answer(other)).toEqual(['registered', 1]);
    way.forgotten(device.id);
    expect(await answer(other)).toEqual(['new', 1]);
  });

  it('is refused, although devices may join, if four others wait under its id', async () => {
    way.open(false);
    const named = ['1', '2', '3', '4'].map((name) => ({ ...device, name }));
    for (const each of named) await way.register(each, HOME);
    expect(await way.register(other, HOME)).toBe('closed');
    expect(digests()).toEqual(named.map(digestOf));
    expect(way.attempts).toMatchObject([{ digest: digestOf(other) }]);
  });

  it('waits for a block that registers its device', async () => {
    const { finish, intake } = slowIntake();
    way.open(false);
    await way.register(device, HOME);
    const met = way.meet([blockOf(device)], HOME, intake);
    await settled();
    const answers: string[] = [];
    const asked = [device, other].map((each) => way.register(each, HOME).then((answer) => answers.push(answer)));
    const copy = previousOf(path());
    while (!readFileSync(copy, 'utf8').includes('Other')) await settled();
    await settled();
    expect(answers).toEqual([]);
    finish();
    await Promise.all([...asked, met]);
    expect(answers.toSorted()).toEqual(['known', 'registered']);
    expect([way.pending, way.state.joined]).toEqual([[], [device.id]]);
  });

  it.each([
    ['the same', () => device],
    ['another', () => other],
  ])('is taken again if the one before it, with %s contents, could not be written', async (_which, second) => {
    way.open(false);
    // A folder has the name of the file until the first write has failed.
    mkdirSync(path());
    const failed = way.register(device, HOME).catch((error: unknown) => {
      rmdirSync(path());
      return error;
    });
    await Promise.resolve();
    await Promise.resolve();
    expect(await way.register(second(), HOME)).toBe('new');
    expect(await failed).toBeInstanceOf(StorageUnavailable);
    expect(way.pending.map(({ registration }) => registration)).toEqual([second()]);
    await way.stop();
    expect(onDisk().devices[0]!.registrations.map(({ sent }) => sent)).toEqual([writeSent(second())]);
  });

  it('takes nothing back but its own registration if the disk takes no writes', async () => {
    way.open(false);
    await way.register(device, HOME);
    removeFolder(gate.folder);
    writeFileSync(gate.folder, '');
    await expect(way.register(other, HOME)).rejects.toThrow('ENOTDIR');
    expect(digests()).toEqual([digestOf(device)]);
    await expect(way.register(device, HOME)).rejects.toThrow('ENOTDIR');
    expect(digests()).toEqual([digestOf(device)]);
    way.close();
    expect(await way.register(someone(), HOME)).toBe('closed');
    removeFolder(gate.folder);
  });
});

describe('the blocks of a request', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['nobody waits', async () => {}],
    ['another device waits', () => way.register(someone(), HOME)],
    ['the refused device is proven', () => way.register(device, HOME).then(() => way.signed(device.id))],
    [
      'the owner must choose, and the device is proven',
      async () => {
        way.open(false);
        for (const each of [device, other]) await way.register(each, HOME);
        way.signed(device.id);
      },
    ],
    [
      'the device registered from another address, and is proven',
      async () => {
        way.open(false);
        await way.register(device, ATTACKER);
        way.signed(device.id);
      },
    ],
    [
      'the device has waited for a day',
      async () => {
        way.open(false);
        await way.register(device, HOME);
        clock.set(AT + PENDING_MS);
      },
    ],
  ])('are not checked if %s', async (_why, prepare) => {
    const { asked, intake } = slowIntake();
    await prepare();
    changes();
    await way.meet([blockOf(device), null], HOME, intake);
    expect(asked).toEqual([]);
  });

  it('prove a device that was refused, or that registered from another address', async () => {
    const { asked, made, intake } = slowIntake();
    const far = someone();
    await way.register(device, HOME);
    way.open(false);
    await way.register(far, ATTACKER);
    changes();
    const blocks = [device, far, someone(), far].map(blockOf);
    await way.meet(blocks, HOME, intake);
    expect([asked, made, changes()]).toEqual([[[blocks, [device.id, far.id]]], [], 2]);
    expect([way.attempts, way.pending]).toMatchObject([[{ isSigned: true }], [{ isSigned: true }]]);
  });

  it('register the device that waits for them, also a proven one', async () => {
    const { asked, made, finish, intake } = slowIntake();
    finish();
    way.open(false);
    await way.register(device, HOME);
    way.signed(device.id);
    changes();
    await way.meet([blockOf(device)], HOME, intake);
    expect(asked).toEqual([[[blockOf(device)], [device.id]]]);
    expect(made).toEqual([[device, { way: 'gate', by: null, received: device }]]);
    expect([way.pending, way.state.joined, changes()]).toEqual([[], [device.id], 2]);
    await way.stop();
    expect(onDisk().devices).toEqual([]);
  });

  it('are waited for when the node stops', async () => {
    const { finish, intake } = slowIntake();
    way.open(false);
    await way.register(device, HOME);
    const met = way.meet([blockOf(device)], HOME, intake);
    await settled();
    let isStopped = false;
    const stopped = way.stop().then(() => {
      isStopped = true;
    });
    await settled();
    expect(isStopped).toBe(false);
    finish();
    await Promise.all([met, stopped]);
  });

  it('register nothing without a good signature', async () => {
    const { made, intake } = slowIntake();
    way.open(false);
    await way.register(device, HOME);
    await way.meet([blockOf(device)], HOME, { ...intake, signers: async () => new Set() });
    expect([made, way.pending]).toMatchObject([[], [{ isSigned: false }]]);
  });
});

describe('the owner', () => {
  it('dismisses a refused device by its id and digest together', async () => {
    await way.register(device, HOME);
    changes();
    expect([await way.dismiss(device.id, 'x'), await way.dismiss('x', digestOf(device))]).toEqual([false, false]);
    expect([idsOf(way.attempts), changes(), existsSync(path())]).toEqual([[device.id], 0, false]);
    expect(await way.dismiss(device.id, digestOf(device))).toBe(true);
    expect([way.attempts, changes()]).toEqual([[], 1]);
    expect(onDisk().dismissed).toEqual([{ digest: digestOf(device), at: AT }]);
  });

  it('who registers a refused device takes it from the list', async () => {
    await way.register(device, HOME);
    changes();
    way.registered(device.id);
    expect([way.attempts, changes()]).toEqual([[], 1]);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import {
  AT,
  block,
  DEVICE,
  ELSEWHERE,
  heard,
  intake,
  newIntake,
  open,
  outcomes,
  readingOf,
  SHY,
  STRANGER,
  settled,
  tampered,
  world,
} from '../../../test/support/intake-world.ts';
import type { DeviceRegistration } from '../../shared/protocol/device.ts';
import { StorageUnavailable } from '../store/storage-unavailable.ts';

beforeEach(() => newIntake());

describe('a batch', () => {
  it('is answered when its readings are on disk, which is counted and told', async () => {
    const own: string[] = [];
    const wishes = { listener: 'local' as const, onStored: (id: string) => void own.push(id), isOver: () => false };
    const taking = intake.takeIn([block(1), block(2)], wishes);
    await Promise.resolve();
    expect(await taking).toEqual({ accepted: 2, errors: [], unknownDevice: null, refused: 0 });
    expect(world.ingested).toEqual([[readingOf(1), readingOf(2)]]);
    expect(own).toEqual([DEVICE.id, DEVICE.id]);
    expect(world.onDisk).toEqual([
      [DEVICE.id, readingOf(1)],
      [DEVICE.id, readingOf(2)],
    ]);
    expect(world.budget).toEqual([`stored ${DEVICE.id}`, `stored ${DEVICE.id}`]);
    expect(outcomes()).toEqual({ stored: 2 });
    const [[first, stored], [second, batch]] = heard() as [[string, object], [string, { ms: number }]];
    expect([first, second]).toEqual(['stored', 'batch']);
    expect(stored).toMatchObject({ store: 'private', readings: [{ seq: '1' }, { seq: '2' }] });
    expect(batch).toMatchObject({ store: 'private', listener: 'local', accepted: 2, refused: 0, putOff: 0 });
    expect(batch.ms).toBeGreaterThanOrEqual(0);
  });

  it('has the time of arrival that the store gave', async () => {
    world.answers = () => ({ kind: 'stored', receivedAt: AT - 9 });
    await intake.takeIn([block(1)]);
    expect(world.onDisk[0]![1]).toEqual({ ...readingOf(1), receivedAt: AT - 9 });
  });

  it('that came before is accepted and not stored again', async () => {
    world.answers = () => ({ kind: 'duplicate' });
    expect(await intake.takeIn([block(1)])).toMatchObject({ accepted: 1, errors: [] });
    expect([world.onDisk, world.budget, outcomes()]).toEqual([[], [], {}]);
    expect(heard()).toMatchObject([['batch', { listener: null, accepted: 1 }]]);
  });

  it('with refused blocks has an error for each, which are counted and told', async () => {
    world.answers = (_block, at) => (at === 1 ? { kind: 'bad_signature' } : null);
    const result = await intake.takeIn([tampered(1), block(2), block(3), { seq: '4' }, block(5, STRANGER)]);
    const invalid = `Invalid signature for device ${DEVICE.id}`;
    expect(result).toEqual({
      ...{ accepted: 1, refused: 4, unknownDevice: null },
      errors: [
        { seq: '1', error: invalid },
        { seq: '3', error: invalid },
        { seq: '4', error: expect.stringMatching(/^Invalid block: deviceId: /) },
        { seq: '5', error: `Device not found: ${STRANGER.id}` },
      ],
    });
    expect(outcomes()).toEqual({ stored: 1, invalid_signature: 2, invalid_block: 1, device_not_found: 1 });
    const told = heard().filter(([name]) => name === 'refused' || name === 'batch');
    const signature = { deviceId: DEVICE.id, cause: 'invalid_signature' };
    expect(told).toMatchObject([
      [
        'refused',
        {
          store: 'private',
          blocks: [
            ...[signature, signature, { deviceId: '', cause: 'invalid_block' }],
            { deviceId: STRANGER.id, cause: 'device_not_found' },
          ],
        },
      ],
      ['batch', { accepted: 1, refused: 4, putOff: 0 }],
    ]);
  });

  it('of refused blocks alone reaches no store', async () => {
    await intake.takeIn([{ seq: '4' }, tampered(1)]);
    expect(world.ingested).toEqual([]);
  });

  it('of a device that was deleted meanwhile is refused', async () => {
    world.answers = () => ({ kind: 'unknown_device' });
    expect(await intake.takeIn([block(1)])).toMatchObject({
      errors: [{ seq: '1', error: `Device not found: ${DEVICE.id}` }],
      unknownDevice: DEVICE.id,
    });
  });

  it('that the store refuses fails as a whole, and its readings on disk count', async () => {
    const full = new StorageUnavailable('full', 'first');
    const fault = [null, full, new Error('second')];
    world.answers = (_block, at) => (fault[at] == null ? null : { kind: 'refused', error: fault[at] });
    await expect(intake.takeIn([block(1), block(2), block(3)])).rejects.toBe(full);
    expect(world.onDisk).toHaveLength(1);
    expect(heard()).toMatchObject([
      ['stored', {}],
      ['batch', { accepted: 0, refused: 0, putOff: 3 }],
    ]);
  });

  it('of a device whose readings belong to the other store is accepted, counted and not kept', async () => {
    expect(await intake.takeIn([block(1, ELSEWHERE)])).toMatchObject({ accepted: 1, errors: [] });
    expect(world.ingested).toEqual([[null]]);
    expect([world.onDisk, world.budget]).toEqual([[], []]);
    expect(intake.pendingCounts.withheld).toMatchObject([
      { deviceId: ELSEWHERE.id, cause: 'publish_to', field: null, count: 1, firstAt: AT, lastAt: AT },
    ]);
  });

  it('with values that the policy hides counts them', async () => {
    await intake.takeIn([block(1, SHY)]);
    expect(world.onDisk[0]![1].fields).toMatchObject({ ph: null, ec: 1500 });
    expect(intake.pendingCounts.withheld).toMatchObject([{ deviceId: SHY.id, cause: 'omit', field: 'ph', count: 1 }]);
  });

  it('is in the load while the store has it', async () => {
    const waiting: number[] = [];
    world.answers = () => {
      waiting.push(intake.load.waiting);
      return null;
    };
    await intake.takeIn([block(1), block(2)]);
    expect([waiting, intake.load.waiting]).toEqual([[2, 2], 0]);
  });
});

describe('a device over its limits', () => {
  const OVER = 'the devices of this batch are over their share of the store';

  it('has its blocks deferred, and the others are taken', async () => {
    world.over.add(SHY.id);
    const wishes = { listener: null, onStored: null, isOver: (id: string) => id === ELSEWHERE.id };
    expect(await intake.takeIn([block(1, SHY), block(2, SHY), block(3, ELSEWHERE), block(4)], wishes)).toEqual({
      ...{ accepted: 1, refused: 0, unknownDevice: null },
      errors: [
        { seq: '1', error: 'storage_unavailable' },
        { seq: '2', error: 'storage_unavailable' },
        { seq: '3', error: 'rate_limited' },
      ],
    });
    expect(world.budget).toEqual([`refused ${SHY.id}`, `stored ${DEVICE.id}`]);
    expect(heard().at(-1)).toMatchObject(['batch', { accepted: 1, refused: 0, putOff: 3 }]);
  });

  it('has its batch refused if all blocks are deferred', async () => {
    world.over.add(DEVICE.id);
    await expect(intake.takeIn([block(1)])).rejects.toMatchObject({ code: 'limit', message: OVER });
    expect([world.ingested, world.budget]).toEqual([[], [`refused ${DEVICE.id}`]]);
  });

  it('is not registered', async () => {
    world.over.add(STRANGER.id);
    const registering = intake.register(STRANGER.registration() as DeviceRegistration, {} as never);
    const message = 'no more devices are registered for now';
    await expect(registering).rejects.toMatchObject({ code: 'limit', message });
    expect([world.registrations, world.budget]).toEqual([[], [`refused ${STRANGER.id}`]]);
  });

  it('is listed', () => {
    expect(intake.refusedDevices).toEqual([{ id: 'x', since: 1, lastAt: 2, refused: 3 }]);
  });
});

describe('a registration', () => {
  const registration = STRANGER.registration() as DeviceRegistration;
  const origin = { way: 'posted', by: null, received: null } as never;
  const knocked = { id: STRANGER.id, attempts: 1, firstAt: AT, lastAt: AT, lastError: 'device_not_found' };

  it('is stored with its time and origin, and told', async () => {
    open([knocked]);
    heard();
    expect(await intake.register(registration, origin)).toBe('created');
    expect(world.registrations).toEqual([[registration, AT, origin]]);
    expect(world.budget).toEqual(['registered']);
    expect(intake.unregistered.list()).toEqual([]);
    expect(heard().at(-1)).toEqual(['registered', { store: 'private', deviceId: STRANGER.id }]);
  });

  it.each(['exists', 'limit'] as const)('that is not made changes nothing: %s', async (result) => {
    open([knocked]);
    world.onRegister = () => result;
    expect(await intake.register(registration, origin)).toBe(result);
    expect([world.budget, heard(), intake.unregistered.list()]).toEqual([[], [], [knocked]]);
  });
});

describe('an unregistered device', () => {
  it('is remembered and reported if its signature is good', async () => {
    await intake.takeIn([block(1, STRANGER)]);
    await settled();
    expect(intake.unregistered.list()).toMatchObject([{ id: STRANGER.id, attempts: 1, firstAt: AT }]);
    expect(heard()).toContainEqual(['knocked', { store: 'private', deviceId: STRANGER.id, attempts: 1 }]);
    await intake.close();
    expect(world.counted).toMatchObject([{ unregistered: [{ id: STRANGER.id }] }]);
  });

  it.each(['bad_signature', 'unknown_device'] as const)('is not if the store says %s', async (kind) => {
    world.answers = () => ({ kind });
    await intake.takeIn([block(1, STRANGER)]);
    await settled();
    expect(intake.unregistered.list()).toEqual([]);
  });

  it('has its times moved with the clock, which is written', async () => {
    open([{ id: STRANGER.id, attempts: 1, firstAt: AT, lastAt: AT, lastError: '' }]);
    world.events.emit('clockMoved', () => ({ by: -5, from: AT, to: AT }));
    await settled();
    expect(world.counted).toMatchObject([{ unregistered: [{ firstAt: AT - 5 }] }]);
    await intake.close();
    world.events.emit('clockMoved', () => ({ by: -5, from: AT - 5, to: AT }));
    expect(intake.unregistered.list()).toMatchObject([{ firstAt: AT - 5 }]);
    expect(world.budget).toEqual(['closed']);
  });
});

describe('the devices that signed', () => {
  const signers = (...blocks: unknown[]) => intake.signers(blocks, new Set([DEVICE.id, STRANGER.id]));

  it('are those of the asked ones with a good signature', async () => {
    world.answers = ({ check }) => (check.message === block(2).raw ? { kind: 'bad_signature' } : { kind: 'signed' });
    expect(await signers(block(2), block(1, STRANGER), block(1, SHY))).toEqual(new Set([STRANGER.id]));
    expect(world.ingested).toEqual([[null, null]]);
    expect(intake.load.waiting).toBe(0);
  });

  it('are none without a sound block, and no store is asked', async () => {
    expect(await signers(tampered(1), block(1, SHY), 'x')).toEqual(new Set());
    expect(world.ingested).toEqual([]);
  });

  it('are unknown if the store refuses the check', async () => {
    const error = new StorageUnavailable('full', 'no');
    world.answers = (_block, at) => (at === 1 ? { kind: 'refused', error } : null);
    await expect(signers(block(1), block(1, STRANGER))).rejects.toBe(error);
  });
});

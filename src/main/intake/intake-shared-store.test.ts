import { beforeEach, describe, expect, it } from 'vitest';
import { block, DEVICE, heard, intake, newIntake, tampered, world } from '../../../test/support/intake-world.ts';
import { StorageUnavailable } from '../store/storage-unavailable.ts';

describe('with a store that other nodes use', () => {
  beforeEach(async () => {
    newIntake({ isShared: true });
    await intake.takeIn([block(1)]);
    world.ingested.length = 0;
    world.onDisk.length = 0;
    heard();
  });

  it('a remembered device is judged without reading it', async () => {
    world.registered.clear();
    expect(await intake.takeIn([block(2)])).toMatchObject({ accepted: 1 });
    expect(world.ingested).toMatchObject([[{ seq: '2', registration: 1 }]]);
  });

  it('a batch with anything else is judged by what the store has now', async () => {
    world.registered.set(DEVICE.id, 2);
    expect(await intake.takeIn([block(2), tampered(3)])).toMatchObject({ accepted: 1, refused: 1 });
    expect(world.ingested).toMatchObject([[{ seq: '2', registration: 2 }]]);
  });

  it('a device that came again is judged again, by its new registration, and remembered', async () => {
    world.registered.set(DEVICE.id, 2);
    world.answers = ({ reading }) => (reading?.registration === 1 ? { kind: 'unknown_device' } : null);
    expect(await intake.takeIn([block(2), block(3)])).toEqual({
      ...{ accepted: 2, refused: 0, errors: [], unknownDevice: null },
    });
    expect(world.ingested.map((each) => each.map((reading) => reading?.registration))).toEqual([
      [1, 1],
      [2, 2],
    ]);
    expect(world.onDisk).toHaveLength(2);
    await intake.takeIn([block(4)]);
    expect(world.ingested).toHaveLength(3);
  });

  it('a device that is gone is refused, and forgotten', async () => {
    world.registered.clear();
    world.answers = () => ({ kind: 'unknown_device' });
    const gone = { errors: [{ seq: '2', error: `Device not found: ${DEVICE.id}` }], unknownDevice: DEVICE.id };
    const withReadings = () => world.ingested.splice(0).filter(([reading]) => reading !== null).length;
    expect([await intake.takeIn([block(2)]), withReadings()]).toMatchObject([gone, 1]);
    expect([await intake.takeIn([block(2)]), withReadings()]).toMatchObject([gone, 0]);
  });

  it('only the blocks in doubt are judged again', async () => {
    world.registered.set(DEVICE.id, 2);
    world.answers = ({ reading }, at) => (at === 1 && reading?.registration === 1 ? { kind: 'unknown_device' } : null);
    expect(await intake.takeIn([block(2), block(3)])).toMatchObject({ accepted: 2 });
    expect(world.ingested).toMatchObject([[{ seq: '2' }, { seq: '3' }], [{ seq: '3', registration: 2 }]]);
    expect(world.onDisk.map(([, { seq }]) => seq)).toEqual(['2', '3']);
  });

  it('a bad signature is refused by either registration, and not found once the device is gone', async () => {
    world.answers = () => ({ kind: 'bad_signature' });
    const invalid = { errors: [{ error: `Invalid signature for device ${DEVICE.id}` }] };
    expect(await intake.takeIn([block(2)])).toMatchObject(invalid);
    expect(world.ingested).toHaveLength(1);
    world.registered.clear();
    expect(await intake.takeIn([block(3)])).toMatchObject({ errors: [{ error: `Device not found: ${DEVICE.id}` }] });
  });

  it('a fault of the second try fails the batch', async () => {
    const error = new StorageUnavailable('full', 'no');
    world.registered.set(DEVICE.id, 2);
    world.answers = ({ reading }) =>
      reading?.registration === 1 ? { kind: 'unknown_device' } : { kind: 'refused', error };
    await expect(intake.takeIn([block(2)])).rejects.toBe(error);
  });

  it('a device that is over its limits by then is deferred', async () => {
    world.answers = () => ({ kind: 'unknown_device' });
    let asked = 0;
    const isOver = () => {
      asked += 1;
      return asked > 1;
    };
    expect(await intake.takeIn([block(2)], { listener: null, onStored: null, isOver })).toMatchObject({
      ...{ accepted: 0, refused: 0 },
      errors: [{ seq: '2', error: 'rate_limited' }],
    });
  });
});

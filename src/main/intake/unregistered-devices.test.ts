import { expect, it } from 'vitest';
import { SYSTEM_CLOCK } from '../common/clock.ts';
import { UnregisteredDevices } from './unregistered-devices.ts';

const ID = 'ab'.repeat(32);
const BLOCK = { deviceId: ID, seq: '1', timestamp: '1', signature: '00'.repeat(64), raw: '' };
const clock = { ...SYSTEM_CLOCK, arrival: () => ({ receivedAt: Date.now(), clock: 0 }) };

it('returns a list again that could not be written', async () => {
  const knocked = Promise.withResolvers<void>();
  const devices = new UnregisteredDevices({ isGood: async () => true, clock, onKnock: () => knocked.resolve() }, []);
  expect(devices.takeChanged()).toBe(null);
  devices.note(BLOCK, 'not found');
  await knocked.promise;
  const taken = devices.takeChanged();
  expect(taken).toMatchObject([{ id: ID, attempts: 1, lastError: 'not found' }]);
  expect(devices.takeChanged()).toBe(null);
  devices.keepChanged();
  expect(devices.takeChanged()).toEqual(taken);
});

it('remembers no device whose signature is not good', async () => {
  const checked = Promise.withResolvers<boolean>();
  const devices = new UnregisteredDevices({ isGood: () => checked.promise, clock, onKnock: () => {} }, []);
  devices.note(BLOCK, 'not found');
  checked.resolve(false);
  await checked.promise;
  expect(devices.list()).toEqual([]);
});

it('forgets the device whose last attempt is the oldest', async () => {
  const known = Array.from({ length: 100 }, (_, at) => {
    const id = at === 0 ? ID : at.toString(16).padStart(64, '0');
    return { id, attempts: 1, firstAt: at, lastAt: at, lastError: 'not found' };
  });
  const devices = new UnregisteredDevices({ isGood: async () => true, clock, onKnock: () => {} }, known);
  devices.note(BLOCK, 'not found');
  await expect.poll(() => devices.list().at(-1)).toMatchObject({ id: ID, attempts: 2, firstAt: 0 });
  const other = 'cd'.repeat(32);
  devices.note({ ...BLOCK, deviceId: other }, 'not found');
  await expect.poll(() => devices.list().at(-1)?.id).toBe(other);
  expect(devices.list().map(({ id }) => id)).toEqual([...known.slice(2).map(({ id }) => id), ID, other]);
});

it('a device that registers leaves the list, and the attempts of others are still to be written', async () => {
  const devices = new UnregisteredDevices({ isGood: async () => true, clock, onKnock: () => {} }, []);
  const other = 'cd'.repeat(32);
  for (const deviceId of [ID, other]) devices.note({ ...BLOCK, deviceId }, 'not found');
  await expect.poll(() => devices.list().map(({ id }) => id)).toEqual([ID, other]);
  devices.registered(ID);
  expect(devices.takeChanged()).toMatchObject([{ id: other, attempts: 1 }]);
  expect(devices.takeChanged()).toBe(null);
});

import { pino } from 'pino';
import { beforeEach, expect, it } from 'vitest';
import { EventBus } from '../common/event-bus.ts';
import type { NodeEventMap } from '../common/node-events.ts';
import type { RegisteredDevice, SharedLimits } from '../store/port.ts';
import { DeviceDirectory } from './device-directory.ts';

const [A, B] = ['aa', 'bb'].map((byte) => byte.repeat(32)) as [string, string];
let events: EventBus<NodeEventMap>;
/** The ids that the store was asked for. */
let asked: string[];
/** Called while the store reads a device. */
let meanwhile: () => void;

beforeEach(() => {
  events = new EventBus(pino({ level: 'silent' }));
  asked = [];
  meanwhile = () => {};
});

function directory({ registration }: { registration?: number } = {}): DeviceDirectory {
  const shared = registration === undefined ? {} : { shared: {} as SharedLimits };
  const device = async (id: string) => {
    asked.push(id);
    await Promise.resolve();
    meanwhile();
    return {
      id,
      publishTo: 0,
      privacyPolicy: {},
      ...(registration && { registration }),
    } as unknown as RegisteredDevice;
  };
  return new DeviceDirectory({ store: { name: 'public', device, ...shared }, nodePublicKey: 'cc'.repeat(32), events });
}

it('asks the store once for a device, until some of its readings are deleted there', async () => {
  const devices = directory();
  await devices.read(new Set([A, B]));
  await devices.find(A.toUpperCase());
  expect(asked).toEqual([A, B]);
  events.emit('readingsDeleted', () => ({ store: 'private', deviceId: A }));
  expect(devices.known(A)?.id).toBe(A);
  events.emit('readingsDeleted', () => ({ store: 'public', deviceId: A }));
  expect([devices.known(A), devices.known(B)?.id]).toEqual([undefined, B]);
  await devices.find(A);
  expect(asked).toEqual([A, B, A]);
});

it('keeps no device that was read before a deletion of which it learns afterwards', async () => {
  const devices = directory();
  meanwhile = () => events.emit('readingsDeleted', () => ({ store: 'public', deviceId: A }));
  expect((await devices.find(A))?.id).toBe(A);
  expect(devices.known(A)).toBeUndefined();
});

it('asks a shared store each time, and remembers only what the store took a reading with', async () => {
  const devices = directory({ registration: 7 });
  const found = (await devices.find(A))!;
  await devices.find(A);
  expect([asked, devices.known(A), devices.remembered(new Set([A]))]).toEqual([[A, A], undefined, null]);
  devices.remember(found);
  expect(devices.remembered(new Set([A]))!.known(A.toUpperCase())).toMatchObject({ id: A, registration: 7 });
  expect(devices.remembered(new Set([A, B]))).toBeNull();
  devices.forget(A);
  expect(devices.remembered(new Set([A]))).toBeNull();
  devices.remember(found);
  events.emit('storeState', () => ({ store: 'private', refusal: null }));
  expect(devices.remembered(new Set([A]))).not.toBeNull();
  events.emit('storeState', () => ({ store: 'public', refusal: null }));
  expect(devices.remembered(new Set([A]))).toBeNull();
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { SimulatedDevice } from '../../simulator/device.ts';
import type { UnregisteredDevice } from '../store/counts.ts';
import type { SignatureCheck } from '../store/reading.ts';
import { UnregisteredDevices } from './unregistered-devices.ts';

const [ID, OTHER] = ['ab'.repeat(32), 'cd'.repeat(32)] as [string, string];
const AT = 1_790_000_000_000;

let now: FakeClock;
let isGood: boolean;
let checks: SignatureCheck[];
let knocks: UnregisteredDevice[];
let devices: UnregisteredDevices;

function remembering(known: readonly UnregisteredDevice[]): UnregisteredDevices {
  const dependencies = {
    isGood: async (check: SignatureCheck) => {
      checks.push(check);
      return isGood;
    },
    clock: Object.assign(now, { arrival: () => ({ receivedAt: now.now(), clock: 0 }) }),
    onKnock: (device: UnregisteredDevice) => knocks.push(device),
  };
  return new UnregisteredDevices(dependencies, known);
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  now = new FakeClock(AT);
  isGood = true;
  checks = [];
  knocks = [];
  devices = remembering([]);
});
afterEach(() => void vi.useRealTimers());

const blockOf = (deviceId: string) => ({
  ...{ deviceId, seq: '1', timestamp: '1', signature: '00'.repeat(64), raw: '' },
});
/** Notes a block of each device, and waits for the checks. */
async function note(...ids: string[]) {
  for (const id of ids) devices.note(blockOf(id), 'not found');
  await Promise.resolve();
}
const ids = () => devices.list().map(({ id }) => id);
const someone = (id: string, firstAt = 1, lastAt = 1) => ({ id, attempts: 1, firstAt, lastAt, lastError: 'old' });

it('checks the signature of the raw bytes by the key that the block names', async () => {
  const device = new SimulatedDevice();
  const block = device.block({ seq: 1, timestamp: 1, plain: { ph: 6 } });
  devices.note({ ...block, deviceId: device.id.toUpperCase() }, 'not found');
  const publicKey = Buffer.from(device.id, 'hex');
  expect(checks).toEqual([{ publicKey, signature: block.signature, message: block.raw }]);
  await Promise.resolve();
  expect(ids()).toEqual([device.id]);
});

it('counts the attempts of a device, and lists the latest last', async () => {
  await note(ID, OTHER);
  const first = { id: ID, attempts: 1, firstAt: AT, lastAt: AT, lastError: 'not found' };
  expect(devices.list()).toEqual([first, { ...first, id: OTHER }]);
  now.set(AT + 5);
  devices.note(blockOf(ID), 'other');
  await Promise.resolve();
  const second = { ...first, attempts: 2, lastAt: AT + 5, lastError: 'other' };
  expect(devices.list()).toEqual([{ ...first, id: OTHER }, second]);
  expect(knocks).toEqual([first, { ...first, id: OTHER }, second]);
});

it('remembers no device whose signature is not good', async () => {
  isGood = false;
  await note(ID);
  expect([checks.length, devices.list(), knocks, devices.takeChanged()]).toEqual([1, [], [], null]);
});

it('checks no signature of another length', () => {
  for (const bytes of [63, 65]) devices.note({ ...blockOf(ID), signature: '00'.repeat(bytes) }, 'not found');
  expect(checks).toEqual([]);
});

it('checks five blocks in a second', async () => {
  const after = async (ms: number, count: number) => {
    vi.advanceTimersByTime(ms);
    await note(...Array.from({ length: count }, () => ID));
    return checks.splice(0).length;
  };
  expect(await after(0, 6)).toBe(5);
  expect(await after(999, 1)).toBe(0);
  expect(await after(1, 5)).toBe(5);
  expect(await after(999, 1)).toBe(0);
  expect(await after(2001, 6)).toBe(5);
  expect(await after(999, 1)).toBe(0);
});

it('returns a list again that could not be written', async () => {
  expect(devices.takeChanged()).toBe(null);
  await note(ID);
  const taken = devices.takeChanged();
  expect(taken).toEqual(devices.list());
  expect(devices.takeChanged()).toBe(null);
  devices.keepChanged();
  expect(devices.takeChanged()).toEqual(taken);
});

it('remembers a hundred devices, and forgets the one whose last attempt is the oldest', async () => {
  const known = Array.from({ length: 99 }, (_, at) => at.toString(16).padStart(64, '0'));
  devices = remembering(known.map((id) => someone(id)));
  await note(ID, known[0]!);
  expect(ids()).toEqual([...known.slice(1), ID, known[0]]);
  expect(devices.list().at(-1)).toMatchObject({ attempts: 2, firstAt: 1 });
  await note(OTHER);
  expect(ids()).toEqual([...known.slice(2), ID, known[0], OTHER]);
});

it('a device that registers leaves the list, and the attempts of others are still to be written', async () => {
  await note(ID, OTHER);
  devices.registered(ID);
  expect(devices.takeChanged()).toMatchObject([{ id: OTHER, attempts: 1 }]);
  expect(devices.takeChanged()).toBe(null);
});

it.each([
  ['neither before nor after the span', 99, 201, 99, 201],
  ['both at its ends', 100, 200, 150, 250],
  ['only the last', 99, 100, 99, 150],
  ['only the first', 200, 201, 201, 201],
])('moves times when the clock is corrected: %s', (_which, firstAt, lastAt, first, last) => {
  devices = remembering([someone(ID, firstAt, lastAt), someone(OTHER, 300, 300)]);
  const isMoved = first !== firstAt || last !== lastAt;
  expect(devices.move({ by: 50, from: 100, to: 200 })).toBe(isMoved);
  const moved = [someone(ID, first, last), someone(OTHER, 300, 300)];
  expect(devices.list()).toEqual(moved);
  expect(devices.takeChanged()).toEqual(isMoved ? moved : null);
});

it('moves no first attempt behind the last one', () => {
  devices = remembering([someone(ID, 100, 200)]);
  devices.move({ by: -150, from: 150, to: 200 });
  expect(devices.list()).toEqual([someone(ID, 50, 50)]);
});

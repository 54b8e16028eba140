import { expect, it } from 'vitest';
import type { RegisteredDevice } from '../store/port.ts';
import { DeviceList } from './device-list.ts';

const device = (number: number, name = 'a device'): RegisteredDevice => ({
  id: number.toString(16).padStart(64, '0'),
  mac: '020000000001',
  ownerPubkey: '0c'.repeat(32),
  ownerName: 'Ana',
  name,
  type: 0,
  location: null,
  publishTo: 1,
  privacyPolicy: {},
  hardware: {},
  createdAt: 1_700_000_000_000,
});

async function listedIds(list: DeviceList): Promise<string[]> {
  const { devices } = JSON.parse((await list.body()).toString()) as { devices: { id: string }[] };
  return devices.map(({ id }) => id);
}

it('lists all in one buffer for all who ask, until a device is registered', async () => {
  const devices = [device(1)];
  const list = new DeviceList(async () => [...devices]);
  const body = await list.body();
  expect(await list.body()).toBe(body);
  expect(await listedIds(list)).toEqual([devices[0]!.id]);
  devices.push(device(2));
  list.changed();
  expect(await listedIds(list)).toEqual(devices.map(({ id }) => id));
});

it('renders a list too long to be kept once for all who are being sent it', async () => {
  const devices = Array.from({ length: 300 }, (_, number) => device(number, 'n'.repeat(60_000)));
  const list = new DeviceList(async () => [...devices]);
  const body = await list.body();
  expect(body.length).toBeGreaterThan(16 * 1024 ** 2);
  expect(await list.body()).toBe(body);
  devices.push(device(300));
  list.changed();
  expect((await listedIds(list)).at(-1)).toBe(devices.at(-1)!.id);
});

it('has room for 16 MiB, counts what is registered, and counts again once something was forgotten', async () => {
  let devices = [device(1, 'n'.repeat(1024 ** 2))];
  const list = new DeviceList(async () => [...devices]);
  const { length } = await list.body();
  const rest = 16 * 1024 ** 2 - length;
  expect(await list.takeRoom(rest + 1)).toBeNull();
  const giveBack = await list.takeRoom(rest);
  expect(await list.takeRoom(1)).toBeNull();
  giveBack!();
  expect(await list.takeRoom(rest - 1)).not.toBeNull();
  expect(await list.takeRoom(2)).toBeNull();
  devices = [];
  list.shrank();
  expect(await list.takeRoom(16 * 1024 ** 2 - '{"devices":[]}'.length)).not.toBeNull();
});

it('has room once for each of those who ask before anything was counted', async () => {
  const list = new DeviceList(async () => []);
  const taken = await Promise.all(Array.from({ length: 5 }, () => list.takeRoom(5 * 1024 ** 2)));
  expect(taken.filter((giveBack) => giveBack !== null)).toHaveLength(3);
});

it('reads once for all who ask meanwhile, and does not keep what was read before a change', async () => {
  const reads: ((devices: RegisteredDevice[]) => void)[] = [];
  const list = new DeviceList(() => new Promise((resolve) => reads.push(resolve)));
  const asked = [list.body(), list.body()];
  expect(reads).toHaveLength(1);
  list.changed();
  const later = listedIds(list);
  reads[0]!([]);
  reads[1]!([device(1)]);
  for (const body of await Promise.all(asked)) expect(body.toString()).toBe('{"devices":[]}');
  expect(await later).toEqual([device(1).id]);
  expect(await listedIds(list)).toEqual([device(1).id]);
});

it('reads again after a read that failed', async () => {
  let isFailing = true;
  const list = new DeviceList(async () => {
    if (isFailing) throw new Error('unreadable');
    return [];
  });
  await expect(list.body()).rejects.toThrow('unreadable');
  isFailing = false;
  expect((await list.body()).toString()).toBe('{"devices":[]}');
});

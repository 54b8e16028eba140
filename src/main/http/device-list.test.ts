import { expect, it } from 'vitest';
import type { DevicePage, RegisteredDevice } from '../store/port.ts';
import { deviceJson } from './device-json.ts';
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

/** Returns pages of devices as a store does. */
const pagesOf =
  (devices: () => readonly RegisteredDevice[]) =>
  async ({ after, limit }: DevicePage): Promise<readonly RegisteredDevice[]> => {
    const at = after === null ? 0 : devices().findIndex(({ id }) => id === after) + 1;
    return after !== null && at === 0 ? [] : devices().slice(at, at + limit);
  };

async function listedIds(list: DeviceList): Promise<string[]> {
  const { devices } = JSON.parse((await list.body()).json.toString()) as { devices: { id: string }[] };
  return devices.map(({ id }) => id);
}

it('gives all readers one buffer with all devices, until a device is registered', async () => {
  const devices = [device(1)];
  const list = new DeviceList(pagesOf(() => devices));
  const body = await list.body();
  expect(await list.body()).toBe(body);
  expect(body.last).toBeNull();
  expect(await listedIds(list)).toEqual([devices[0]!.id]);
  devices.push(device(2));
  list.changed();
  expect(await listedIds(list)).toEqual(devices.map(({ id }) => id));
});

it('has the first 16 MiB of a longer list, and names the last device in it', async () => {
  const devices = Array.from({ length: 1300 }, (_, number) => device(number, 'n'.repeat(15_000)));
  const { json, last } = await new DeviceList(pagesOf(() => devices)).body();
  expect(json.length).toBeLessThanOrEqual(16 * 1024 ** 2);
  expect(json.length).toBeGreaterThan(16 * 1024 ** 2 - 16_000);
  const listed = (JSON.parse(json.toString()) as { devices: { id: string }[] }).devices.map(({ id }) => id);
  expect(listed).toEqual(devices.slice(0, listed.length).map(({ id }) => id));
  expect(last).toBe(listed.at(-1));
});

it('lists the devices after one that is deleted between two pages', async () => {
  const devices = Array.from({ length: 2500 }, (_, number) => device(number));
  let reads = 0;
  const read = pagesOf(() => devices);
  const list = new DeviceList((page) => {
    reads += 1;
    if (reads === 2) devices.splice(999, 1);
    return read(page);
  });
  expect(await listedIds(list)).toHaveLength(2500);
  expect((await listedIds(list)).at(-1)).toBe(devices.at(-1)!.id);
});

it('has room for 16 MiB, counts registered devices, and counts again after a deletion', async () => {
  let devices = [device(1, 'n'.repeat(1024 ** 2))];
  const list = new DeviceList(pagesOf(() => devices));
  const rest = 16 * 1024 ** 2 - (await list.body()).json.length - 1;
  expect(await list.takeRoom(rest + 1)).toBeNull();
  const giveBack = await list.takeRoom(rest);
  expect(await list.takeRoom(1)).toBeNull();
  giveBack!();
  const next = device(2, 'n'.repeat(1024 ** 2));
  devices.push(next);
  const added = Buffer.byteLength(deviceJson(next)) + 1;
  expect(await list.takeRoom(rest - added + 1)).toBeNull();
  expect(await list.takeRoom(rest - added)).not.toBeNull();
  expect(await list.takeRoom(1)).toBeNull();
  devices = [];
  list.shrank();
  expect(await list.takeRoom(15 * 1024 ** 2 - rest + added)).not.toBeNull();
});

it('has the given room, and measures again if another node deleted the last device', async () => {
  const devices = Array.from({ length: 3 }, (_, number) => device(number, 'n'.repeat(1024)));
  const list = new DeviceList(
    pagesOf(() => devices),
    10_000,
  );
  expect(await list.takeRoom(1, 3)).not.toBeNull();
  devices.splice(2, 1, ...Array.from({ length: 6 }, (_, number) => device(10 + number, 'n'.repeat(1024))));
  expect(await list.takeRoom(1, 8)).toBeNull();
});

it('counts each reservation that is made before the first measurement', async () => {
  const list = new DeviceList(async () => []);
  const taken = await Promise.all(Array.from({ length: 5 }, () => list.takeRoom(5 * 1024 ** 2)));
  expect(taken.filter((giveBack) => giveBack !== null)).toHaveLength(3);
});

it('measures once for all reservations that are made meanwhile, and notices that another node deleted devices', async () => {
  let devices = Array.from({ length: 10 }, (_, number) => device(number));
  let reads = 0;
  const list = new DeviceList(async (page) => {
    reads += 1;
    return pagesOf(() => devices)(page);
  });
  const roomFor = (count: number) => Promise.all(Array.from({ length: 40 }, () => list.takeRoom(1, count)));
  await roomFor(10);
  expect(reads).toBe(2);
  devices = Array.from({ length: 12 }, (_, number) => device(20 + number));
  await roomFor(12);
  expect(reads).toBeLessThan(8);
});

it('measures only the newest devices again if another node finished a registration late', async () => {
  const devices = Array.from({ length: 3000 }, (_, number) => ({ ...device(number), createdAt: number * 1000 }));
  const [late] = devices.splice(2995, 1);
  const read: number[] = [];
  const list = new DeviceList(async (page) => {
    const found = await pagesOf(() => devices)(page);
    read.push(found.length);
    return found;
  });
  await list.takeRoom(1, 2999);
  read.length = 0;
  devices.splice(2995, 0, late!);
  await list.takeRoom(1, 3000);
  expect(read.reduce((sum, count) => sum + count, 0)).toBeLessThan(50);
  const bytes = Buffer.byteLength(`{"devices":[${devices.map(deviceJson).join(',')}]}`);
  expect(await list.takeRoom(16 * 1024 ** 2 - bytes - 3, 3000)).not.toBeNull();
  expect(await list.takeRoom(2, 3000)).toBeNull();
});

it('reads once for simultaneous callers, and does not cache a list from before a change', async () => {
  const reads: ((devices: RegisteredDevice[]) => void)[] = [];
  const list = new DeviceList(() => new Promise((resolve) => reads.push(resolve)));
  const asked = [list.body(), list.body()];
  expect(reads).toHaveLength(1);
  list.changed();
  const later = listedIds(list);
  reads[0]!([]);
  reads[1]!([device(1)]);
  for (const body of await Promise.all(asked)) expect(body.json.toString()).toBe('{"devices":[]}');
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
  expect((await list.body()).json.toString()).toBe('{"devices":[]}');
});

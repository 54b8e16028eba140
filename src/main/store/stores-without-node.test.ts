import { readdirSync } from 'node:fs';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import { deviceRegistration } from '../../shared/protocol/device.ts';
import { SimulatedDevice } from '../../simulator/device.ts';
import { StoresWithoutNode } from './stores-without-node.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

it('opens each store of a folder once, creates it if necessary, and closes them all', async () => {
  const log = pino({ level: 'silent' });
  const stores = new StoresWithoutNode(folder, 'normal', log);
  expect([await stores.exists('private'), await stores.exists('public')]).toEqual([false, false]);
  const store = await stores.open('private');
  expect([await stores.exists('private'), await stores.exists('public')]).toEqual([true, false]);
  expect(await stores.open('private')).toBe(store);
  const other = await stores.open('public');
  expect([store.name, other.name]).toEqual(['private', 'public']);
  const device = new SimulatedDevice();
  await store.register(deviceRegistration.parse(device.registration()), 5);
  expect(await other.device(device.id)).toBeNull();
  await stores.close();
  // A store that is closed has no log beside it.
  expect(readdirSync(folder).sort()).toEqual(['private.db', 'public.db']);
  const again = new StoresWithoutNode(folder, 'full', log);
  expect(await (await again.open('private')).device(device.id)).toMatchObject({ id: device.id, createdAt: 5 });
  await again.close();
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import { storePath } from '../../../test/support/store-file.ts';
import { deviceRegistration } from '../../shared/protocol/device.ts';
import { SimulatedDevice } from '../../simulator/device.ts';
import { openForReading, prepareStore } from './database.ts';
import { DeviceDirectory } from './devices.ts';
import { WriterConnection } from './writer-connection.ts';

const folder = temporaryFolder();
let writer: WriterConnection;
let directory: DeviceDirectory;

beforeAll(() => {
  const path = storePath(folder, 'local');
  prepareStore(path, 'local');
  writer = new WriterConnection({ path, durability: 'normal', bounds: null });
  directory = new DeviceDirectory(openForReading(path), '00'.repeat(32));
});
afterAll(() => {
  writer.close();
  removeFolder(folder);
});

function register(name = 'a device'): string {
  const device = new SimulatedDevice();
  const registration = { ...deviceRegistration.parse(device.registration()), name };
  writer.runGroup([{ kind: 'register', registration, createdAt: 1_700_000_000_000 }]);
  directory.changed(device.id);
  return device.id;
}

const listedIds = () => {
  const { devices } = JSON.parse(directory.listBody().toString()) as { devices: { id: string }[] };
  return devices.map(({ id }) => id);
};

it('lists all in one buffer for all who ask, until a device is registered', () => {
  const first = register();
  const body = directory.listBody();
  expect(directory.listBody()).toBe(body);
  expect(listedIds()).toEqual([first]);
  const second = register();
  expect(listedIds()).toEqual([first, second]);
});

it('renders a list too long to be kept once for all who are being sent it', () => {
  for (let count = 0; count < 300; count += 1) register('n'.repeat(60_000));
  const body = directory.listBody();
  expect(body.length).toBeGreaterThan(16 * 1024 ** 2);
  expect(directory.listBody()).toBe(body);
  const last = register();
  expect(listedIds().at(-1)).toBe(last);
});

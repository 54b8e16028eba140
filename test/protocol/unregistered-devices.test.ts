import { describe, expect, test } from 'vitest';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, handWritten, refuse, register } from '../support/client.ts';
import { ENDPOINTS, type Endpoint, runningNode } from '../support/node-process.ts';
import { queryStore } from '../support/store-file.ts';

const node = runningNode();

function remembered(endpoint: Endpoint, device: SimulatedDevice): Record<string, unknown>[] {
  const sql = 'SELECT last_error FROM unregistered_devices WHERE id = ?';
  return queryStore(node.process.dataDir, endpoint, sql, Buffer.from(device.id, 'hex'));
}

// A device registers only when it boots, so after a lost store it would go silent without anyone noticing.
describe.each(ENDPOINTS)('a device that posts without being registered, %s endpoint', (endpoint) => {
  const url = () => node.url(endpoint);
  const other: Endpoint = endpoint === 'public' ? 'local' : 'public';

  test('is remembered here, with its error, until it registers', async () => {
    const device = new SimulatedDevice();
    await refuse(url(), handWritten(device));
    await expect
      .poll(() => remembered(endpoint, device), { timeout: 60_000 })
      .toEqual([{ last_error: expect.stringMatching(/\S/) }]);
    expect(remembered(other, device)).toEqual([]);

    expect((await register(url(), device.registration())).status).toBe(201);
    await accept(url(), handWritten(device));
    await expect.poll(() => remembered(endpoint, device), { timeout: 60_000 }).toEqual([]);
  });

  test('is remembered only where its signature proves that it is the device', async () => {
    const claimed = new SimulatedDevice();
    const forged = handWritten(new SimulatedDevice(), { json: { deviceId: claimed.id } });
    const proven = new SimulatedDevice();
    await refuse(url(), forged);
    await refuse(url(), handWritten(proven));
    await expect.poll(() => remembered(endpoint, proven), { timeout: 60_000 }).toHaveLength(1);
    expect(remembered(endpoint, claimed)).toEqual([]);
  });
});

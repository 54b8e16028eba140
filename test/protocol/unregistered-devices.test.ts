import { describe, expect, test } from 'vitest';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, handWritten, refuse, register } from '../support/client.ts';
import { type Endpoint, FILE_ENDPOINTS, runningNode } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';

const node = runningNode({ args: ['--ui'] });

/** The owner's view of a device that an endpoint does not know. */
async function remembered(endpoint: Endpoint, device: SimulatedDevice): Promise<{ lastError: string }[]> {
  const { unregistered } = await call(node.process, 'overview', { dayStart: 0 });
  const store = endpoint === 'public' ? 'public' : 'private';
  return unregistered
    .filter(({ id, stores }) => id === device.id && stores.includes(store))
    .map(({ lastError }) => ({ lastError }));
}

// A device registers only when it boots, so after a lost store it would go silent without anyone noticing.
describe.each(FILE_ENDPOINTS)('a device that posts without being registered, %s endpoint', (endpoint) => {
  const url = () => node.url(endpoint);
  const other: Endpoint = endpoint === 'public' ? 'local' : 'public';

  test('is remembered here, with its error, until it registers', async () => {
    const device = new SimulatedDevice();
    await refuse(url(), handWritten(device));
    await expect
      .poll(() => remembered(endpoint, device), { timeout: 60_000 })
      .toEqual([{ lastError: expect.stringMatching(/\S/) }]);
    expect(await remembered(other, device)).toEqual([]);

    expect((await register(url(), device.registration())).status).toBe(201);
    await accept(url(), handWritten(device));
    await expect.poll(() => remembered(endpoint, device), { timeout: 60_000 }).toEqual([]);
  });

  test('is remembered only if its signature proves its identity', async () => {
    const claimed = new SimulatedDevice();
    const forged = handWritten(new SimulatedDevice(), { json: { deviceId: claimed.id } });
    const proven = new SimulatedDevice();
    await refuse(url(), forged);
    await refuse(url(), handWritten(proven));
    await expect.poll(() => remembered(endpoint, proven), { timeout: 60_000 }).toHaveLength(1);
    expect(await remembered(endpoint, claimed)).toEqual([]);
  });
});

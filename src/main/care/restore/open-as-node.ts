import { pino } from 'pino';
import { readPublicKey } from '../../data-folder/identity.ts';
import { lockDataDir } from '../../data-folder/node-lock.ts';
import type { StoreLocations } from '../../store/engine.ts';
import { readStores } from '../../store/engines.ts';
import { locationsIn } from '../../store/locations.ts';
import { StoresWithoutNode } from '../../store/stores-without-node.ts';
import { careError } from '../care-error.ts';

/**
 * Opens a data folder as a node does, under its lock: identity, both stores for writing, and the first page's data of
 * every device. It opens no listener and sends nothing. Rejects with CareError.
 */
export async function openAsNode(dataDir: string): Promise<{ readonly devices: number }> {
  try {
    const unlock = lockDataDir(dataDir);
    try {
      readPublicKey(dataDir);
      const stores = new StoresWithoutNode(dataDir, 'full', pino({ level: 'silent' }));
      try {
        const hasPublic = await stores.exists('public');
        await stores.open('private');
        if (hasPublic) await stores.open('public');
        const locations = locationsIn(dataDir);
        return { devices: await lookAtDevices({ ...locations, public: hasPublic ? locations.public : null }) };
      } finally {
        await stores.close();
      }
    } finally {
      unlock();
    }
  } catch (error) {
    throw careError(error, `${dataDir} can’t be opened`, 'bad_data');
  }
}

async function lookAtDevices(locations: StoreLocations): Promise<number> {
  return readStores(locations, async (stores) => {
    await stores.choices();
    const devices = await stores.devices();
    for (const { id } of devices) {
      await stores.latest(id, 'timestamp', 1);
      await stores.arrivals(id);
    }
    return devices.length;
  });
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { readPublicKey } from '../../data-folder/identity.ts';
import { lockDataDir } from '../../data-folder/node-lock.ts';
import { openStoresReader } from '../../store/open-reader.ts';
import { StoresWithoutNode } from '../../store/stores-without-node.ts';
import { careError } from '../care-error.ts';
import { STORE_FILES } from '../node-files.ts';

/**
 * Opens a data folder as a node would, under its lock: identity, both stores for writing, and what the first page shows of
 * every device; listens nowhere and sends nothing. Rejects with CareError.
 */
export async function openAsNode(dataDir: string): Promise<{ readonly devices: number }> {
  const pathOf = (name: keyof typeof STORE_FILES) => join(dataDir, STORE_FILES[name]);
  try {
    const unlock = lockDataDir(dataDir);
    try {
      readPublicKey(dataDir);
      const stores = new StoresWithoutNode(pathOf, 'full', pino({ level: 'silent' }));
      try {
        const hasPublic = existsSync(pathOf('public'));
        await stores.open('private');
        if (hasPublic) await stores.open('public');
        return {
          devices: await lookAtDevices({ private: pathOf('private'), public: hasPublic ? pathOf('public') : null }),
        };
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

async function lookAtDevices(paths: Parameters<typeof openStoresReader>[0]): Promise<number> {
  const reader = await openStoresReader(paths);
  try {
    return await reader.snapshot(async (stores) => {
      await stores.choices();
      const devices = await stores.devices();
      for (const { id } of devices) {
        await stores.latest(id, 'timestamp', 1);
        await stores.arrivals(id);
      }
      return devices.length;
    });
  } finally {
    await reader.close();
  }
}

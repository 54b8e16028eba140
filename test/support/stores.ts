import { mkdirSync } from 'node:fs';
import type { Logger } from 'pino';
import type { EventBus } from '../../src/main/common/event-bus.ts';
import type { NodeEventMap } from '../../src/main/common/node-events.ts';
import { Stores } from '../../src/main/node/stores.ts';
import type { Settings } from '../../src/main/settings/settings.ts';
import { locationsIn } from '../../src/main/store/locations.ts';

/** The settings that the stores read, with both stores in use. */
export const storeSettings = (durability: Settings['durability']) =>
  ({ durability, publicEnabled: true, publicMaxDevices: 10, publicMaxBytes: 1e9 }) as Settings;

/** Starts both stores of a new node in this folder. The caller stops them. */
export async function startStores(path: string, log: Logger, events: EventBus<NodeEventMap>): Promise<Stores> {
  mkdirSync(path, { recursive: true });
  const stores = new Stores({
    folder: { path, locations: locationsIn(path), identity: { created: true } } as never,
    settings: storeSettings('full'),
    ...{ log, events, alsoShown: false, beforeMigration: async () => {} },
  });
  await stores.start();
  return stores;
}

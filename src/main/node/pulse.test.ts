import { mkdirSync } from 'node:fs';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import { EventBus } from '../common/event-bus.ts';
import type { NodeEventMap } from '../common/node-events.ts';
import type { Settings } from '../settings/settings.ts';
import { locationsIn } from '../store/locations.ts';
import { Pulse } from './pulse.ts';
import { Stores } from './stores.ts';

const path = temporaryFolder();
const log = pino({ level: 'silent' });
const events = new EventBus<NodeEventMap>(log);
let stores: Stores;
beforeEach(async () => {
  mkdirSync(path, { recursive: true });
  stores = new Stores({
    folder: { path, locations: locationsIn(path), identity: { created: true } } as never,
    settings: { durability: 'full', publicEnabled: true, publicMaxDevices: 10, publicMaxBytes: 1e9 } as Settings,
    ...{ log, events, alsoShown: false, beforeMigration: async () => {} },
  });
  await stores.start();
});
afterEach(async () => {
  await stores.stop();
  removeFolder(path);
});

it('asks the disk, and each store under its own name', async () => {
  const pulse = new Pulse({ dataDir: path, stores, events });
  const vitals = pulse.vitals();
  expect(Object.keys(vitals)).toEqual(['disk', 'private store', 'public store']);
  await Promise.all(Object.values(vitals));

  stores.find('public')!.refusal = () => new Promise(() => {});
  const { 'public store': hanging, ...others } = pulse.vitals();
  await Promise.all(Object.values(others));
  expect(await Promise.race([hanging, 'it hangs'])).toBe('it hangs');
});

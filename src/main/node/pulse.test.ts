import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import { startStores } from '../../../test/support/stores.ts';
import { EventBus } from '../common/event-bus.ts';
import type { NodeEventMap } from '../common/node-events.ts';
import { Pulse } from './pulse.ts';

const path = temporaryFolder();
afterEach(() => removeFolder(path));

it('asks the disk, and each store under its own name', async () => {
  const log = pino({ level: 'silent' });
  const events = new EventBus<NodeEventMap>(log);
  const stores = await startStores(path, log, events);
  const pulse = new Pulse({ dataDir: path, stores, events });
  const vitals = pulse.vitals();
  expect(Object.keys(vitals)).toEqual(['disk', 'private store', 'public store']);
  await Promise.all(Object.values(vitals));

  stores.find('public')!.refusal = () => new Promise(() => {});
  const { 'public store': hanging, ...others } = pulse.vitals();
  await Promise.all(Object.values(others));
  expect(await Promise.race([hanging, 'it hangs'])).toBe('it hangs');
  await stores.stop();
});

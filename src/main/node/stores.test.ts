import { mkdirSync } from 'node:fs';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import { EventBus } from '../common/event-bus.ts';
import type { NodeEventMap } from '../common/node-events.ts';
import type { Settings } from '../settings/settings.ts';
import { locationsIn } from '../store/locations.ts';
import { Stores } from './stores.ts';

const path = temporaryFolder();
afterEach(() => removeFolder(path));

const settings = (durability: Settings['durability']) =>
  ({ durability, publicEnabled: true, publicMaxDevices: 10, publicMaxBytes: 1e9 }) as Settings;

it('a change of durability that one store refuses is reverted in the other, and can be tried again', async () => {
  const log = pino({ level: 'silent' });
  mkdirSync(path, { recursive: true });
  const stores = new Stores({
    folder: { path, locations: locationsIn(path), identity: { created: true } } as never,
    settings: settings('full'),
    ...{ log, events: new EventBus<NodeEventMap>(log), alsoShown: false, beforeMigration: async () => {} },
  });
  await stores.start();
  const taken: string[] = [];
  const [first, second] = [stores.find('private')!, stores.find('public')!];
  const setFirst = first.setDurability!.bind(first);
  first.setDurability = (durability) => {
    taken.push(durability);
    return setFirst(durability);
  };
  const setSecond = second.setDurability!.bind(second);
  second.setDurability = () => Promise.reject(new Error('the disk failed'));
  await expect(stores.apply(settings('normal'))).rejects.toThrow('the disk failed');
  expect(taken).toEqual(['normal', 'full']);
  second.setDurability = setSecond;
  await stores.apply(settings('normal'));
  expect(taken).toEqual(['normal', 'full', 'normal']);
  await stores.stop();
});

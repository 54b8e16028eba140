import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import { startStores, storeSettings } from '../../../test/support/stores.ts';
import { EventBus } from '../common/event-bus.ts';
import type { NodeEventMap } from '../common/node-events.ts';

const path = temporaryFolder();
afterEach(() => removeFolder(path));

it('a change of durability that one store refuses is reverted in the other, and can be tried again', async () => {
  const log = pino({ level: 'silent' });
  const stores = await startStores(path, log, new EventBus<NodeEventMap>(log));
  const taken: string[] = [];
  const [first, second] = [stores.find('private')!, stores.find('public')!];
  const setFirst = first.setDurability!.bind(first);
  first.setDurability = (durability) => {
    taken.push(durability);
    return setFirst(durability);
  };
  const setSecond = second.setDurability!.bind(second);
  second.setDurability = () => Promise.reject(new Error('the disk failed'));
  await expect(stores.apply(storeSettings('normal'))).rejects.toThrow('the disk failed');
  expect(taken).toEqual(['normal', 'full']);
  second.setDurability = setSecond;
  await stores.apply(storeSettings('normal'));
  expect(taken).toEqual(['normal', 'full', 'normal']);
  await stores.stop();
});

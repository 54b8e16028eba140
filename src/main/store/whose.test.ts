import { expect, it } from 'vitest';
import type { StoreName } from '../../shared/protocol/codes.ts';
import type { KnownDevice } from './stores-view.ts';
import { isClaimed, isMine } from './whose.ts';

const [OWNER, OTHER] = ['aa'.repeat(32), 'bb'.repeat(32)];

function known(stores: readonly StoreName[], mine: boolean | null, ownerPubkey = OWNER): KnownDevice {
  const entries = stores.map((store) => ({ store, device: { ownerPubkey } }));
  return { entries, notes: { mine } } as unknown as KnownDevice;
}

it.each([
  ['in the private store', known(['private'], null), true, false],
  ['in both stores', known(['public', 'private'], null), true, false],
  ['in both stores, that the owner disclaims,', known(['public', 'private'], false), true, false],
  ['in the public store, that the owner claims,', known(['public'], true), true, false],
  ['in the public store that names the owner', known(['public'], null), false, true],
  ['in the public store that names the owner, who disclaims it,', known(['public'], false), false, false],
  ['in the public store that names another owner', known(['public'], null, OTHER), false, false],
])('a device %s is the owner’s: %#', (_what, device, mine, claimed) => {
  expect([isMine(device), isClaimed(device, new Set([OWNER]))]).toEqual([mine, claimed]);
});

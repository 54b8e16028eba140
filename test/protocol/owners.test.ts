import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { registeredDevice } from '../support/client.ts';
import { type Endpoint, FILE_ENDPOINTS, isOverPostgres, runningNode } from '../support/node-process.ts';
import { ownerName } from '../support/store-file.ts';

const node = runningNode();
const newOwner = () => randomBytes(32).toString('hex');

// No endpoint serves users, so the store's file is the only place to look.
describe.each(FILE_ENDPOINTS)('the owner of a registered device, %s endpoint', (endpoint) => {
  const nameOf = (owner: string, store: Endpoint = endpoint) => ownerName(node.process.dataDir, store, owner);

  test('is kept under ownerName', async () => {
    const ownerPubkey = newOwner();
    await registeredDevice(node.url(endpoint), { ownerPubkey, ownerName: 'Ana of the Hill' });
    expect(nameOf(ownerPubkey)).toBe('Ana of the Hill');
  });

  test('is kept under the first 12 characters of the key where no name was given', async () => {
    const ownerPubkey = newOwner();
    await registeredDevice(node.url(endpoint), { ownerPubkey: ownerPubkey.toUpperCase() });
    expect(nameOf(ownerPubkey)).toBe(ownerPubkey.slice(0, 12));
  });

  test('keeps the first name after later registrations', async () => {
    const ownerPubkey = newOwner();
    await registeredDevice(node.url(endpoint), { ownerPubkey, ownerName: 'Ana' });
    await registeredDevice(node.url(endpoint), { ownerPubkey, ownerName: 'a stranger' });
    await registeredDevice(node.url(endpoint), { ownerPubkey });
    expect(nameOf(ownerPubkey)).toBe('Ana');
  });

  test.skipIf(isOverPostgres)('is known to this store alone', async () => {
    const ownerPubkey = newOwner();
    await registeredDevice(node.url(endpoint), { ownerPubkey, ownerName: 'Ana' });
    expect(nameOf(ownerPubkey, endpoint === 'public' ? 'local' : 'public')).toBeNull();
  });
});

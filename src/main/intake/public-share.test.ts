import { beforeEach, expect, it } from 'vitest';
import type { StoreRefusal } from '../common/node-events.ts';
import { PublicShare } from './public-share.ts';

let bytes: number;
let states: (StoreRefusal | null)[];
let share: PublicShare;
beforeEach(() => {
  bytes = 0;
  states = [];
  share = new PublicShare({
    bytes: async () => bytes,
    maxBytes: 1000,
    ...{ now: () => 5, onRefused: () => {} },
    onState: (refusal) => states.push(refusal),
  });
});

it('reserves a fifth of the store for the devices that the owner claimed', async () => {
  share.claim(['mine']);
  bytes = 799;
  await share.look();
  expect([share.isOver('mine'), share.isOver('stranger'), share.refusal]).toEqual([false, false, null]);
  bytes = 800;
  await share.look();
  expect([share.isOver('mine'), share.isOver('stranger')]).toEqual([false, true]);
  expect(share.refusal).toMatchObject({ code: 'limit' });
});

it('uses the latest claims', async () => {
  bytes = 1000;
  await share.look();
  expect(share.isOver('mine')).toBe(true);
  share.claim(['mine']);
  expect(share.isOver('mine')).toBe(false);
  share.claim([]);
  expect(share.isOver('mine')).toBe(true);
});

it('reports once that strangers are refused, and once that they are accepted again', async () => {
  bytes = 900;
  await share.look();
  await share.look();
  bytes = 100;
  await share.look();
  expect(states).toEqual([expect.objectContaining({ code: 'limit' }), null]);
});

it('accepts strangers again after space was freed, although no reading is stored meanwhile', async () => {
  bytes = 1000;
  await share.look();
  bytes = 100;
  await expect.poll(() => share.isOver('stranger')).toBe(false);
});

it('looks again after the size of the store could not be read', async () => {
  let isBroken = true;
  share = new PublicShare({
    bytes: async () => {
      if (isBroken) throw new Error('locked');
      return 900;
    },
    maxBytes: 1000,
    ...{ now: () => 5, onRefused: () => {} },
    onState: (refusal) => states.push(refusal),
  });
  await share.look();
  expect(share.refusal).toBe(null);
  isBroken = false;
  await share.look();
  expect(states).toEqual([expect.objectContaining({ code: 'limit' })]);
});

import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Load } from '../../intake/load.ts';
import { AdmissionQueue } from './admission-queue.ts';

const MIB = 1024 ** 2;

/** A queue whose load reports more than enough waiting blocks, and its batches in the order in which they continued. */
function busyQueue() {
  const load = new Load();
  load.began(1000);
  const queue = new AdmissionQueue(load);
  const wentOn: string[] = [];
  const enter = (name: string, socket = new Socket(), bytes = 1000) => {
    const way = queue.enter(socket, bytes);
    if (way instanceof Promise) void way.then(() => wentOn.push(name));
    return { way, socket };
  };
  return { load, wentOn, enter };
}

it('admits a batch at once while few blocks wait', () => {
  expect(new AdmissionQueue(new Load()).enter(new Socket(), 1000)).toBe('open');
});

it('holds batches, and pauses their connections, until fewer blocks wait; the first continues first', async () => {
  const { load, wentOn, enter } = busyQueue();
  const sockets = ['one', 'two', 'three'].map((name) => enter(name).socket);
  await nextTurn();
  expect(wentOn).toEqual([]);
  expect(sockets.map((socket) => socket.isPaused())).toEqual([true, true, true]);
  load.ended(1000);
  await expect.poll(() => wentOn).toEqual(['one', 'two', 'three']);
  expect(sockets.map((socket) => socket.isPaused())).toEqual([false, false, false]);
});

it('admits a batch only if the batches before it leave room', async () => {
  const { load, wentOn, enter } = busyQueue();
  for (const name of ['one', 'two']) enter(name);
  load.onProgress(() => load.waiting === 0 && load.began(1000));
  load.ended(1000);
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  expect(wentOn).toEqual(['one']);
});

it('reads from a connection again when none of its batches waits', async () => {
  const { load, wentOn, enter } = busyQueue();
  const { socket } = enter('one');
  enter('two', socket);
  load.onProgress(() => wentOn.length === 0 && load.began(1000));
  load.ended(1000);
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  expect([wentOn, socket.isPaused()]).toEqual([['one'], true]);
  load.ended(1000);
  await expect.poll(() => wentOn).toEqual(['one', 'two']);
  expect(socket.isPaused()).toBe(false);
});

it('is full at 16 MiB, and has room again when a connection closes', async () => {
  const { enter } = busyQueue();
  const { socket } = enter('large', new Socket(), 15 * MIB);
  expect(enter('small', new Socket(), 2 * MIB).way).toBe('full');
  socket.destroy();
  await nextTurn();
  expect(enter('small', new Socket(), 2 * MIB).way).toBeInstanceOf(Promise);
});

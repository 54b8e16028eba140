import { setPriority } from 'node:os';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import sodium from 'sodium-native';
import { Bell } from './bell.ts';
import { type Chunk, LaneMemory } from './lane-memory.ts';
import { Fate, PackedBlocks } from './packed-blocks.ts';

/**
 * A verifier thread: only these threads check signatures of blocks, except lone ones outside the lanes. It takes chunks out of the lanes, the private
 * store's first, checks them with libsodium and passes them to the store's thread.
 */

/** The data that the thread starts with. */
export interface VerifierData {
  /** The number of the thread in the lanes. */
  readonly thread: number;
  /** Rung when there is something to check. */
  readonly bell: SharedArrayBuffer;
}

/** Adds a lane to the thread; earlier lanes have priority. `bell` is rung for each checked chunk. */
export interface OpenLane {
  readonly lane: SharedArrayBuffer;
  readonly bell: SharedArrayBuffer;
}

/** Requests checks of packed blocks outside the lanes. The thread returns the memory with their fates in it. */
export interface CheckRequest {
  readonly id: number;
  readonly count: number;
  readonly memory: ArrayBuffer;
}

/** Verification is heavy work in the background: the threads that answer requests have priority. */
const NICENESS = 5;

// On Linux this affects only the calling thread; elsewhere it would affect the whole process.
if (process.platform === 'linux') setPriority(NICENESS);

const { thread, bell: bellMemory } = workerData as VerifierData;
const bell = new Bell(bellMemory);
const lanes: { readonly memory: LaneMemory; readonly bell: Bell }[] = [];

function checkChunk({ memory, bell: done }: (typeof lanes)[number]): boolean {
  const ticket = memory.claim(thread);
  if (ticket === null) return false;
  checkAll(memory.chunk(ticket));
  memory.markChecked(ticket);
  done.ring();
  return true;
}

function checkAll({ blocks, count }: Chunk): void {
  for (let index = 0, at = 0; index < count; index += 1, at = blocks.endOf(at)) {
    if (blocks.fateOf(at) !== Fate.UNCHECKED) continue;
    blocks.setFate(at, isGood(blocks, at) ? Fate.GOOD : Fate.BAD_SIGNATURE);
  }
}

function isGood(blocks: PackedBlocks, at: number): boolean {
  return sodium.crypto_sign_verify_detached(blocks.signatureOf(at), blocks.messageOf(at), blocks.publicKeyOf(at));
}

// There is no event loop: this thread only looks for work and sleeps.
for (;;) {
  const heard = bell.heard;
  for (let next = receiveMessageOnPort(parentPort!); next !== undefined; next = receiveMessageOnPort(parentPort!)) {
    const message = next.message as OpenLane | CheckRequest;
    if ('count' in message) {
      const { memory, count } = message;
      checkAll({ blocks: new PackedBlocks(memory, 0, memory.byteLength), count });
      parentPort!.postMessage(message, [memory]);
    } else lanes.push({ memory: new LaneMemory(message.lane), bell: new Bell(message.bell) });
  }
  if (!lanes.some(checkChunk)) bell.wait(heard);
}

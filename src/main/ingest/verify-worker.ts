import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { isGood } from './packed-check.ts';
import { HEADER_BYTES } from './signature-packing.ts';

/** A verifier thread: answers a packed batch of signature checks with one byte for each, 1 where it is good. */

/** Verification is heavy work that nobody sees: the threads that answer requests go first. */
const NICENESS = 5;

// On Linux this concerns the calling thread alone; elsewhere it would be the whole process.
if (process.platform === 'linux') setPriority(NICENESS);

/** Asks for the verdicts of `count` packed checks. */
export interface VerifyRequest {
  readonly packed: Uint8Array;
  readonly count: number;
}

parentPort!.on('message', ({ packed, count }: VerifyRequest) => {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const verdicts = new Uint8Array(count);
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    const end = at + HEADER_BYTES + bytes.readUInt16LE(at);
    verdicts[index] = isGood(bytes.subarray(at, end)) ? 1 : 0;
    at = end;
  }
  parentPort!.postMessage(verdicts);
});

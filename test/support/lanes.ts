import { expect } from 'vitest';
import type { SignatureCheck } from '../../src/main/store/reading.ts';
import type { StoreLane } from '../../src/main/store/sqlite/write/lane.ts';
import { Bell } from '../../src/main/store/verifier/bell.ts';
import { LaneMemory } from '../../src/main/store/verifier/lane-memory.ts';
import { Fate, PackedBlocks } from '../../src/main/store/verifier/packed-blocks.ts';
import type { Verifiers } from '../../src/main/store/verifier/verifiers.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';

/** Returns checks of which every third is forged, and their right fates. */
export function someChecks(count: number): { checks: SignatureCheck[]; fates: Fate[] } {
  const device = new SimulatedDevice();
  const checks = Array.from({ length: count }, (_, index) => {
    const message = Buffer.from(`${device.id}|${index}|0|0`);
    const signature = Buffer.from(device.sign(message));
    if (index % 3 === 0) signature[5]! ^= 1;
    return {
      publicKey: Buffer.from(device.id, 'hex'),
      signature: signature.toString('hex'),
      message: message.toString('hex'),
    };
  });
  return { checks, fates: checks.map((_, index) => (index % 3 === 0 ? Fate.BAD_SIGNATURE : Fate.GOOD)) };
}

/** A lane whose blocks no store takes out, so that a test can see the verifiers' results. */
export class CheckedLane implements StoreLane {
  readonly memory = new LaneMemory();
  readonly bell = new Bell();

  listen(): void {}

  /** Puts in a chunk. Returns its ticket. */
  put(checks: readonly SignatureCheck[], isChecked = false): number {
    const packed = new PackedBlocks(new ArrayBuffer(16 * 1024), 0, 16 * 1024);
    let end = 0;
    for (const check of checks) end = packed.writeCheck(end, check);
    this.memory.put(packed.bytes.subarray(0, end), checks.length, isChecked);
    return this.memory.filled - 1;
  }

  /** Puts in all checks in chunks of `each`, and wakes the threads. */
  putAll(checks: readonly SignatureCheck[], each: number, verifiers: Verifiers): number[] {
    const tickets: number[] = [];
    for (let from = 0; from < checks.length; from += each) tickets.push(this.put(checks.slice(from, from + each)));
    verifiers.wake(tickets.length);
    return tickets;
  }

  /** The number of blocks in each chunk. */
  get counts(): number[] {
    return this.#tickets.map((ticket) => this.memory.chunk(ticket).count);
  }

  /** The number of checked chunks. */
  get checked(): number {
    return this.#tickets.filter((ticket) => this.memory.isChecked(ticket)).length;
  }

  /** Resolves with the fates of all blocks after they are checked. */
  async fates(): Promise<Fate[]> {
    await expect.poll(() => this.checked, { timeout: 25_000, interval: 5 }).toBe(this.#tickets.length);
    const fates: Fate[] = [];
    for (const ticket of this.#tickets) {
      const { blocks, count } = this.memory.chunk(ticket);
      for (let index = 0, at = 0; index < count; index += 1, at = blocks.endOf(at)) fates.push(blocks.fateOf(at));
    }
    return fates;
  }

  get #tickets(): number[] {
    return Array.from({ length: this.memory.filled }, (_, ticket) => ticket);
  }
}

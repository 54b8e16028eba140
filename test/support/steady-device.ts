import { setTimeout as delay } from 'node:timers/promises';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, handWritten } from './client.ts';

/** The pause between two readings of an owner's device here, in milliseconds: twenty times as often as every second. */
const PAUSE_MS = 50;
/** The first sequence number of each device, far from the others that a test sends. */
const FIRST_SEQ = 1_000_000;

const seqs = new WeakMap<SimulatedDevice, number>();

/**
 * Lets a device of the owner post to a node while `run` runs, and a little longer. Fails unless every reading was
 * confirmed.
 */
export async function confirmedWhile<T>(url: string, device: SimulatedDevice, run: () => Promise<T>): Promise<T> {
  let hasEnded = false;
  let afterwards = 3;
  const posts = async (): Promise<void> => {
    while (afterwards > 0) {
      const seq = seqs.get(device) ?? FIRST_SEQ;
      seqs.set(device, seq + 1);
      await accept(url, handWritten(device, { seq }));
      if (hasEnded) afterwards -= 1;
      else await delay(PAUSE_MS);
    }
  };
  const running = run().finally(() => {
    hasEnded = true;
  });
  const [result] = await Promise.all([running, posts()]);
  return result;
}

import { setTimeout as delay } from 'node:timers/promises';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, handWritten } from './client.ts';

/** How long a device of the owner's waits between two readings here: twenty times as often as every second. */
const PAUSE_MS = 50;
/** Each device begins far from what else a test sends of it. */
const FIRST_SEQ = 1_000_000;

const seqs = new WeakMap<SimulatedDevice, number>();

/**
 * Has a device of the owner's post to a node for as long as `run` takes, and a little longer. Fails unless every single
 * reading was confirmed.
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

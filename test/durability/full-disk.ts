import { expect } from 'vitest';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { post } from '../support/http.ts';
import { expectUnavailable } from './faults.ts';
import type { Ledger } from './ledger.ts';
import { blockOf } from './load.ts';

/** Posts batches of 100 until one is refused; what was confirmed goes into the ledger. Returns the next seq. */
export async function postUntilRefused(
  url: string,
  device: SimulatedDevice,
  ledger: Ledger,
  firstSeq: number,
): Promise<number> {
  for (let seq = firstSeq; seq < firstSeq + 200_000; seq += 100) {
    const blocks = Array.from({ length: 100 }, (_, index) => blockOf(device, seq + index));
    const reply = await post(`${url}/v1/telemetry`, { blocks });
    if (reply.status !== 200) {
      expectUnavailable(reply);
      return seq;
    }
    for (const block of blocks) ledger.confirmReading(device.id, Number(block.seq));
  }
  throw new Error('a full disk took 200,000 readings');
}

/** Resolves once a block is accepted again. */
export async function firstAccepted(url: string, device: SimulatedDevice, seq: number): Promise<void> {
  await expect
    .poll(async () => (await post(`${url}/v1/telemetry`, { blocks: [blockOf(device, seq)] })).status, {
      timeout: 60_000,
    })
    .toBe(200);
}

/** Expects that a start was refused in one line. */
export function expectRefusedStart({ code, stderr }: { code: number | null; stderr: string }): void {
  expect(stderr).toMatch(/^wellhouse: [^\n]+\n$/);
  expect(code).toBe(1);
}

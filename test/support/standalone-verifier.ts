import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { expect } from 'vitest';

const PROGRAM = new URL('../../docs/verify-proof.mjs', import.meta.url);

/**
 * Verifies a proof with the file that has no dependency, in a thread, which starts faster than a process. Gives the claim that
 * it refuses, null for none, and its output. `folder` takes the file.
 */
export async function verifyStandalone(
  folder: string,
  proof: string | Uint8Array,
): Promise<{ readonly claim: string | null; readonly stdout: string }> {
  const file = join(folder, 'a.proof');
  writeFileSync(file, proof);
  const worker = new Worker(PROGRAM, { argv: [file], stdout: true });
  const [stdout, [status]] = await Promise.all([text(worker.stdout), once(worker, 'exit') as Promise<[number]>]);
  const claim = /^REFUSED {2}([a-z]+):/.exec(stdout)?.[1] ?? null;
  expect(status, stdout).toBe(claim === null ? 0 : 1);
  return { claim, stdout };
}

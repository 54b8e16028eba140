import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

/** The verifier without dependencies. */
export const VERIFIER = fileURLToPath(new URL('../../docs/verify-proof.mjs', import.meta.url));
/** Its imports from Node, except the one that reads the file. */
const IMPORTED = { createHash, createPublicKey, verify };
const AsyncFunction = (async () => {}).constructor as new (
  ...parts: string[]
) => (...values: unknown[]) => Promise<void>;
const run = new AsyncFunction(
  ...['process', 'createReadStream', ...Object.keys(IMPORTED)],
  readFileSync(VERIFIER, 'utf8').replace(/^import .*$/gm, ''),
);

/**
 * Verifies a proof with the verifier without dependencies, in the process of the test: the tests do so for hundreds of
 * proofs. Returns the refused claim (null if none) and the output.
 */
export async function verifyStandalone(
  proof: string | Uint8Array,
): Promise<{ readonly claim: string | null; readonly stdout: string }> {
  let [status, stdout] = [0, ''];
  const process = {
    argv: ['node', VERIFIER, 'a.proof'],
    exit: (code: number) => {
      status = code;
    },
    stdout: {
      write: (text: string) => {
        stdout += text;
      },
    },
  };
  await run(process, () => [Buffer.from(proof)], ...Object.values(IMPORTED));
  const claim = /^REFUSED {2}([a-z]+):/.exec(stdout)?.[1] ?? null;
  expect(status, stdout).toBe(claim === null ? 0 : 1);
  return { claim, stdout };
}

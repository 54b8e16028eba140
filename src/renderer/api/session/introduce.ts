import {
  HEX_32,
  nodeProofText,
  PROVE_PATH,
  type ProofAnswer,
  type ProofRequest,
  pageProofText,
} from '../../../shared/owner-api/proof.ts';
import { ApiError } from '../errors.ts';
import { hexOf, isNodeProof, pageProof, type SessionKeys } from './session-keys.ts';

/** Longer than a busy node takes. */
const TIMEOUT_MS = 30_000;

/**
 * Has whoever answers prove that it is the node of these keys. Resolves to the bearer that opens it, null where the proof
 * is false; nothing was sent but random bytes then. Rejects with an ApiError `disconnected` where there is no proof at all.
 */
export async function introduce(keys: SessionKeys): Promise<string | null> {
  const { host } = window.location;
  const nonce = hexOf(crypto.getRandomValues(new Uint8Array(32)));
  const answer = await askForProof({ nonce });
  if (!(await isNodeProof(keys, nodeProofText(host, nonce, answer.server), answer.proof))) return null;
  return pageProof(keys, pageProofText(host, answer.server));
}

async function askForProof(request: ProofRequest): Promise<ProofAnswer> {
  let body: { readonly value?: Partial<ProofAnswer> } | null;
  try {
    const response = await fetch(PROVE_PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    body = await response.json();
  } catch (error) {
    throw new ApiError('disconnected', error instanceof Error ? error.message : undefined);
  }
  const { server = '', proof = '' } = body?.value ?? {};
  if (HEX_32.test(server) && HEX_32.test(proof)) return { server, proof };
  throw new ApiError('disconnected', 'what answers gives no proof');
}

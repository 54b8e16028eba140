import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  HEX_32,
  nodeProofText,
  type ProofAnswer,
  type ProofKeys,
  pageProofText,
  proofKeys,
  proofOf,
} from '../../../shared/owner-api/proof.ts';

/** What the node knows of its token's holders. One for each time it begins to listen: bearers of before open nothing. */
export class UiProof {
  readonly #token: string;
  readonly #keys: ProofKeys;
  readonly #server = randomBytes(32).toString('hex');

  constructor(token: string) {
    this.#token = token;
    this.#keys = proofKeys(token);
  }

  /** Proves to a page, opened by `host`, that this is the node; null for what is no nonce. */
  answer(host: string, nonce: unknown): ProofAnswer | null {
    if (typeof nonce !== 'string' || !HEX_32.test(nonce)) return null;
    const server = this.#server;
    return { server, proof: proofOf(this.#keys.node, nodeProofText(host, nonce, server)) };
  }

  /** Whether this is the bearer of a page opened by `host`, or the token itself, which programs of the owner may use. */
  isOwner(given: string, host: string): boolean {
    const ofPage = proofOf(this.#keys.page, pageProofText(host, this.#server));
    return [this.#token, ofPage].map((expected) => isSame(given, expected)).includes(true);
  }

  /** The same for a request's Authorization header. */
  isAuthorized(authorization: string | undefined, host: string): boolean {
    const given = /^Bearer ([^ ]+)$/i.exec(authorization ?? '')?.[1];
    return given !== undefined && this.isOwner(given, host);
  }
}

/** Takes as long for a wrong text as for the right one. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

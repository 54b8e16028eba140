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

/**
 * Verifies the holders of the node's token. Each time the node starts to listen, it makes a new one, so bearers of
 * earlier pages are invalid.
 */
export class UiProof {
  readonly #token: string;
  readonly #keys: ProofKeys;
  readonly #server = randomBytes(32).toString('hex');

  constructor(token: string) {
    this.#token = token;
    this.#keys = proofKeys(token);
  }

  /** Returns the proof to a page, opened by `host`, that this is the node; null if `nonce` is invalid. */
  answer(host: string, nonce: unknown): ProofAnswer | null {
    if (typeof nonce !== 'string' || !HEX_32.test(nonce)) return null;
    const server = this.#server;
    return { server, proof: proofOf(this.#keys.node, nodeProofText(host, nonce, server)) };
  }

  /**
   * Returns who sent a bearer: a page opened by `host`, or a program of the owner that sent the token itself
   * (`command`); null if it is invalid.
   */
  whose(given: string, host: string): 'page' | 'command' | null {
    const ofPage = proofOf(this.#keys.page, pageProofText(host, this.#server));
    const [isToken, isPage] = [isSame(given, this.#token), isSame(given, ofPage)];
    return isPage ? 'page' : isToken ? 'command' : null;
  }

  /** Returns whether a bearer is valid. */
  isOwner(given: string, host: string): boolean {
    return this.whose(given, host) !== null;
  }

  /** Returns who sent a request, by its Authorization header. */
  whoseHeader(authorization: string | undefined, host: string): 'page' | 'command' | null {
    const given = /^Bearer ([^ ]+)$/i.exec(authorization ?? '')?.[1];
    return given === undefined ? null : this.whose(given, host);
  }
}

/** Compares in constant time. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

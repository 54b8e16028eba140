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
 * Tracks the holders of the node's token. There is one for each time the node begins to listen: earlier bearers open
 * nothing.
 */
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

  /** Whose bearer this is: that of a page opened by `host`, or the token itself, which programs of the owner may use. */
  whose(given: string, host: string): 'page' | 'command' | null {
    const ofPage = proofOf(this.#keys.page, pageProofText(host, this.#server));
    const [isToken, isPage] = [isSame(given, this.#token), isSame(given, ofPage)];
    return isPage ? 'page' : isToken ? 'command' : null;
  }

  /** Whether it is anybody's. */
  isOwner(given: string, host: string): boolean {
    return this.whose(given, host) !== null;
  }

  /** The same for a request's Authorization header. */
  whoseHeader(authorization: string | undefined, host: string): 'page' | 'command' | null {
    const given = /^Bearer ([^ ]+)$/i.exec(authorization ?? '')?.[1];
    return given === undefined ? null : this.whose(given, host);
  }
}

/** Takes as long for a wrong text as for the right one. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

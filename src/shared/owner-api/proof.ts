import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * How the view in a browser and its node prove to each other that they know the token, which itself is never sent: another
 * program may have taken the node's port. docs/keystore-format.md has the protocol and its limits.
 */

/** Where the node answers a nonce of the page with its proof; open to whoever reaches the listener. */
export const PROVE_PATH = '/ui/api/prove';

/** 32 bytes in lowercase hex: nonces, proofs and what a page then shows for itself. */
export const HEX_32 = /^[0-9a-f]{64}$/;

/** The page's message. */
export interface ProofRequest {
  /** Fresh random bytes. */
  readonly nonce: string;
}

/** The node's answer. */
export interface ProofAnswer {
  /** Random, and another one each time the node begins to listen. */
  readonly server: string;
  /** The HMAC over `nodeProofText`. */
  readonly proof: string;
}

/** Two keys derived from the token, so that a page can keep one that only checks and one that only signs. */
export interface ProofKeys {
  /** Names the token and tells nothing of it. */
  readonly id: string;
  readonly node: Uint8Array;
  readonly page: Uint8Array;
}

/** The keys of a token. */
export function proofKeys(token: string): ProofKeys {
  const derive = (label: string) => hmac(sha256, utf8ToBytes(token), utf8ToBytes(`wellhouse browser home v1 ${label}`));
  return { id: bytesToHex(derive('id').subarray(0, 8)), node: derive('node'), page: derive('page') };
}

/**
 * The text that the node signs with its key. `host` is the authority that the page was opened by, as in the Host
 * header.
 */
export function nodeProofText(host: string, nonce: string, server: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(utf8ToBytes(`wellhouse node v1\n${host}\n${nonce}\n${server}`));
}

/** The text that the page signs with its own key; the HMAC is its bearer token for as long as the node listens. */
export function pageProofText(host: string, server: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(utf8ToBytes(`wellhouse page v1\n${host}\n${server}`));
}

/** The HMAC-SHA-256 of a text in lowercase hex. */
export function proofOf(key: Uint8Array, text: Uint8Array): string {
  return bytesToHex(hmac(sha256, key, text));
}

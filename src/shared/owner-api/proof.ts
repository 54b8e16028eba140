import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * The view in a browser and its node prove to each other that they know the token, without sending it, because another
 * program may have taken the node's port. docs/keystore-format.md has the protocol and its limits.
 */

/** The path at which the node answers the page's nonce with its proof. It needs no authentication. */
export const PROVE_PATH = '/ui/api/prove';

/** 32 bytes in lowercase hex: nonces and proofs. */
export const HEX_32 = /^[0-9a-f]{64}$/;

/** The page's message. */
export interface ProofRequest {
  /** Fresh random bytes. */
  readonly nonce: string;
}

/** The node's answer. */
export interface ProofAnswer {
  /** Random, and new each time the node begins to listen. */
  readonly server: string;
  /** The HMAC over `nodeProofText`. */
  readonly proof: string;
}

/** Keys derived from the token, so that a page can keep one key that only checks and one that only signs. */
export interface ProofKeys {
  /** Identifies the token without revealing it. */
  readonly id: string;
  readonly node: Uint8Array;
  readonly page: Uint8Array;
}

/** Derives the keys of a token. */
export function proofKeys(token: string): ProofKeys {
  const derive = (label: string) => hmac(sha256, utf8ToBytes(token), utf8ToBytes(`wellhouse browser home v1 ${label}`));
  return { id: bytesToHex(derive('id').subarray(0, 8)), node: derive('node'), page: derive('page') };
}

/**
 * Returns the text that the node signs with its key. `host` is the host and port in the page's address, as in the Host
 * header.
 */
export function nodeProofText(host: string, nonce: string, server: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(utf8ToBytes(`wellhouse node v1\n${host}\n${nonce}\n${server}`));
}

/** Returns the text that the page signs with its key. The HMAC is its bearer token for as long as the node listens. */
export function pageProofText(host: string, server: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(utf8ToBytes(`wellhouse page v1\n${host}\n${server}`));
}

/** Returns the HMAC-SHA-256 of a text in lowercase hex. */
export function proofOf(key: Uint8Array, text: Uint8Array): string {
  return bytesToHex(hmac(sha256, key, text));
}

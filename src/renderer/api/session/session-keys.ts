import { type ProofKeys, proofKeys, proofOf } from '../../../shared/owner-api/proof.ts';

const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const;

/** One of the keys: usable but not readable if the browser supports that, otherwise its bytes. */
type Key = CryptoKey | Uint8Array<ArrayBuffer>;

/** The keys of a token, as a page keeps them. The token can't be derived from them. */
export interface SessionKeys extends Pick<ProofKeys, 'id'> {
  /** Checks the node's proof. It can't make one. */
  readonly node: Key;
  /** Makes the page's proof. */
  readonly page: Key;
}

/**
 * Returns the keys of a token. Pages that came over plain HTTP from a network have no WebCrypto; there the keys are
 * bytes.
 */
export async function sessionKeysOf(token: string): Promise<SessionKeys> {
  const { id, node, page } = proofKeys(token);
  const take = async (bytes: Uint8Array, usage: KeyUsage): Promise<Key> => {
    const key = new Uint8Array(bytes);
    return isSecureContext ? crypto.subtle.importKey('raw', key, HMAC, false, [usage]) : key;
  };
  return { id, node: await take(node, 'verify'), page: await take(page, 'sign') };
}

/** Returns whether a proof (64 hex digits) is the node's over this text. */
export async function isNodeProof({ node }: SessionKeys, text: Uint8Array<ArrayBuffer>, proof: string) {
  if (node instanceof Uint8Array) return proofOf(node, text) === proof;
  return crypto.subtle.verify(HMAC, node, bytesOf(proof), text);
}

/** Returns the page's proof over a text, in hex. */
export async function pageProof({ page }: SessionKeys, text: Uint8Array<ArrayBuffer>): Promise<string> {
  if (page instanceof Uint8Array) return proofOf(page, text);
  return hexOf(new Uint8Array(await crypto.subtle.sign(HMAC, page, text)));
}

/** Returns the bytes in lowercase hex. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}

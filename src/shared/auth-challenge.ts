import { utf8ToBytes } from '@noble/hashes/utils.js';

/** The path at which the door sends a challenge, and the path at which it accepts the answer. */
export const CHALLENGE_PATH = '/v1/auth/challenge';
export const VERIFY_PATH = '/v1/auth/verify';

/** The door's answer at `CHALLENGE_PATH`. */
export interface AuthChallenge {
  /** 32 random bytes in lowercase hex. */
  readonly challenge: string;
  /** The node's public key in lowercase hex. */
  readonly node: string;
  readonly purpose: 'door';
  /** Unix milliseconds of the node's clock. */
  readonly expiresAt: number;
}

/**
 * Returns the text that an owner's key signs: a label that starts no other message of Wellhouse, then the node and the
 * purpose, each on its own line. A signature for one node is useless at another.
 */
export function authText({ challenge, node, purpose, expiresAt }: AuthChallenge): Uint8Array<ArrayBuffer> {
  return new Uint8Array(utf8ToBytes(['wellhouse auth v1', node, purpose, expiresAt, challenge].join('\n')));
}

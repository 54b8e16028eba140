import { randomBytes } from 'node:crypto';
import sodium from 'sodium-native';
import { type AuthChallenge, authText } from '../../shared/auth-challenge.ts';
import { clientKey } from '../common/client-key.ts';
import type { Clock } from '../common/clock.ts';

/** The time in which a challenge can be answered. */
const CHALLENGE_MS = 60_000;
const MAX_OPEN = 1000;
const MAX_OPEN_OF_ADDRESS = 10;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

interface Open extends AuthChallenge {
  readonly address: string;
  /** Time of the steady clock: a change of the time of day must not extend an old challenge. */
  readonly closesAt: number;
}

/** Challenges that an owner's key may sign: 32 random bytes, valid for a minute and one use. */
export class Challenges {
  /** Oldest first. */
  readonly #open = new Map<string, Open>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Makes a challenge for a client. `node` is this node's key in hex. */
  make(node: string, address: string): AuthChallenge {
    const from = clientKey(address);
    this.#makeRoom(from);
    const challenge = randomBytes(32).toString('hex');
    const made: AuthChallenge = { challenge, node, purpose: 'door', expiresAt: this.#clock.now() + CHALLENGE_MS };
    this.#open.set(challenge, { ...made, address: from, closesAt: this.#clock.steady() + CHALLENGE_MS });
    return made;
  }

  /** Returns whether a signature answers an open challenge. The challenge is used up in any case. */
  isAnswered(challenge: string, publicKey: string, signature: string): boolean {
    const open = this.#open.get(challenge);
    this.#open.delete(challenge);
    if (open === undefined || open.closesAt <= this.#clock.steady()) return false;
    // As for blocks, small-order keys are refused: with such a key, one signature fits every challenge.
    const [key, signed] = [Buffer.from(publicKey, 'hex'), Buffer.from(signature, 'hex')];
    if (key.length !== KEY_BYTES || signed.length !== SIGNATURE_BYTES) return false;
    return sodium.crypto_sign_verify_detached(signed, authText(open), key);
  }

  /** Makes room for a challenge. An address pushes out its own oldest challenge only. */
  #makeRoom(from: string): void {
    const now = this.#clock.steady();
    for (const [name, { closesAt }] of this.#open) if (closesAt <= now) this.#open.delete(name);
    const own = [...this.#open].filter(([, { address }]) => address === from);
    if (own.length >= MAX_OPEN_OF_ADDRESS) this.#open.delete(own[0]![0]);
    const [oldest] = this.#open.keys();
    if (this.#open.size >= MAX_OPEN) this.#open.delete(oldest!);
  }
}

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { publicKeyOf } from '../../src/shared/crypto/ed25519.ts';
import { sealField } from '../../src/shared/crypto/keyring/field-cipher.ts';
import { deriveFieldKey } from '../../src/shared/crypto/keyring/field-key.ts';
import { firmwareSeed } from '../../src/shared/crypto/phrase/phrase.ts';
import type { OwnerReading } from '../../src/shared/owner-api/readings.ts';
import type { FieldValue } from '../../src/shared/owner-api/values.ts';
import { FIELD_NAMES, type FieldName } from '../../src/shared/protocol/fields.ts';
import { measure, type Traits, traitsOf } from '../../src/simulator/curves.ts';

/** Brings the keys that open what the fake devices seal; the first phrase of the BIP-39 test vectors. */
export const OWNER_PHRASE = `${'abandon '.repeat(11)}about`;
const ownerSeed = firmwareSeed(OWNER_PHRASE);
const ownerPubkey = bytesToHex(publicKeyOf(ownerSeed));

const EVERY_MS = 10_000;
const PAST_MS = 40 * 86_400_000;
const UPTIME_MS = 5 * 86_400_000;

/** What sets a fake device apart from an ordinary one of the owner's. */
interface Kind {
  readonly name: string;
  readonly encrypt?: readonly FieldName[];
  /** It fell silent so many milliseconds before the start. */
  readonly silentForMs?: number;
  /** Its timestamps are its uptime. */
  readonly clockNotSet?: boolean;
  readonly whose?: 'mine' | 'claimed' | 'other';
  /** It never sent a reading. */
  readonly isNew?: boolean;
}

const KINDS: readonly Kind[] = [
  { name: 'Greenhouse' },
  { name: 'Nursery', encrypt: ['ph', 'ec'] },
  { name: 'Herb bench', silentForMs: 3 * 3_600_000 },
  { name: 'Pump house', clockNotSet: true },
  { name: 'Just connected', isNew: true },
  { name: 'Says it is yours', whose: 'claimed' },
  { name: "A neighbour's tank", whose: 'other' },
];

const digest = (text: string): Uint8Array => sha256(utf8ToBytes(text));

/**
 * A device whose readings are a function of time: one every ten seconds for forty days, numbered by their time. So
 * nothing is stored, and the same question is always answered the same.
 */
export class FakeDevice {
  readonly id: string;
  readonly name: string;
  readonly ownerPubkey: string;
  readonly encrypt: ReadonlySet<FieldName>;
  readonly clockNotSet: boolean;
  readonly whose: 'mine' | 'claimed' | 'other';
  readonly everyMs = EVERY_MS;
  readonly #traits: Traits;
  readonly #fieldKey: Uint8Array;
  readonly #startedAt: number;
  readonly #endsAt: number;

  constructor(kind: Kind, startedAt: number) {
    const { name, encrypt = [], silentForMs, clockNotSet = false, whose = 'mine', isNew = false } = kind;
    const seed = digest(`fake device ${name}`);
    this.id = bytesToHex(publicKeyOf(seed));
    this.name = name;
    this.ownerPubkey = whose === 'other' ? 'ab'.repeat(32) : ownerPubkey;
    this.encrypt = new Set(encrypt);
    this.clockNotSet = clockNotSet;
    this.whose = whose;
    this.#traits = traitsOf(seed);
    this.#fieldKey = deriveFieldKey(ownerSeed, hexToBytes(this.id), 1);
    this.#startedAt = startedAt;
    this.#endsAt = isNew ? 0 : silentForMs === undefined ? Number.POSITIVE_INFINITY : startedAt - silentForMs;
  }

  /** The seqs of the readings that arrived between two times, both inclusive, and until `now`; empty: last before first. */
  seqs(from: number | null, to: number | null, now: number): { first: number; last: number } {
    const begin = Math.max(from ?? 0, this.#startedAt - PAST_MS);
    const end = Math.min(to ?? now, now, this.#endsAt);
    return { first: Math.ceil(begin / EVERY_MS), last: Math.floor(end / EVERY_MS) };
  }

  reading(seq: number): OwnerReading {
    const receivedAt = seq * EVERY_MS;
    const values = measure(this.#traits, receivedAt);
    const timestamp = this.clockNotSet ? Math.max(0, receivedAt - this.#startedAt + UPTIME_MS) : receivedAt;
    const fields = Object.fromEntries(FIELD_NAMES.map((field) => [field, this.#value(field, seq, values[field])]));
    return {
      seq: String(seq),
      timestamp: String(timestamp),
      receivedAt,
      keyVersion: this.encrypt.size > 0 ? 1 : 0,
      store: this.whose === 'mine' ? 'private' : 'public',
      fields: fields as OwnerReading['fields'],
    };
  }

  /** A value that is sent in plain; null of a sealed field. */
  plainAt(field: FieldName, time: number): number | null {
    return this.encrypt.has(field) ? null : Math.fround(measure(this.#traits, time)[field]);
  }

  #value(field: FieldName, seq: number, value: number): FieldValue {
    if (!this.encrypt.has(field)) return Math.fround(value);
    const nonce = digest(`${this.id} ${seq} ${field}`).subarray(0, 12);
    return {
      cipher: bytesToHex(sealField(this.#fieldKey, value, nonce)),
      nonce: bytesToHex(nonce),
    };
  }
}

/** So many devices, of every kind as far as they go; beyond that they are ordinary ones. */
export function fakeDevices(count: number, startedAt: number): FakeDevice[] {
  return Array.from(
    { length: count },
    (_, index) => new FakeDevice(KINDS[index] ?? { name: `Tank ${index + 1}` }, startedAt),
  );
}

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { publicKeyOf } from '../../src/shared/crypto/ed25519.ts';
import { sealField } from '../../src/shared/crypto/keyring/field-cipher.ts';
import { deriveFieldKey } from '../../src/shared/crypto/keyring/field-key.ts';
import { firmwareSeed } from '../../src/shared/crypto/phrase/phrase.ts';
import type { OwnerReading } from '../../src/shared/owner-api/readings.ts';
import type { FieldValue } from '../../src/shared/owner-api/values.ts';
import type { StoreName } from '../../src/shared/protocol/codes.ts';
import { type FieldName, perFieldName } from '../../src/shared/protocol/fields.ts';
import { measure, type Traits, traitsOf } from '../../src/simulator/curves.ts';

/** Gives the keys that decrypt the fields of the fake devices: the first phrase of the BIP-39 test vectors. */
export const OWNER_PHRASE = `${'abandon '.repeat(11)}about`;
const ownerSeed = firmwareSeed(OWNER_PHRASE);
const ownerPubkey = bytesToHex(publicKeyOf(ownerSeed));

const EVERY_MS = 10_000;
const PAST_MS = 40 * 86_400_000;
const UPTIME_MS = 5 * 86_400_000;

/** A reading with given values. */
export interface SentReading {
  /** The time of measurement in Unix milliseconds. */
  readonly at: number;
  readonly values: Partial<Readonly<Record<FieldName, number>>>;
  /** By default one more than that of the previous reading. */
  readonly seq?: number;
  /** Fields that are encrypted with this version of the device's key (1 by default). */
  readonly sealed?: readonly FieldName[];
  readonly keyVersion?: number;
  /** The time of arrival in Unix milliseconds; `at` by default. */
  readonly receivedAt?: number;
  readonly store?: StoreName;
}

/** The differences between a fake device and an ordinary device of the owner. */
export interface FakeKind {
  readonly name: string;
  readonly encrypt?: readonly FieldName[];
  /** Its only readings, oldest first. If missing, it has one every ten seconds. */
  readonly sent?: readonly SentReading[];
  /** The stores that have it, the private one first. */
  readonly stores?: readonly StoreName[];
  /** How long before the start it became silent, in milliseconds. */
  readonly silentForMs?: number;
  /** Whether its timestamps are its uptime. */
  readonly clockNotSet?: boolean;
  readonly whose?: 'mine' | 'claimed' | 'other';
  /** Whether it has never sent a reading. */
  readonly isNew?: boolean;
}

const KINDS: readonly FakeKind[] = [
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
 * nothing is stored, and the same query always has the same answer. A device with `sent` has only those readings. A
 * place is the number of a reading among all readings of its device, in the order of time.
 */
export class FakeDevice {
  readonly id: string;
  readonly name: string;
  readonly ownerPubkey: string;
  readonly encrypt: ReadonlySet<FieldName>;
  readonly clockNotSet: boolean;
  readonly whose: 'mine' | 'claimed' | 'other';
  readonly stores: readonly StoreName[];
  /** The milliseconds between two readings; null if there are too few. */
  readonly everyMs: number | null;
  /** Whether it has only the readings of `sent`. */
  readonly isExact: boolean;
  readonly #sent: (SentReading & { readonly seq: number })[];
  readonly #traits: Traits;
  readonly #fieldKeys = new Map<number, Uint8Array>();
  /** The encrypted values so far: a page asks for the same readings many times. */
  readonly #sealed = new Map<string, FieldValue>();
  readonly #startedAt: number;
  readonly #endsAt: number;

  constructor(kind: FakeKind, startedAt = Date.now()) {
    const { name, encrypt = [], silentForMs, clockNotSet = false, whose = 'mine', isNew = false, sent } = kind;
    const seed = digest(`fake device ${name}`);
    this.id = bytesToHex(publicKeyOf(seed));
    this.name = name;
    this.ownerPubkey = whose === 'other' ? 'ab'.repeat(32) : ownerPubkey;
    this.encrypt = new Set([...encrypt, ...(sent ?? []).flatMap(({ sealed = [] }) => sealed)]);
    this.clockNotSet = clockNotSet;
    this.whose = whose;
    this.stores = kind.stores ?? [whose === 'mine' ? 'private' : 'public'];
    this.isExact = sent !== undefined;
    this.#sent = numbered(sent ?? []);
    this.everyMs = sent === undefined ? EVERY_MS : medianInterval(sent);
    this.#traits = traitsOf(seed);
    this.#startedAt = startedAt;
    this.#endsAt = isNew ? 0 : silentForMs === undefined ? Number.POSITIVE_INFINITY : startedAt - silentForMs;
  }

  /** Adds a reading after all readings of `sent`. */
  send(reading: SentReading): void {
    this.#sent.push({ seq: (this.#sent.at(-1)?.seq ?? 0) + 1, ...reading });
  }

  /**
   * Returns the places of the readings between two times (both inclusive), not after `now`. If there are none, last is
   * less than first.
   */
  places(from: number | null, to: number | null, now: number): { first: number; last: number } {
    if (this.isExact) {
      const isWithin = ({ at }: SentReading) => at >= (from ?? 0) && at <= (to ?? at);
      const first = this.#sent.findIndex(isWithin);
      return first === -1 ? { first: 0, last: -1 } : { first, last: this.#sent.findLastIndex(isWithin) };
    }
    const begin = Math.max(from ?? 0, this.#startedAt - PAST_MS);
    const end = Math.min(to ?? now, now, this.#endsAt);
    return { first: Math.ceil(begin / EVERY_MS), last: Math.floor(end / EVERY_MS) };
  }

  /** Returns when the reading at a place was measured, in Unix milliseconds. */
  timeOf(place: number): number {
    return this.isExact ? this.#sent[place]!.at : place * EVERY_MS;
  }

  reading(place: number): OwnerReading {
    if (this.isExact) return this.#sentReading(this.#sent[place]!);
    const receivedAt = place * EVERY_MS;
    const values = measure(this.#traits, receivedAt);
    const keyVersion = this.encrypt.size > 0 ? 1 : 0;
    return this.#reading({
      ...{ seq: place, at: receivedAt, receivedAt, values, keyVersion, sealed: [...this.encrypt] },
    });
  }

  /** Returns a value that is sent unencrypted; null for an encrypted field. */
  plainAt(field: FieldName, time: number): number | null {
    return this.encrypt.has(field) ? null : Math.fround(measure(this.#traits, time)[field]);
  }

  #reading(sent: Required<Omit<SentReading, 'store'>> & Pick<SentReading, 'store'>): OwnerReading {
    const { seq, at, receivedAt, values, keyVersion, sealed, store = this.stores[0]! } = sent;
    const timestamp = this.clockNotSet ? Math.max(0, at - this.#startedAt + UPTIME_MS) : at;
    const fieldOf = (field: FieldName): FieldValue => {
      const value = values[field];
      if (value === undefined) return null;
      return sealed.includes(field) ? this.#seal(field, seq, keyVersion, value) : Math.fround(value);
    };
    return {
      ...{ seq: String(seq), timestamp: String(timestamp), receivedAt, keyVersion, store },
      fields: perFieldName(fieldOf),
    };
  }

  #sentReading(sent: SentReading & { readonly seq: number }): OwnerReading {
    const { sealed = [], at } = sent;
    return this.#reading({
      ...{ keyVersion: sealed.length > 0 ? 1 : 0, receivedAt: at, sealed },
      ...sent,
    });
  }

  #seal(field: FieldName, seq: number, keyVersion: number, value: number): FieldValue {
    const place = `${field} ${seq} ${keyVersion} ${value}`;
    const before = this.#sealed.get(place);
    if (before !== undefined) return before;
    const key = this.#fieldKeys.get(keyVersion) ?? deriveFieldKey(ownerSeed, hexToBytes(this.id), keyVersion);
    this.#fieldKeys.set(keyVersion, key);
    const nonce = digest(`${this.id} ${seq} ${field}`).subarray(0, 12);
    const sealed = { cipher: bytesToHex(sealField(key, value, nonce)), nonce: bytesToHex(nonce) };
    this.#sealed.set(place, sealed);
    return sealed;
  }
}

function numbered(sent: readonly SentReading[]) {
  let last = 0;
  return sent.map((reading) => {
    last = reading.seq ?? last + 1;
    return { ...reading, seq: last };
  });
}

function medianInterval(sent: readonly SentReading[]): number | null {
  const between = sent.slice(1).map(({ at }, index) => at - sent[index]!.at);
  return between.sort((a, b) => a - b)[between.length >> 1] ?? null;
}

/** Returns this number of devices: first one of each kind, then ordinary ones. */
export function fakeDevices(count: number, startedAt: number): FakeDevice[] {
  return Array.from(
    { length: count },
    (_, index) => new FakeDevice(KINDS[index] ?? { name: `Tank ${index + 1}` }, startedAt),
  );
}

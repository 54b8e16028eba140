import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign as signWith } from 'node:crypto';
import { REFERENCE_DIGITS } from '../shared/measures/units.ts';
import { Disposition, PublishTo } from '../shared/protocol/codes.ts';
import type { DeviceRegistrationInput } from '../shared/protocol/device.ts';
import { FIELD_NAMES, type FieldName, SENSOR_FIELDS } from '../shared/protocol/fields.ts';
import { formatRaw } from '../shared/protocol/raw.ts';

/** A sealed sensor field as sent: the cipher with its tag, and the nonce, both in lowercase hex. */
export interface SealedField {
  readonly cipher: string;
  readonly nonce: string;
}

/** A telemetry block as sent. Properties are mutable so that tests can spoil them. */
export interface BlockInput extends Partial<Record<FieldName, { plain: number } | SealedField>> {
  deviceId: string;
  /** Decimal text, like `timestamp`. */
  seq: string;
  /** Unix milliseconds, or milliseconds since boot for a device without a clock. */
  timestamp: string;
  keyVersion: number;
  /** The Ed25519 signature of the bytes of `raw`, in hex. */
  signature: string;
  /** The signed UTF-8 bytes in hex. */
  raw: string;
}

/** The input of `SimulatedDevice.block`. */
export interface BlockContent {
  readonly seq: bigint | number;
  readonly timestamp: bigint | number;
  readonly keyVersion?: number;
  readonly plain?: Partial<Record<FieldName, number>>;
  /** Sealed fields are never in raw. A field in this record is left out of `plain`. */
  readonly sealed?: Partial<Record<FieldName, SealedField>>;
  /** The text that is signed and sent instead of the composed raw string. */
  readonly raw?: string;
}

/** The properties of a device; missing ones are random. */
export interface DeviceOptions {
  /** The 32-byte Ed25519 seed. */
  readonly seed?: Uint8Array;
  /** 12 lowercase hex digits. */
  readonly mac?: string;
  readonly name?: string;
  /** 64 hex digits. */
  readonly ownerPubkey?: string;
}

/** The order of fields in the firmware's raw: its own for the first two, the table's for the rest. */
const RAW_ORDER: readonly FieldName[] = ['ec', 'ph', ...FIELD_NAMES.filter((name) => name !== 'ec' && name !== 'ph')];

/** The DER of a PKCS #8 Ed25519 private key up to the seed (RFC 8410, section 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A device that registers and signs exactly as the field firmware does. */
export class SimulatedDevice {
  /** The Ed25519 public key, lowercase hex. */
  readonly id: string;
  readonly seed: Uint8Array;
  readonly mac: string;
  readonly name: string;
  readonly ownerPubkey: string;
  readonly #key: KeyObject;

  constructor(options: DeviceOptions = {}) {
    this.seed = options.seed ?? randomBytes(32);
    this.#key = privateKeyOf(this.seed);
    this.id = publicKeyHex(this.#key);
    // 02 is for locally administered addresses, which no manufactured device has.
    this.mac = options.mac ?? `02${randomBytes(5).toString('hex')}`;
    this.name = options.name ?? `Simulated ${this.id.slice(0, 8)}`;
    this.ownerPubkey = options.ownerPubkey ?? publicKeyHex(privateKeyOf(randomBytes(32)));
  }

  /** Returns the 64-byte Ed25519 signature of the bytes. */
  sign(bytes: Uint8Array): Uint8Array {
    return signWith(null, bytes, this.#key);
  }

  /**
   * Returns the first registration as the firmware sends it: both stores, every field PLAIN, without `per_destination`.
   */
  registration(overrides: Partial<DeviceRegistrationInput> = {}): DeviceRegistrationInput {
    return {
      id: this.id,
      mac: this.mac,
      ownerPubkey: this.ownerPubkey,
      name: this.name,
      type: 0,
      publishTo: PublishTo.BOTH,
      privacyPolicy: Object.fromEntries(
        SENSOR_FIELDS.map(({ policyName }) => [policyName, { default_disposition: Disposition.PLAIN }]),
      ),
      hardware: { model: 'ESP32 (simulated)', firmware_version: '1.0.0' },
      ...overrides,
    };
  }

  /**
   * Returns a signed block. The JSON numbers are the 32-bit floats that the firmware computes with, so 6.2 is sent as
   * 6.199999809265137, with `ph=6.20` in raw.
   */
  block(content: BlockContent): BlockInput {
    const { seq, timestamp, keyVersion = 0, plain = {}, sealed = {} } = content;
    const floats = new Map<FieldName, number>();
    for (const name of FIELD_NAMES) {
      const value = plain[name];
      if (value !== undefined && sealed[name] === undefined) floats.set(name, Math.fround(value));
    }
    const inRaw = RAW_ORDER.filter((name) => floats.has(name)).map((name) => ({
      name,
      decimals: REFERENCE_DIGITS[name],
      value: floats.get(name)!,
    }));
    const raw = content.raw ?? formatRaw(this.id, String(seq), String(timestamp), keyVersion, inRaw);
    const bytes = Buffer.from(raw, 'utf8');
    const block: BlockInput = {
      deviceId: this.id,
      seq: String(seq),
      timestamp: String(timestamp),
      keyVersion,
      signature: Buffer.from(this.sign(bytes)).toString('hex'),
      raw: bytes.toString('hex'),
    };
    for (const name of FIELD_NAMES) {
      const value = floats.get(name);
      const blob = sealed[name];
      if (blob !== undefined) block[name] = blob;
      else if (value !== undefined) block[name] = { plain: value };
    }
    return block;
  }
}

function privateKeyOf(seed: Uint8Array): KeyObject {
  if (seed.length !== 32) throw new RangeError(`a device seed has 32 bytes, not ${seed.length}`);
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
}

function publicKeyHex(privateKey: KeyObject): string {
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' });
  return Buffer.from(jwk.x!, 'base64url').toString('hex');
}

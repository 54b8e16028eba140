import { randomBytes } from 'node:crypto';
import { sealField } from '../shared/crypto/keyring/field-cipher.ts';
import { deriveFieldKey } from '../shared/crypto/keyring/field-key.ts';
import { FIELD_NAMES, type FieldName } from '../shared/protocol/fields.ts';
import { NONCE_BYTES } from '../shared/protocol/limits.ts';
import { type Drift, drifted, measure, type Traits, traitsOf } from './curves.ts';
import type { BlockInput, SealedField, SimulatedDevice } from './device.ts';

/** The settings for a device's blocks. */
export interface BlockSettings {
  /** The 32-byte seed of the owner's key; field keys are derived from it. */
  readonly ownerSeed: Uint8Array;
  readonly keyVersion: number;
  /** The fields that are sent sealed. */
  readonly encrypt: ReadonlySet<FieldName>;
  /**
   * The boot from which a device without a time server counts, in Unix milliseconds; null if the device has the time.
   */
  readonly bootedAt: number | null;
  /** The fields whose values leave their range from a time on, in Unix milliseconds. */
  readonly drift?: { readonly fields: ReadonlyMap<FieldName, Drift>; readonly from: number };
}

/** Seals one value as the firmware does, with a fresh nonce. */
export function sealedField(key: Uint8Array, value: number): SealedField {
  const nonce = randomBytes(NONCE_BYTES);
  return { cipher: Buffer.from(sealField(key, value, nonce)).toString('hex'), nonce: nonce.toString('hex') };
}

/** Measures and signs: each call returns the device's next block, with a seq that it never used before. */
export class BlockSource {
  readonly device: SimulatedDevice;
  readonly #takeSeq: () => bigint;
  readonly #settings: BlockSettings;
  readonly #traits: Traits;
  readonly #fieldKey: Uint8Array;

  /** `takeSeq` may throw if a seq can't be reserved; `next` then throws the same. */
  constructor(device: SimulatedDevice, takeSeq: () => bigint, settings: BlockSettings) {
    this.device = device;
    this.#takeSeq = takeSeq;
    this.#settings = settings;
    this.#traits = traitsOf(device.seed);
    this.#fieldKey = deriveFieldKey(settings.ownerSeed, Buffer.from(device.id, 'hex'), settings.keyVersion);
  }

  /**
   * Returns a block of the values at `measuredAt`, dated with `datedAt`, both in Unix milliseconds. `measuredAt` may be
   * simulated.
   */
  next(measuredAt: number, datedAt: number): BlockInput {
    const { keyVersion, encrypt, bootedAt, drift } = this.#settings;
    const plain: Partial<Record<FieldName, number>> = {};
    const sealed: Partial<Record<FieldName, SealedField>> = {};
    const values = measure(this.#traits, measuredAt);
    for (const [name, way] of drift?.fields ?? [])
      values[name] = drifted(name, values[name], way, datedAt - drift!.from);
    for (const name of FIELD_NAMES) {
      if (encrypt.has(name)) sealed[name] = sealedField(this.#fieldKey, values[name]);
      else plain[name] = values[name];
    }
    const timestamp = Math.max(0, Math.round(datedAt - (bootedAt ?? 0)));
    return this.device.block({ seq: this.#takeSeq(), timestamp, keyVersion, plain, sealed });
  }
}

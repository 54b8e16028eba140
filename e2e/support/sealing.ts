import { createCipheriv, randomBytes } from 'node:crypto';
import { publicKeyOf } from '../../src/shared/crypto/ed25519.ts';
import { bytesToHex, hexToBytes } from '../../src/shared/crypto/hex.ts';
import { deriveFieldKey } from '../../src/shared/crypto/keyring/field-key.ts';
import { firmwareSeed, standardSeed } from '../../src/shared/crypto/phrase/derivations.ts';
import { FIELD_NAMES, type FieldName } from '../../src/shared/protocol/fields.ts';
import { type BlockInput, type SealedField, SimulatedDevice } from '../../src/simulator/device.ts';
import vectors from '../../test/vectors.json' with { type: 'json' };

/** The owner's phrase, and its name in the keystore. */
export const PHRASE = vectors.mnemonic;
export const PHRASE_NAME = 'Well phrase';

/**
 * Returns bytes encrypted as a device encrypts a value: AES-256-GCM with the tag appended, and a new nonce unless one
 * is given.
 */
export function sealBytes(key: Uint8Array, bytes: Uint8Array, nonce: Uint8Array = randomBytes(12)): SealedField {
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  return { cipher: sealed.toString('hex'), nonce: Buffer.from(nonce).toString('hex') };
}

/** Returns a value as the four bytes that are encrypted: float32, big-endian. */
export function floatBytes(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatBE(value);
  return bytes;
}

/** The contents of one block of an encrypting device. */
export interface SealedContent {
  readonly seq: number;
  readonly timestamp: number;
  readonly keyVersion: number;
  readonly values: Partial<Record<FieldName, number>>;
  /** Fields that are sent in another form than their value encrypted with the version's key. */
  readonly instead?: Partial<Record<FieldName, SealedField>>;
}

/** A simulated device that encrypts every field, under any version of its key. */
export class SealingDevice {
  readonly device: SimulatedDevice;
  readonly #keyOf: (keyVersion: number) => Uint8Array;

  /** `derivation`: how the owner's key is derived from the phrase; with null, the device's keys are random. */
  constructor(name: string, derivation: 'firmware' | 'standard' | null) {
    if (derivation === null) {
      this.device = new SimulatedDevice({ name });
      const keys = new Map<number, Uint8Array>();
      this.#keyOf = (version) => {
        if (!keys.has(version)) keys.set(version, randomBytes(32));
        return keys.get(version)!;
      };
      return;
    }
    const seed = derivation === 'firmware' ? firmwareSeed(PHRASE) : standardSeed(PHRASE);
    this.device = new SimulatedDevice({ name, ownerPubkey: bytesToHex(publicKeyOf(seed)) });
    const id = hexToBytes(this.device.id);
    this.#keyOf = (version) => deriveFieldKey(seed, id, version);
  }

  get id(): string {
    return this.device.id;
  }

  key(keyVersion: number): Uint8Array {
    return this.#keyOf(keyVersion);
  }

  keyHex(keyVersion: number): string {
    return bytesToHex(this.key(keyVersion));
  }

  /** Returns a value encrypted with the key of a version. */
  sealed(keyVersion: number, value: number): SealedField {
    return sealBytes(this.key(keyVersion), floatBytes(value));
  }

  /** Returns a signed block with every field encrypted. */
  block({ seq, timestamp, keyVersion, values, instead = {} }: SealedContent): BlockInput {
    const key = this.key(keyVersion);
    const sealed: Partial<Record<FieldName, SealedField>> = { ...instead };
    for (const field of FIELD_NAMES) {
      const value = values[field];
      if (value !== undefined && sealed[field] === undefined) sealed[field] = sealBytes(key, floatBytes(value));
    }
    return this.device.block({ seq, timestamp, keyVersion, sealed });
  }
}

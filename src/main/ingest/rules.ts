import { type Block, block, fieldsOf } from '../../shared/protocol/block.ts';
import { type Destination, Disposition, PublishTo } from '../../shared/protocol/codes.ts';
import { deviceNotFound, invalidBlock, invalidSignature, rawJsonMismatch } from '../../shared/protocol/errors.ts';
import { type FieldName, SENSOR_FIELDS } from '../../shared/protocol/fields.ts';
import { agrees, parseRaw, type RawContent } from '../../shared/protocol/raw.ts';
import { compareUint64Text } from '../../shared/protocol/uint64.ts';
import type { RawBinding } from '../settings.ts';
import type { Device } from '../store/devices.ts';
import { toSigned64 } from '../store/readings.ts';
import type { NewReading } from '../store/store.ts';
import type { StoredField, WithheldCause } from '../store/write-jobs.ts';

/**
 * The rules that a block goes through, one function each, in the order in which they apply:
 * 1 checkShape, 2 lookUpDevice, 3 checkSignature, 4 bindToRaw, 5 applyDisposition, 6 isStoredAt.
 */

/** Why a block is refused: the text for its sender, and the cause by which refusals are counted and logged. */
export interface Refusal {
  readonly error: string;
  readonly cause: 'invalid_block' | 'device_not_found' | 'invalid_signature' | 'raw_json_mismatch';
}

/** Rule 1: the shape of the block. */
export function checkShape(sent: unknown): Block | Refusal {
  const result = block.safeParse(sent);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const [field, ...rest] = issue.path;
  const reason = rest.length === 0 ? issue.message : `${rest.join('.')} ${issue.message}`;
  return { error: invalidBlock(String(field ?? 'block'), reason), cause: 'invalid_block' };
}

/** What `lookUpDevice` needs of a store. */
export interface Devices {
  find(id: string): Device | undefined;
}

/** Rule 2: the device must be registered in this endpoint's store. */
export function lookUpDevice(devices: Devices, { deviceId }: Block): Device | Refusal {
  return devices.find(deviceId) ?? { error: deviceNotFound(deviceId.toLowerCase()), cause: 'device_not_found' };
}

/** Rule 3: the signature over the bytes of `raw`, already verified with the registered key. */
export function checkSignature(device: Device, verified: boolean): Refusal | null {
  return verified ? null : { error: invalidSignature(device.id), cause: 'invalid_signature' };
}

/** The numbers of a raw string, by field name. */
export type SignedValues = RawContent['fields'];

/**
 * Rule 4: the JSON must say what was signed. Returns the numbers of the raw string, which are what is stored; null where
 * the raw binds no values (its header alone, or another composition that the setting accepts).
 */
export function bindToRaw(sound: Block, device: Device, binding: RawBinding): SignedValues | null | Refusal {
  if (binding === 'off') return null;
  const raw = parseRaw(Buffer.from(sound.raw, 'hex').toString('latin1'));
  if (raw === null ? binding === 'strict' : !headerAgrees(sound, raw) || !valuesAgree(sound, raw)) {
    return { error: rawJsonMismatch(device.id), cause: 'raw_json_mismatch' };
  }
  return raw === null || raw.fields.size === 0 ? null : raw.fields;
}

function headerAgrees(sound: Block, raw: RawContent): boolean {
  return (
    raw.deviceId.toLowerCase() === sound.deviceId.toLowerCase() &&
    sameInteger(raw.seq, sound.seq) &&
    sameInteger(raw.timestamp, sound.timestamp) &&
    sameInteger(raw.keyVersion, String(sound.keyVersion ?? 0))
  );
}

function sameInteger(written: string, canonical: string): boolean {
  return written === canonical || compareUint64Text(written.replace(/^0+(?=[0-9])/, ''), canonical) === 0;
}

/** A raw with the header alone binds the header alone; else both sides carry the same plain fields and values. */
function valuesAgree(sound: Block, raw: RawContent): boolean {
  if (raw.hasDuplicate) return false;
  if (raw.fields.size === 0) return true;
  for (const { name } of SENSOR_FIELDS) {
    const signed = raw.fields.get(name);
    const sent = sound[name]?.plain;
    if (signed === undefined ? sent !== undefined : sent === undefined || !agrees(signed, sent)) return false;
  }
  return true;
}

/** A value that the policy keeps out, and why. */
export interface Withheld {
  readonly cause: Exclude<WithheldCause, 'publish_to'>;
  readonly field: FieldName;
}

/** The forms of the six fields that may be kept, and what is withheld. */
export interface Disposed {
  readonly fields: readonly StoredField[];
  readonly withheld: readonly Withheld[];
}

/**
 * Rule 5: never a form more revealing than the device's policy for this node. OMIT drops the field, ENCRYPTED drops a
 * value sent in plain, PLAIN keeps a sealed one sealed.
 */
export function applyDisposition(sound: Block, device: Device, signed: SignedValues | null): Disposed {
  const fields: StoredField[] = [null, null, null, null, null, null];
  const withheld: Withheld[] = [];
  for (const [name, input] of fieldsOf(sound)) {
    const index = SENSOR_FIELDS.findIndex((field) => field.name === name);
    const disposition = device.dispositions[index];
    if (disposition === Disposition.OMIT) withheld.push({ cause: 'omit', field: name });
    else if (input.plain === undefined) fields[index] = sealedBytes(input.nonce!, input.cipher!);
    else if (disposition === Disposition.ENCRYPTED) withheld.push({ cause: 'encrypted_only', field: name });
    // Adding 0 turns -0 into 0.
    else fields[index] = (signed?.get(name)?.value ?? input.plain) + 0;
  }
  return { fields, withheld };
}

/** A buffer of its own: a slice of a shared one would carry the whole of it to the writer thread. */
function sealedBytes(nonce: string, cipher: string): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow((nonce.length + cipher.length) / 2);
  bytes.write(nonce, 0, 'hex');
  bytes.write(cipher, nonce.length / 2, 'hex');
  return bytes;
}

/** Rule 6: whether an endpoint's store keeps the readings of a device. */
export function isStoredAt(destination: Destination, publishTo: PublishTo): boolean {
  if (publishTo === PublishTo.BOTH) return true;
  return publishTo === (destination === 'public' ? PublishTo.PUBLIC : PublishTo.LOCAL_ONLY);
}

/** The reading that is stored of a block; `receivedAt` in Unix milliseconds. */
export function toReading(
  sound: Block,
  device: Device,
  fields: readonly StoredField[],
  receivedAt: number,
): NewReading {
  const { seq, timestamp } = sound;
  const [ph = null, ec = null, waterLevel = null, tempWater = null, tempAmbient = null, humidity = null] = fields;
  return {
    seq,
    timestamp,
    row: [
      device.device,
      toSigned64(seq),
      toSigned64(timestamp),
      receivedAt,
      sound.keyVersion ?? 0,
      ph,
      ec,
      waterLevel,
      tempWater,
      tempAmbient,
      humidity,
    ],
  };
}

import { type Block, block, fieldsOf } from '../../shared/protocol/block.ts';
import { Disposition, PublishTo, type StoreName } from '../../shared/protocol/codes.ts';
import { deviceNotFound, invalidBlock, invalidSignature, rawJsonMismatch } from '../../shared/protocol/errors.ts';
import { type FieldName, SENSOR_FIELDS } from '../../shared/protocol/fields.ts';
import { SIGNATURE_BYTES } from '../../shared/protocol/limits.ts';
import { agrees, parseRaw, type RawContent } from '../../shared/protocol/raw.ts';
import { compareUint64Text } from '../../shared/protocol/uint64.ts';
import type { RefusedBlock } from '../common/node-events.ts';
import type { RawBinding } from '../settings/settings.ts';
import type { WithheldCause } from '../store/port.ts';
import type { StoredField, StoredFields } from '../store/reading.ts';
import type { Device } from './device-directory.ts';

/**
 * The rules that a block goes through, one function each, numbered in the order in which they decide:
 * 1 checkShape, 2 lookUpDevice, 3 the signature, 4 bindToRaw, 5 applyDisposition, 6 isStoredIn.
 * Intake runs those that need no signature ahead of it, and 5 only for what 6 keeps; the outcome is the same.
 */

/** Why a block is refused: the text for its sender, and the cause by which refusals are counted and logged. */
export interface Refusal {
  readonly error: string;
  readonly cause: RefusedBlock['cause'];
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

/** The input of `lookUpDevice`: the devices that a batch may name, read before. */
export interface Devices {
  known(id: string): Device | undefined;
}

/** Rule 2: the device must be registered in the store. */
export function lookUpDevice(devices: Devices, { deviceId }: Block): Device | Refusal {
  return devices.known(deviceId) ?? { error: deviceNotFound(deviceId.toLowerCase()), cause: 'device_not_found' };
}

/**
 * Rule 3: the signature over the bytes of `raw` must be good for the registered key. This is what is told where it is not;
 * a verifier thread finds that out, but for a signature of another length than 64 bytes, of which there is nothing to check.
 */
export function badSignature(device: Device): Refusal {
  return { error: invalidSignature(device.id), cause: 'invalid_signature' };
}

/** Whether a signature, in hex, has a length that can be good. */
export function hasSignatureLength({ signature }: Block): boolean {
  return signature.length === SIGNATURE_BYTES * 2;
}

/** The numbers of a raw string, by field name. */
export type SignedValues = RawContent['fields'];

/**
 * Rule 4: the JSON must say what was signed. Returns the numbers of the raw string, which are what is stored; null where
 * the raw binds no values (its header alone, or another composition that the setting accepts).
 */
export function bindToRaw(
  sound: Block,
  device: Pick<Device, 'id'>,
  binding: RawBinding,
): SignedValues | null | Refusal {
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

/** The forms of the fields that may be kept, and what is withheld. */
export interface Disposed {
  readonly fields: StoredFields;
  readonly withheld: readonly Withheld[];
}

/**
 * Rule 5: never a form more revealing than the device's policy for this node. OMIT drops the field, ENCRYPTED drops a
 * value sent in plain, PLAIN keeps a sealed one sealed.
 */
export function applyDisposition(sound: Block, device: Device, signed: SignedValues | null): Disposed {
  const fields = {} as Record<FieldName, StoredField>;
  for (const { name } of SENSOR_FIELDS) fields[name] = null;
  const withheld: Withheld[] = [];
  for (const [name, input] of fieldsOf(sound)) {
    const disposition = device.dispositions[name];
    if (disposition === Disposition.OMIT) withheld.push({ cause: 'omit', field: name });
    else if (input.plain === undefined) fields[name] = sealedBytes(input.nonce!, input.cipher!);
    else if (disposition === Disposition.ENCRYPTED) withheld.push({ cause: 'encrypted_only', field: name });
    // Adding 0 turns -0 into 0.
    else fields[name] = (signed?.get(name)?.value ?? input.plain) + 0;
  }
  return { fields, withheld };
}

function sealedBytes(nonce: string, cipher: string): Uint8Array {
  return Buffer.from(nonce + cipher, 'hex');
}

/**
 * Whether what was signed may be kept beside a reading. A raw string holds its values in plain, and a signature lets anybody
 * try which of a few thousand values was signed: neither is kept where it could show a field that the policy hides.
 */
export function mayKeepSigned(sound: Block, { dispositions }: Pick<Device, 'dispositions'>): boolean {
  if (SENSOR_FIELDS.every(({ name }) => dispositions[name] === Disposition.PLAIN)) return true;
  const raw = parseRaw(Buffer.from(sound.raw, 'hex').toString('latin1'));
  if (raw === null) return false;
  return [...raw.fields.keys()].every((name) => dispositions[name as FieldName] === Disposition.PLAIN);
}

/** Rule 6: whether a store keeps the readings of a device. */
export function isStoredIn(store: StoreName, publishTo: PublishTo): boolean {
  if (publishTo === PublishTo.BOTH) return true;
  return publishTo === (store === 'public' ? PublishTo.PUBLIC : PublishTo.LOCAL_ONLY);
}

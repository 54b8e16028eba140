import { type Block, block, fieldsOf } from '../../shared/protocol/block.ts';
import { Disposition, PublishTo, type StoreName } from '../../shared/protocol/codes.ts';
import { deviceNotFound, invalidBlock, invalidSignature, rawJsonMismatch } from '../../shared/protocol/errors.ts';
import { type FieldName, SENSOR_FIELDS } from '../../shared/protocol/fields.ts';
import { SIGNATURE_BYTES } from '../../shared/protocol/limits.ts';
import { agrees, parseRaw, type RawContent } from '../../shared/protocol/raw.ts';
import type { RefusedBlock } from '../common/node-events.ts';
import type { RawBinding } from '../settings/settings.ts';
import type { WithheldCause } from '../store/counts.ts';
import type { StoredField, StoredFields } from '../store/reading.ts';
import type { Devices, JudgedDevice } from './device-directory.ts';

/**
 * The rules for a block, one function each, numbered in the order in which they decide: 1 checkShape, 2 lookUpDevice, 3
 * the signature, 4 bindToRaw, 5 applyDisposition, 6 isStoredIn. Intake runs the rules that need no signature before
 * rule 3, and rule 5 only for blocks that rule 6 keeps; the outcome is the same.
 */

/**
 * The reason why a block is refused: the text for its sender, and the cause that refusals are counted and logged by.
 */
export interface Refusal {
  readonly error: string;
  readonly cause: RefusedBlock['cause'];
}

/** Returns whether the result of a rule is a refusal. */
export function isRefusal(value: object | null): value is Refusal {
  return value !== null && 'cause' in value;
}

/** Rule 1: the shape of the block. */
export function checkShape(sent: unknown): Block | Refusal {
  const result = block.safeParse(sent);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const [field, member] = issue.path;
  const reason = member === undefined ? issue.message : `${String(member)} ${issue.message}`;
  return { error: invalidBlock(String(field ?? 'block'), reason), cause: 'invalid_block' };
}

/** Rule 2: the device must be registered in the store. */
export function lookUpDevice(devices: Devices, { deviceId }: Block): JudgedDevice | Refusal {
  return devices.known(deviceId) ?? { error: deviceNotFound(deviceId.toLowerCase()), cause: 'device_not_found' };
}

/**
 * Rule 3: the signature over the bytes of `raw` must be valid for the registered key. Returns the refusal for a bad
 * signature. A verifier thread checks signatures; one whose length is not 64 bytes is refused without a check.
 */
export function badSignature(device: JudgedDevice): Refusal {
  return { error: invalidSignature(device.id), cause: 'invalid_signature' };
}

/** Returns whether the signature (hex) has the right length. */
export function hasSignatureLength({ signature }: Block): boolean {
  return signature.length === SIGNATURE_BYTES * 2;
}

/** The numbers in a raw string, by field name. */
export type SignedValues = RawContent['fields'];

/**
 * Rule 4: the JSON must agree with the signed raw string. Returns the numbers of the raw string, which are stored; null
 * if the raw string binds no values (it has only a header, or it has another composition and the setting accepts that).
 */
export function bindToRaw(
  sound: Block,
  device: Pick<JudgedDevice, 'id'>,
  binding: RawBinding,
): SignedValues | null | Refusal {
  if (binding === 'off') return null;
  const raw = rawContent(sound);
  if (raw === null ? binding === 'strict' : !headerAgrees(sound, raw) || !valuesAgree(sound, raw)) {
    return { error: rawJsonMismatch(device.id), cause: 'raw_json_mismatch' };
  }
  return raw === null || raw.fields.size === 0 ? null : raw.fields;
}

/** Returns null if the raw string has another composition. As Latin-1, each sequence of bytes is a text of its own. */
function rawContent({ raw }: Block): RawContent | null {
  return parseRaw(Buffer.from(raw, 'hex').toString('latin1'));
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
  // Nearly all are written without zeros: the pattern takes ten times as long as the comparison.
  return written === canonical || written.replace(/^0+(?=[0-9])/, '') === canonical;
}

/**
 * A raw string with only a header binds only the header. Otherwise both sides must have the same plain fields and
 * values.
 */
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

/** A value that the policy withholds, and the reason. */
export interface Withheld {
  readonly cause: Exclude<WithheldCause, 'publish_to'>;
  readonly field: FieldName;
}

/** The fields in the form that may be stored, and the withheld values. */
export interface Disposed {
  readonly fields: StoredFields;
  readonly withheld: readonly Withheld[];
}

/**
 * Rule 5: a field is never stored in a more revealing form than the device's policy allows for this node. OMIT drops
 * the field, ENCRYPTED drops a value sent in plain, PLAIN keeps a sealed value sealed.
 */
export function applyDisposition(sound: Block, device: JudgedDevice, signed: SignedValues | null): Disposed {
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
 * Returns whether the raw string and the signature may be stored with a reading. The raw string has its values in
 * plain, and with a signature anyone can try out which of a few thousand values was signed. Neither is stored if it
 * could reveal a field that the policy hides.
 */
export function mayKeepSigned(sound: Block, { dispositions }: Pick<JudgedDevice, 'dispositions'>): boolean {
  if (SENSOR_FIELDS.every(({ name }) => dispositions[name] === Disposition.PLAIN)) return true;
  const raw = rawContent(sound);
  if (raw === null) return false;
  return [...raw.fields.keys()].every((name) => dispositions[name as FieldName] === Disposition.PLAIN);
}

/** Rule 6: returns whether a store keeps the readings of a device. */
export function isStoredIn(store: StoreName, publishTo: PublishTo): boolean {
  if (publishTo === PublishTo.BOTH) return true;
  return publishTo === (store === 'public' ? PublishTo.PUBLIC : PublishTo.LOCAL_ONLY);
}

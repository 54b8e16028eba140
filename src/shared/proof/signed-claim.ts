import { hexToBytes } from '../crypto/hex.ts';
import { FIELD_NAMES } from '../protocol/fields.ts';
import { agrees, parseRaw, type RawContent } from '../protocol/raw.ts';
import type { ReadingEntry } from './leaf.ts';
import type { VerifyEd25519 } from './note.ts';
import { Refused } from './proof-format.ts';

/**
 * Checks the device's signature of a reading. Returns whether it covers all plain values; null if no signature is
 * stored. Throws Refused.
 */
export function checkSigned(entry: ReadingEntry, verify: VerifyEd25519): { readonly isAll: boolean } | null {
  if (entry.signed === null) return null;
  const { signature, raw } = entry.signed;
  if (!verify(signature, raw, hexToBytes(entry.device))) {
    throw new Refused('signed', "the signature is not one of the device's key");
  }
  const said = parseRaw(Array.from(raw, (byte) => String.fromCharCode(byte)).join(''));
  if (said !== null && !headerAgrees(said, entry)) {
    throw new Refused('signed', 'the device signed this for another reading');
  }
  const coverage = said === null ? 'none' : coverageOf(said, entry);
  if (coverage === 'other') throw new Refused('signed', 'the device signed other values');
  return { isAll: coverage === 'all' };
}

function headerAgrees(raw: RawContent, { device, seq, timestamp, keyVersion }: ReadingEntry): boolean {
  return (
    raw.deviceId.toLowerCase() === device &&
    BigInt(raw.seq) === BigInt(seq) &&
    BigInt(raw.timestamp) === BigInt(timestamp) &&
    BigInt(raw.keyVersion) === BigInt(keyVersion)
  );
}

/** Returns whether the signed string has all plain values of a reading, not all of them, or different ones. */
function coverageOf(raw: RawContent, { fields }: ReadingEntry): 'all' | 'none' | 'other' {
  let isAll = !raw.hasDuplicate;
  for (const name of FIELD_NAMES) {
    const value = fields.get(name);
    if (typeof value !== 'number') continue;
    const signed = raw.fields.get(name);
    if (signed === undefined) isAll = false;
    else if (!agrees(signed, value)) return 'other';
  }
  return isAll ? 'all' : 'none';
}

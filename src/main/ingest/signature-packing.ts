import { PUBLIC_KEY_BYTES, SIGNATURE_BYTES } from '../../shared/protocol/limits.ts';

/**
 * How signature checks travel to a verifier thread: one buffer, each check as the message's length (uint16, little
 * endian), the public key, the signature, the message.
 */
export const KEY_OFFSET = 2;
export const SIGNATURE_OFFSET = KEY_OFFSET + PUBLIC_KEY_BYTES;
export const MESSAGE_OFFSET = SIGNATURE_OFFSET + SIGNATURE_BYTES;
/** Bytes before the message. */
export const HEADER_BYTES = MESSAGE_OFFSET;

/** One signature to be verified; signature and message in hex, the signature of 64 bytes. */
export interface SignatureCheck {
  readonly publicKey: Buffer;
  readonly signature: string;
  readonly message: string;
}

/** Packs checks into a buffer of their own. */
export function packChecks(checks: readonly SignatureCheck[]): Uint8Array {
  let length = 0;
  for (const { message } of checks) length += HEADER_BYTES + message.length / 2;
  const packed = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const { publicKey, signature, message } of checks) {
    packed.writeUInt16LE(message.length / 2, at);
    publicKey.copy(packed, at + KEY_OFFSET);
    packed.write(signature, at + SIGNATURE_OFFSET, 'hex');
    at += HEADER_BYTES + packed.write(message, at + MESSAGE_OFFSET, 'hex');
  }
  return packed;
}

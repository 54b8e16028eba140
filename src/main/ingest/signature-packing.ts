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

/** One signature to be verified; signature and message in hex. */
export interface SignatureCheck {
  readonly publicKey: Buffer;
  readonly signature: string;
  readonly message: string;
}

/** The checks of one batch, packed one after the other. */
export interface PackedChecks {
  readonly bytes: Buffer;
  /** Where each check begins, and where the last one ends. One whose signature is not 64 bytes long is empty. */
  readonly offsets: Uint32Array;
}

/** Packs checks; nothing of what was given is kept. */
export function packChecks(checks: readonly SignatureCheck[]): PackedChecks {
  let length = 0;
  for (const { message } of checks) length += HEADER_BYTES + message.length / 2;
  const bytes = Buffer.allocUnsafe(length);
  const offsets = new Uint32Array(checks.length + 1);
  let at = 0;
  for (let index = 0; index < checks.length; index += 1) {
    const { publicKey, signature, message } = checks[index]!;
    if (signature.length === SIGNATURE_BYTES * 2) {
      bytes.writeUInt16LE(message.length / 2, at);
      publicKey.copy(bytes, at + KEY_OFFSET);
      bytes.write(signature, at + SIGNATURE_OFFSET, 'hex');
      at += HEADER_BYTES + bytes.write(message, at + MESSAGE_OFFSET, 'hex');
    }
    offsets[index + 1] = at;
  }
  return { bytes, offsets };
}

/** The bytes of the checks from `from` to before `to`. */
export function packedRange({ bytes, offsets }: PackedChecks, from: number, to: number): Buffer {
  return bytes.subarray(offsets[from], offsets[to]);
}

import sodium from 'sodium-native';
import { KEY_OFFSET, MESSAGE_OFFSET, SIGNATURE_OFFSET } from './signature-packing.ts';

/** Whether the signature of one packed check is good. For worker threads: it takes some 50 µs. */
export function isGood(check: Uint8Array): boolean {
  const bytes = Buffer.from(check.buffer, check.byteOffset, check.byteLength);
  const signature = bytes.subarray(SIGNATURE_OFFSET, MESSAGE_OFFSET);
  const publicKey = bytes.subarray(KEY_OFFSET, SIGNATURE_OFFSET);
  return sodium.crypto_sign_verify_detached(signature, bytes.subarray(MESSAGE_OFFSET), publicKey);
}

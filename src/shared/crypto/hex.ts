/** Bytes to lowercase hex, and hex of any case to bytes (throws on odd lengths and other characters). */
export { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';

/**
 * Converts bytes to lowercase hex, hex of any case to bytes (throws on odd lengths and other characters), and text to
 * UTF-8.
 */
export { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

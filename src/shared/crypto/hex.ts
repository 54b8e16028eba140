import { bytesToHex as portable } from '@noble/hashes/utils.js';

/**
 * Converts bytes to lowercase hex, hex of any case to bytes (throws on odd lengths and other characters), and text to
 * UTF-8.
 */
export { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/** Node's own, which takes a tenth of the time and of the garbage; browsers have none. */
const { Buffer: NodeBuffer } = globalThis as unknown as { readonly Buffer?: NodeBytes };

interface NodeBytes {
  from(memory: ArrayBufferLike, offset: number, length: number): { toString(encoding: 'hex'): string };
}

export const bytesToHex: typeof portable =
  NodeBuffer === undefined
    ? portable
    : ({ buffer, byteOffset, byteLength }) => NodeBuffer.from(buffer, byteOffset, byteLength).toString('hex');

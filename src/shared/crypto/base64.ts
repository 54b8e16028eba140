const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Map([...ALPHABET].map((letter, value) => [letter, value]));

/**
 * Encodes bytes as padded base64. Some browsers that the owner's view supports lack `Uint8Array.prototype.toBase64`.
 */
export function bytesToBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 3) {
    const group = (bytes[at]! << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    const letters = [18, 12, 6, 0].map((shift) => ALPHABET[(group >> shift) & 63]!);
    const used = Math.min(3, bytes.length - at) + 1;
    parts.push(letters.slice(0, used).join('').padEnd(4, '='));
  }
  return parts.join('');
}

/** Decodes padded base64. Throws RangeError on any other text; the error does not quote it. */
export function base64ToBytes(text: string): Uint8Array {
  const letters = text.replace(/={1,2}$/, '');
  if (text.length % 4 !== 0) throw new RangeError('no padded base64');
  const bytes = new Uint8Array(Math.floor((letters.length * 3) / 4));
  let at = 0;
  let bits = 0;
  let waiting = 0;
  for (const letter of letters) {
    const value = VALUES.get(letter);
    if (value === undefined) throw new RangeError('no padded base64');
    waiting = ((waiting << 6) | value) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at] = (waiting >> bits) & 0xff;
      at += 1;
    }
  }
  return bytes;
}

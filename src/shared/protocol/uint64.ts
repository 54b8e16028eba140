/** The largest unsigned 64-bit integer. */
export const MAX_UINT64 = 18446744073709551615n;

const CANONICAL = /^(?:0|[1-9][0-9]{0,19})$/;
const MAX_UINT64_TEXT = MAX_UINT64.toString();

/**
 * Returns whether the text is `0` or `[1-9][0-9]*` up to 2^64-1: the only valid form of a `seq` or `timestamp` in a
 * block.
 */
export function isUint64Text(text: string): boolean {
  return CANONICAL.test(text) && (text.length < MAX_UINT64_TEXT.length || text <= MAX_UINT64_TEXT);
}

/**
 * Compares two canonical uint64 texts by value: negative, zero or positive if `a` is less than, equal to or greater
 * than `b`.
 */
export function compareUint64Text(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

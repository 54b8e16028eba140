/**
 * The tags of Chromium's Linux key providers that use a key of this user: `v11` is the secret service or KWallet, `v12`
 * the secret portal. `v10` is the fallback if none of them answers; its key is publicly known. Text without a tag is
 * plain text.
 */
const SAFE_TAGS: readonly string[] = ['v11', 'v12'];
const TAG_BYTES = 3;

/** Returns whether only this user can open a text that `safeStorage` sealed. On Linux it may use a public key. */
export function isSealedSafely(sealed: Uint8Array, platform: NodeJS.Platform): boolean {
  return platform !== 'linux' || SAFE_TAGS.includes(Buffer.from(sealed.subarray(0, TAG_BYTES)).toString('latin1'));
}

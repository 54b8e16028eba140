/**
 * The tags of Chromium's Linux key providers that have a key of this user: `v11` the secret service or KWallet, `v12` the
 * secret portal. `v10` is its fallback where none of them answers, with a key that everyone knows; what has no tag is
 * plain text to it.
 */
const SAFE_TAGS: readonly string[] = ['v11', 'v12'];
const TAG_BYTES = 3;

/** Whether nobody but this user can open what `safeStorage` sealed: on Linux it seals with a public key, too. */
export function isSealedSafely(sealed: Uint8Array, platform: NodeJS.Platform): boolean {
  return platform !== 'linux' || SAFE_TAGS.includes(Buffer.from(sealed.subarray(0, TAG_BYTES)).toString('latin1'));
}

/**
 * The keyrings that Linux may have. What Electron names is a guess from the desktop environment, so it can only rule a
 * storage out; a name that is none of these is not trusted.
 */
const KEYRINGS: readonly string[] = ['gnome_libsecret', 'kwallet', 'kwallet5', 'kwallet6'];
/**
 * The tags of Chromium's Linux key providers that have a key of this user: `v11` the secret service or KWallet, `v12` the
 * secret portal. `v10` is its fallback where none of them answers, with a key that everyone knows; what has no tag is
 * plain text to it.
 */
const SAFE_TAGS: readonly string[] = ['v11', 'v12'];
const TAG_BYTES = 3;

/** Whether keys may be given to a storage of this name; only Linux has several. */
export function isKeyring(name: string): boolean {
  return KEYRINGS.includes(name);
}

/** Whether nobody but this user can open what `safeStorage` sealed: on Linux it seals with a public key, too. */
export function isSealedSafely(sealed: Uint8Array, platform: NodeJS.Platform): boolean {
  return platform !== 'linux' || SAFE_TAGS.includes(Buffer.from(sealed.subarray(0, TAG_BYTES)).toString('latin1'));
}

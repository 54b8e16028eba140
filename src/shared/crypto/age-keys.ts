import { bech32 } from '@scure/base';

/** Returns whether a text is an age recipient of the kind that backups use (X25519). */
export function isBackupRecipient(text: string): boolean {
  return isBech32(text, 'age') && text === text.toLowerCase();
}

/** Returns whether a text is an age identity of the kind that backups use. */
export function isBackupIdentity(text: string): boolean {
  return isBech32(text, 'age-secret-key-') && text === text.toUpperCase();
}

function isBech32(text: string, prefix: string): boolean {
  const decoded = bech32.decodeUnsafe(text as `${string}1${string}`);
  if (decoded === undefined || decoded.prefix !== prefix) return false;
  return bech32.fromWordsUnsafe(decoded.words)?.length === 32;
}

import type { OwnerApi } from '../../../shared/owner-api/contract.ts';

/** The keystore file, as read from the node. */
export interface KeyFile {
  readonly bytes: Uint8Array | null;
  /** The file as it was before the last write. */
  readonly previous: Uint8Array | null;
  readonly revision: string | null;
}

/** How an existing file is handled by a write. */
export interface Replaced {
  /** A damaged file is moved aside; otherwise it is not replaced. */
  readonly replaceDamaged?: boolean;
  /** The file is another keystore, which is kept for good. */
  readonly keepReplaced?: boolean;
}

/** Reads the file. Rejects with an ApiError. */
export async function readKeyFile(api: OwnerApi): Promise<KeyFile> {
  const { blob, previous, revision } = await api.call('readKeystore', {});
  return { bytes: fromBase64(blob), previous: fromBase64(previous), revision };
}

/**
 * Writes the file over the one of that revision. Returns the new revision. Rejects with an ApiError; `conflict` if the
 * file has changed or is damaged.
 */
export async function writeKeyFile(
  api: OwnerApi,
  bytes: Uint8Array,
  expectedRevision: string | null,
  { replaceDamaged = false, keepReplaced = false }: Replaced,
): Promise<string | null> {
  const input = { blob: toBase64(bytes), expectedRevision, replaceDamaged, keepReplaced };
  return (await api.call('writeKeystore', input)).revision;
}

function fromBase64(text: string | null): Uint8Array | null {
  return text === null ? null : Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  // A few thousand bytes at a time, as each is an argument of the call.
  for (let at = 0; at < bytes.length; at += 4096) binary += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return btoa(binary);
}

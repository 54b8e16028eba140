import type { OwnerApi } from '../../../shared/owner-api/contract.ts';

/** The keystore's file as the node gave it. */
export interface KeyFile {
  readonly bytes: Uint8Array | null;
  /** The file before the last write. */
  readonly previous: Uint8Array | null;
  readonly revision: string | null;
}

/** The actions on the file that is there. */
export interface Replaced {
  /** A damaged one is moved aside; else it is not replaced. */
  readonly replaceDamaged?: boolean;
  /** It is another keystore, to be kept for good. */
  readonly keepReplaced?: boolean;
}

/** Reads the file. Rejects with an ApiError. */
export async function readKeyFile(api: OwnerApi): Promise<KeyFile> {
  const { blob, previous, revision } = await api.call('readKeystore', {});
  return { bytes: fromBase64(blob), previous: fromBase64(previous), revision };
}

/**
 * Writes the file in the place of the one of that revision; answers the new revision. Rejects with an ApiError, `conflict`
 * where another file is there meanwhile, or a damaged one.
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
  // A few thousand at a time: each is an argument of the call.
  for (let at = 0; at < bytes.length; at += 4096) binary += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return btoa(binary);
}

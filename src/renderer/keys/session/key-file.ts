import type { OwnerApi } from '../../../shared/owner-api/contract.ts';
import { errorCode } from '../../api/errors.ts';
import { type Replaced, writeKeyFile } from '../../api/queries/keystore.ts';
import { KeySessionError } from '../types.ts';

/**
 * Replaces the file of that revision and resolves with the new revision. Rejects with an ApiError, or with
 * KeySessionError if there is another file now (`changed`) or a damaged one (`damaged`).
 */
export async function replaceKeyFile(
  api: OwnerApi,
  bytes: Uint8Array,
  expectedRevision: string | null,
  replaced: Replaced,
): Promise<string | null> {
  try {
    return await writeKeyFile(api, bytes, expectedRevision, replaced);
  } catch (error) {
    if (errorCode(error) !== 'conflict') throw error;
    throw new KeySessionError(/damaged/.test((error as Error).message) ? 'damaged' : 'changed');
  }
}

/** Returns whether a write was refused because of the existing file. */
export function isConflict(error: unknown): boolean {
  return error instanceof KeySessionError && (error.code === 'changed' || error.code === 'damaged');
}

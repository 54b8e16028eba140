import { backupIdentity } from '../../../shared/crypto/backup-key.ts';
import { deriveOwner, wipeOwner } from '../../../shared/crypto/phrase/owner-key.ts';
import { usableSecret } from './phrases.ts';
import type { Operations, TypedSecret } from './protocol.ts';

/** The key of backups of a typed phrase or seed: of a phrase by its standard derivation. */
export async function backupKey(secret: TypedSecret): Promise<Operations['backupKey']['output']> {
  const owner = deriveOwner('typed', await usableSecret(secret));
  try {
    const identity = backupIdentity(owner.keys[0]!.seed);
    const { identityToRecipient } = await import('age-encryption');
    return { identity, recipient: await identityToRecipient(identity) };
  } finally {
    wipeOwner(owner);
  }
}

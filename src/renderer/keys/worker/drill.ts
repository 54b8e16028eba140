import { hexToBytes } from '../../../shared/crypto/hex.ts';
import { openField } from '../../../shared/crypto/keyring/field-cipher.ts';
import { deriveFieldKey } from '../../../shared/crypto/keyring/field-key.ts';
import { deriveOwner, matchOwner, wipeOwner } from '../../../shared/crypto/phrase/owner-key.ts';
import { usableSecret } from './phrases.ts';
import type { DrillResult, Operations } from './protocol.ts';
import type { Vault } from './vault.ts';

/**
 * Tests a typed phrase: derives its keys, compares them with those of the stored one, and opens sealed values of
 * devices with field keys derived from the typed phrase alone.
 */
export async function drill(
  vault: Vault,
  { secretId, secret, devices }: Operations['drill']['input'],
): Promise<DrillResult> {
  const kept = vault.secret(secretId);
  const typed = deriveOwner('typed', await usableSecret(secret));
  const keys = typed.keys.map(({ derivation, publicKey }) => ({ derivation, publicKey }));
  const keptKeys = vault.ownerOf(kept).keys;
  const isSame = keys.length === keptKeys.length && keys.every((key, at) => key.publicKey === keptKeys[at]!.publicKey);
  const found = devices.flatMap(({ id, ownerPubkey, sealed }) => {
    const { match } = matchOwner([typed], ownerPubkey);
    if (match === null) return [];
    const opened = sealed.filter(({ keyVersion, cipher, nonce }) => {
      const key = deriveFieldKey(match.key.seed, hexToBytes(id), keyVersion);
      return openField(key, hexToBytes(cipher), hexToBytes(nonce)).ok;
    });
    return [{ id, opened: opened.length, sealed: sealed.length }];
  });
  wipeOwner(typed);
  return { isSame, keys, devices: found };
}

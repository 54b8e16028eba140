import type { PublicOwnerKey, SecretView } from '../types.ts';

/** Returns the kept phrase or seed that has exactly these public keys; null if there is none. */
export function secretWithKeys(secrets: readonly SecretView[], keys: readonly PublicOwnerKey[]): SecretView | null {
  const has = (kept: readonly PublicOwnerKey[]) =>
    kept.length === keys.length && keys.every(({ publicKey }, at) => publicKey === kept[at]!.publicKey);
  return keys.length === 0 ? null : (secrets.find((each) => has(each.keys)) ?? null);
}

/** Returns the first digits of a phrase's owner key, which tell it apart from others. */
export function keyDigits({ keys }: SecretView): string {
  return `${keys[0]?.publicKey.slice(0, 8) ?? ''}…`;
}

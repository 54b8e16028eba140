import type { PublicOwnerKey, SecretView } from '../types.ts';

/** Which of the kept phrases and seeds has exactly these public keys; null: none. */
export function secretWithKeys(secrets: readonly SecretView[], keys: readonly PublicOwnerKey[]): SecretView | null {
  const has = (kept: readonly PublicOwnerKey[]) =>
    kept.length === keys.length && keys.every(({ publicKey }, at) => publicKey === kept[at]!.publicKey);
  return keys.length === 0 ? null : (secrets.find((each) => has(each.keys)) ?? null);
}

/** The first digits of its owner key, by which a phrase is told from others. */
export function keyDigits({ keys }: SecretView): string {
  return `${keys[0]?.publicKey.slice(0, 8) ?? ''}…`;
}

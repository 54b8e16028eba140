import { expect, it } from 'vitest';
import type { SecretView } from '../types.ts';
import { keyDigits, secretWithKeys } from './entered-secret.ts';

const secret = (id: string, ...publicKeys: string[]) =>
  ({ id, keys: publicKeys.map((publicKey) => ({ derivation: 'standard', publicKey })) }) as unknown as SecretView;

it('finds the kept phrase by all of its public keys', () => {
  const [one, other] = [secret('one', 'aa'.repeat(32), 'bb'.repeat(32)), secret('other', 'cc'.repeat(32))];
  expect(secretWithKeys([one, other], other.keys)).toBe(other);
  expect(secretWithKeys([one, other], one.keys.slice(0, 1))).toBeNull();
  expect(secretWithKeys([one, other], [])).toBeNull();
  expect(keyDigits(other)).toBe('cccccccc…');
});

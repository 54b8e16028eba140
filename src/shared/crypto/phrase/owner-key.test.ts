import { describe, expect, it } from 'vitest';
import vectors from '../../../../test/vectors.json' with { type: 'json' };
import { publicKeyOf } from '../ed25519.ts';
import { bytesToHex } from '../hex.ts';
import { createPhraseIn, LANGUAGES } from './languages.ts';
import { deriveOwner, matchOwner, wipeOwner } from './owner-key.ts';

const phrase = { kind: 'phrase', phrase: vectors.mnemonic } as const;

describe('matchOwner', () => {
  const spanish = { kind: 'phrase', phrase: vectors.otherLanguages[0]!.mnemonic } as const;
  const seed = { kind: 'seed', seedHex: 'A5'.repeat(32) } as const;
  const owners = [deriveOwner('english', phrase), deriveOwner('spanish', spanish), deriveOwner('seed', seed)];
  const ofSpanish = vectors.otherLanguages[0]!;

  it.each([
    ['english', 'standard', vectors.standardDerivation.publicKey],
    ['english', 'firmware', vectors.firmwareDerivation.publicKey],
    ['spanish', 'standard', ofSpanish.standardDerivation.publicKey],
    ['spanish', 'firmware', ofSpanish.firmwareDerivation.publicKey.toUpperCase()],
    ['seed', 'seed', bytesToHex(publicKeyOf(new Uint8Array(32).fill(0xa5)))],
  ])('finds the secret %s by its %s derivation', (secretId, derivation, ownerPubkey) => {
    const { match } = matchOwner(owners, ownerPubkey);
    expect([match?.secretId, match?.key.derivation]).toEqual([secretId, derivation]);
    expect(bytesToHex(publicKeyOf(match!.key.seed))).toBe(ownerPubkey.toLowerCase());
  });

  it('finds no key of a stranger, and returns every public key that it tried', () => {
    const { match, tried } = matchOwner(owners, 'ee'.repeat(32));
    expect(match).toBeNull();
    expect(tried.map(({ secretId, derivation }) => `${secretId} ${derivation}`)).toEqual([
      'english standard',
      'english firmware',
      'spanish standard',
      'spanish firmware',
      'seed seed',
    ]);
    expect(tried[1]!.publicKey).toBe(vectors.firmwareDerivation.publicKey);
  });

  it.each(LANGUAGES)('finds a device with its own phrase in %s', async (language) => {
    const made = { kind: 'phrase', phrase: await createPhraseIn(language) } as const;
    const owner = deriveOwner('made', made);
    const { match } = matchOwner([...owners, owner], owner.keys[1]!.publicKey);
    expect(match).toMatchObject({ secretId: 'made', key: { derivation: 'firmware' } });
  });
});

describe('deriveOwner', () => {
  it.each(['', 'ab', 'zz'.repeat(32), 'ab'.repeat(33)])('refuses the seed %j without quoting it', (seedHex) => {
    expect(() => deriveOwner('x', { kind: 'seed', seedHex })).toThrow(/^a seed is 64 hex digits$/);
  });

  it('has both keys of a phrase, and the one key of a seed in hex of any case', () => {
    const derivations = deriveOwner('x', phrase).keys.map(({ derivation }) => derivation);
    expect(derivations).toEqual(['standard', 'firmware']);
    const seed = new Uint8Array(32).fill(0xa5);
    const key = { derivation: 'seed', seed, publicKey: bytesToHex(publicKeyOf(seed)) };
    for (const seedHex of ['a5'.repeat(32), 'A5'.repeat(32)]) {
      expect(deriveOwner('x', { kind: 'seed', seedHex })).toEqual({ secretId: 'x', keys: [key] });
    }
  });

  it('is wiped on request', () => {
    const owner = deriveOwner('x', phrase);
    wipeOwner(owner);
    expect(owner.keys.map(({ seed }) => bytesToHex(seed))).toEqual(['00'.repeat(32), '00'.repeat(32)]);
  });
});

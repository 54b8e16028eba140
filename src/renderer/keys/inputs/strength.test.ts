import { describe, expect, it } from 'vitest';
import { passphraseStrength } from './strength.ts';

describe('passphraseStrength', () => {
  it.each([
    ['', 'short'],
    ['seven77', 'short'],
    ['aaaaaaaaaaaaaaaaaa', 'weak'],
    ['password', 'weak'],
    ['Password1', 'weak'],
    ['12345678', 'weak'],
    ['green house pump', 'weak'],
    ['green house pump well', 'fair'],
    ['green house pump well under orchard', 'strong'],
    ['k7#Qv9!zWp2x', 'strong'],
  ] as const)('calls %j %s', (text, expected) => {
    expect(passphraseStrength(text)).toBe(expected);
  });
});

import { describe, expect, it } from 'vitest';
import { passphraseStrength } from './strength.ts';

describe('passphraseStrength', () => {
  it.each([
    ['', 'short'],
    ['seven77', 'short'],
    ['aaaaaaaaaaaaaaaaaa', 'weak'],
    ['password', 'weak'],
    ['Password1!', 'weak'],
    ['12345678', 'weak'],
    ['qwertyuiopasdf', 'weak'],
    ['senha123', 'weak'],
    ['contraseña2024', 'weak'],
    ['João2020!', 'weak'],
    ['wellhouse', 'weak'],
    ['green house pump', 'fair'],
    ['k7#Qv9!zWp2x', 'fair'],
    ['green house pump well under orchard', 'strong'],
    ['minha horta verde linda', 'strong'],
  ] as const)('calls %j %s', async (text, expected) => {
    expect(await passphraseStrength(text)).toBe(expected);
  });
});

import { describe, expect, it } from 'vitest';
import { isSealedSafely } from './sealed.ts';

const sealed = (text: string) => new TextEncoder().encode(text);

describe('isSealedSafely', () => {
  it.each(['v11sealed', 'v12sealed'])('takes what a key of the user sealed on Linux: %s', (text) => {
    expect(isSealedSafely(sealed(text), 'linux')).toBe(true);
  });

  it.each(['v10sealed', 'plain text', 'v1', ''])('refuses what anyone opens on Linux: %j', (text) => {
    expect(isSealedSafely(sealed(text), 'linux')).toBe(false);
  });

  it('leaves macOS and Windows, where v10 is the tag of the one provider', () => {
    expect(isSealedSafely(sealed('v10sealed'), 'darwin')).toBe(true);
    expect(isSealedSafely(sealed('v10sealed'), 'win32')).toBe(true);
  });
});

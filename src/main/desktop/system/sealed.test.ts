import { describe, expect, it } from 'vitest';
import { isSealedSafely } from './sealed.ts';

const sealed = (text: string) => new TextEncoder().encode(text);

describe('isSealedSafely', () => {
  it.each(['v11sealed', 'v12sealed'])('accepts text that was sealed with the user’s key on Linux: %s', (text) => {
    expect(isSealedSafely(sealed(text), 'linux')).toBe(true);
  });

  it.each(['v10sealed', 'plain text', 'v1', ''])('refuses text that anyone can open on Linux: %j', (text) => {
    expect(isSealedSafely(sealed(text), 'linux')).toBe(false);
  });

  it('accepts all text on macOS and Windows, where v10 is the only provider’s tag', () => {
    expect(isSealedSafely(sealed('v10sealed'), 'darwin')).toBe(true);
    expect(isSealedSafely(sealed('v10sealed'), 'win32')).toBe(true);
  });
});

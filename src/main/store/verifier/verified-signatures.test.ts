import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VerifiedSignatures } from './verified-signatures.ts';

const SIGNATURE = 'ab'.repeat(64);

describe('VerifiedSignatures', () => {
  it('contain exactly the added keys, signatures and messages', () => {
    const verified = new VerifiedSignatures();
    verified.add(SIGNATURE, 'key, signature and message');
    expect(verified.has(SIGNATURE, 'key, signature and message')).toBe(true);
    expect(verified.has(SIGNATURE.toUpperCase(), 'key, signature and message')).toBe(true);
    expect(verified.has(SIGNATURE, 'key, signature and another message')).toBe(false);
    expect(verified.has('cd'.repeat(64), 'key, signature and message')).toBe(false);
  });

  it('contain nothing at first', () => {
    const verified = new VerifiedSignatures();
    expect([verified.isEmpty, verified.has(SIGNATURE, '')]).toEqual([true, false]);
  });

  it('contain nothing that was not added', () => {
    const pair = fc.tuple(fc.stringMatching(/^[0-9a-f]{4}$/), fc.string({ maxLength: 3 }));
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 20 }), pair, (added, [signature, check]) => {
        const verified = new VerifiedSignatures();
        const last = new Map<string, string>();
        for (const [each, message] of added) {
          verified.add(each, message);
          last.set(each, message);
        }
        expect(verified.has(signature, check)).toBe(last.get(signature) === check);
        expect(verified.isEmpty).toBe(added.length === 0);
      }),
    );
  });

  it('keep the newest few thousand, and drop the oldest', () => {
    const verified = new VerifiedSignatures();
    const add = (from: number, to: number) => {
      for (let each = from; each < to; each += 1) verified.add(each.toString(16), String(each));
    };
    const has = (each: number) => verified.has(each.toString(16), String(each));
    add(0, 2049);
    expect([has(0), has(2048)]).toEqual([true, true]);
    add(2049, 4097);
    expect([has(0), has(2047), has(2048), has(4096)]).toEqual([false, false, true, true]);
    expect(verified.isEmpty).toBe(false);
  });
});

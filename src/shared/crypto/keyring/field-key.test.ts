import { hkdfSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import vectors from '../../../../test/vectors.json' with { type: 'json' };
import { bytesToHex, hexToBytes } from '../hex.ts';
import { deriveFieldKey } from './field-key.ts';

const { device, ...derivations } = vectors.fieldKeys;
const seeds = { standard: vectors.standardDerivation.seed, firmware: vectors.firmwareDerivation.seed };

describe('deriveFieldKey', () => {
  const known = (['standard', 'firmware'] as const).flatMap((derivation) =>
    Object.entries(derivations[derivation]).map(([version, key]) => ({ derivation, version: Number(version), key })),
  );

  it('has known answers for both derivations and two versions', () => {
    expect(known).toHaveLength(4);
  });

  it.each(known)('derives the $derivation key of version $version of the vectors', (row) => {
    const key = deriveFieldKey(hexToBytes(seeds[row.derivation]), hexToBytes(device), row.version);
    expect(bytesToHex(key)).toBe(row.key);
  });

  it('matches node:crypto’s HKDF-SHA-256, for any seed, device and version', () => {
    const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(bytes32, bytes32, fc.integer({ min: 0, max: 0xffff_ffff }), (seed, deviceKey, version) => {
        const expected = Buffer.from(hkdfSync('sha256', seed, deviceKey, `field-key/v${version}`, 32));
        expect(bytesToHex(deriveFieldKey(seed, deviceKey, version))).toBe(expected.toString('hex'));
      }),
    );
  });

  const bytes32 = new Uint8Array(32);

  it.each([-1, 1.5, 2 ** 32, Number.NaN])('refuses key version %d', (version) => {
    expect(() => deriveFieldKey(bytes32, bytes32, version)).toThrow(RangeError);
  });

  it('refuses keys of another length', () => {
    expect(() => deriveFieldKey(new Uint8Array(64), bytes32, 0)).toThrow(RangeError);
    expect(() => deriveFieldKey(bytes32, new Uint8Array(31), 0)).toThrow(RangeError);
  });
});

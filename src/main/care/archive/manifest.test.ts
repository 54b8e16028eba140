import { expect, it } from 'vitest';
import { newManifest, readManifest } from './manifest.ts';

const SUMMARY = { node: { publicKey: 'ab'.repeat(32), host: 'pi', dataDir: '/data' } } as const;

/** Returns the bytes of a manifest with so many members. */
function bytesOf(count: number): Uint8Array {
  const members = Array.from({ length: count }, (_, at) => ({
    name: `keystore.wellhouse.kept-${at}`,
    bytes: 0,
    sha256: 'ab'.repeat(32),
  }));
  const stores = { private: { version: 1, devices: 0, readings: 0, lastReceivedAt: null, rows: {} }, public: null };
  const contents = {
    ...SUMMARY,
    stores,
    members,
    madeAt: '2026-01-01T00:00:00Z',
    reason: 'demand',
    program: '1',
  } as const;
  return Buffer.from(JSON.stringify(newManifest(contents)));
}

it('has as many members as the photos and files of a full node, and no more than ten thousand', () => {
  expect(readManifest(bytesOf(10_000)).members).toHaveLength(10_000);
  expect(() => readManifest(bytesOf(10_001))).toThrow('its manifest has a wrong members');
});

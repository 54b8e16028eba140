import { describe, expect, it } from 'vitest';
import { withChecksum, withoutChecksum } from './checksum.ts';

/** The SHA-256 of `abc` is a known answer of FIPS 180-2. */
const WHOLE = Buffer.concat([
  Buffer.from('abc'),
  // RFC 8878, 3.1.2: the magic number of a skippable frame and its size, both little-endian.
  Buffer.from('502a4d1820000000', 'hex'),
  Buffer.from('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad', 'hex'),
]);

async function* inChunks(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
async function all(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe.each([1, 2, 7, 39, 40, 41, 100])('in chunks of %i bytes', (size) => {
  it('the checksum is a frame that zstd skips, with the SHA-256 of the bytes before it', async () => {
    expect((await all(withChecksum(inChunks(Buffer.from('abc'), size)))).toString('hex')).toBe(WHOLE.toString('hex'));
    expect((await all(withoutChecksum(inChunks(WHOLE, size)))).toString()).toBe('abc');
  });

  it('no bytes at all have a checksum, too', async () => {
    const bytes = await all(withChecksum(inChunks(new Uint8Array(0), size)));
    expect(bytes).toHaveLength(40);
    expect(await all(withoutChecksum(inChunks(bytes, size)))).toHaveLength(0);
  });

  it('a changed, missing or additional byte is damage', async () => {
    const fault = {
      fault: 'damaged',
      message: 'the backup is damaged or cut off: its checksum does not match its contents',
    };
    const damaged = [
      ...Array.from(WHOLE, (byte, at) => WHOLE.with(at, byte ^ 1)),
      ...[WHOLE.subarray(1), WHOLE.subarray(0, -1), Buffer.concat([WHOLE, Buffer.from([0])]), new Uint8Array(0)],
    ];
    for (const bytes of damaged) await expect(all(withoutChecksum(inChunks(bytes, size)))).rejects.toMatchObject(fault);
  });
});

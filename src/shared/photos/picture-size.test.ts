import fc from 'fast-check';
import { expect, it } from 'vitest';
import { drawnJpeg } from '../../../scripts/drawn-jpeg.ts';
import { pictureSize } from './picture-size.ts';

const bytesOf = (...parts: readonly (string | readonly number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => [...(typeof part === 'string' ? Buffer.from(part, 'latin1') : part)]));
const PNG = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR';

it.each([
  ['a JPEG', drawnJpeg(2, 3, () => [9, 9, 9]), { type: 'image/jpeg', width: 16, height: 24 }],
  ['a PNG', bytesOf(PNG, [0, 0, 0, 5, 0, 0, 0, 7], '0123456789'), { type: 'image/png', width: 5, height: 7 }],
  [
    'a PNG that says it is huge',
    bytesOf(PNG, [0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff], '0123456789'),
    { type: 'image/png', width: 0x7fff_ffff, height: 0x7fff_ffff },
  ],
  [
    'an extended WebP',
    bytesOf('RIFF....WEBPVP8X........', [9, 1, 0], [0xff, 0xff, 0xff]),
    { type: 'image/webp', width: 266, height: 0x100_0000 },
  ],
  [
    'a lossless WebP',
    bytesOf('RIFF....WEBPVP8L.....', [0x09, 0xc0, 0x04, 0], '.....'),
    { type: 'image/webp', width: 10, height: 20 },
  ],
  [
    'a lossy WebP',
    bytesOf('RIFF....WEBPVP8 ..........', [64, 1, 240, 0]),
    { type: 'image/webp', width: 320, height: 240 },
  ],
  ['an SVG', bytesOf('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">'), null],
  ['a page', bytesOf('<!doctype html><title>photo.jpg</title>, and more than thirty bytes'), null],
  ['a GIF', bytesOf('GIF89a', [1, 0, 1, 0], 'and more than thirty bytes after it'), null],
  ['a JPEG that is cut off', drawnJpeg(2, 3, () => [9, 9, 9]).subarray(0, 80), null],
])('the size of %s is read before it is decoded', (_what, bytes, size) => {
  expect(pictureSize(bytes)).toEqual(size);
});

it('reads any bytes without an error', () => {
  const starts = ['', PNG, 'RIFF....WEBPVP8X', 'RIFF....WEBPVP8L', 'RIFF....WEBPVP8 ', '\xff\xd8\xff'];
  fc.assert(
    fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 60 }), (start, tail) => {
      const found = pictureSize(bytesOf(start, [...tail]));
      if (found !== null) expect(Math.min(found.width, found.height)).toBeGreaterThan(0);
    }),
  );
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawnJpeg } from '../../../scripts/drawn-jpeg.ts';
import { frameSize, readJpeg, withoutMetadata } from './jpeg.ts';
import { PHOTO_BOUNDS } from './photo-limits.ts';

const photo = drawnJpeg(4, 3, (column, row) => [column * 60, row * 80, 90]);
const read = (bytes: Uint8Array) => readJpeg(bytes, PHOTO_BOUNDS);
const bytesOf = (...parts: readonly (string | readonly number[] | Uint8Array)[]) =>
  Uint8Array.from(parts.flatMap((part) => [...(typeof part === 'string' ? Buffer.from(part, 'latin1') : part)]));
/** Returns the photo with a segment after its start. */
const withSegment = (marker: number, content: string) =>
  bytesOf(photo.subarray(0, 2), [0xff, marker, 0, content.length + 2], content, photo.subarray(2));
/** Returns the photo with changed bytes; `offset` counts from the first byte after a marker. */
const changed = (marker: number, offset: number, ...values: readonly number[]) => {
  const at = photo.findIndex((byte, index) => byte === 0xff && photo[index + 1] === marker);
  const bytes = Uint8Array.from(photo);
  bytes.set(values, at + 2 + offset);
  return bytes;
};

describe('a photo', () => {
  it('has its size', () => {
    expect(read(photo)).toEqual({ width: 32, height: 24 });
    expect(frameSize(photo)).toEqual({ width: 32, height: 24 });
  });

  it.each([
    ['nothing', bytesOf(), 'notJpeg'],
    ['a PNG', bytesOf([0x89], 'PNG\r\n\x1a\n'), 'notJpeg'],
    ['an SVG', bytesOf('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'notJpeg'],
    ['a page', bytesOf('<!doctype html><script>alert(1)</script>'), 'notJpeg'],
    ['a page behind the first bytes', bytesOf([0xff, 0xd8, 0xff], '<script>alert(1)</script>'), 'damaged'],
    ['one that is cut off', photo.subarray(0, -2), 'damaged'],
    ['one without a picture', bytesOf([0xff, 0xd8, 0xff, 0xd9]), 'damaged'],
    ['a picture behind the picture', bytesOf(photo, photo), 'damaged'],
    ['an archive behind it', bytesOf(photo, 'PK\x05\x06'), 'damaged'],
    ['EXIF', withSegment(0xe1, 'Exif\0\0'), 'metadata'],
    ['a comment', withSegment(0xfe, '<script>'), 'metadata'],
    ['a second JFIF with a small picture', withSegment(0xe0, 'JFXX\0\x10'), 'metadata'],
    ['65,535 × 65,535 pixels', changed(0xc0, 3, 0xff, 0xff, 0xff, 0xff), 'tooLarge'],
    ['2049 pixels', changed(0xc0, 3, 8, 1), 'tooLarge'],
    ['no pixels', changed(0xc0, 3, 0, 0), 'damaged'],
    ['four colours', changed(0xc0, 7, 4), 'damaged'],
    ['arithmetic coding', changed(0xc0, -1, 0xc9), 'damaged'],
    ['a table that is too short', changed(0xdb, 1, 66), 'damaged'],
    ['more codes than there are bytes', changed(0xc4, 3, 255), 'damaged'],
    ['too many bytes', bytesOf(photo, new Uint8Array(PHOTO_BOUNDS.bytes)), 'tooManyBytes'],
  ])('is refused: %s', (_what, bytes, fault) => {
    expect(read(bytes)).toEqual({ fault });
  });

  it('of 2048 pixels is accepted', () => {
    expect(read(changed(0xc0, 3, 8, 0, 8, 0))).toEqual({ width: 2048, height: 2048 });
  });

  it('of thousands of scans is refused: a browser would decode the picture for each', () => {
    const scan = photo.subarray(
      photo.findIndex((byte, index) => byte === 0xff && photo[index + 1] === 0xda),
      -2,
    );
    const many = bytesOf(photo.subarray(0, -2), ...new Array<Uint8Array>(40).fill(scan), [0xff, 0xd9]);
    expect(read(many)).toEqual({ fault: 'damaged' });
  });

  it('loses EXIF, comments and trailing bytes, and stays the same picture', () => {
    const dirty = bytesOf(withSegment(0xe1, 'Exif\0\0 secret place'), 'behind it');
    expect(withoutMetadata(dirty)).toEqual(photo);
    expect(withoutMetadata(withSegment(0xfe, 'a comment'))).toEqual(photo);
    expect(withoutMetadata(bytesOf('no picture'))).toEqual({ fault: 'notJpeg' });
  });
});

it('with flipped bytes is accepted within the limits, or refused', () => {
  const flips = fc.array(fc.tuple(fc.nat(photo.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(flips, (changes) => {
      const bytes = Uint8Array.from(photo);
      for (const [at, value] of changes) bytes[at] = value;
      const found = read(bytes);
      if ('fault' in found) return;
      expect(Math.max(found.width, found.height)).toBeLessThanOrEqual(PHOTO_BOUNDS.side);
      // An accepted photo has nothing to remove.
      expect(withoutMetadata(bytes)).toEqual(bytes);
    }),
    { numRuns: 2000 },
  );
});

it('never has any bytes thrown over', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (tail) => {
      expect('fault' in read(bytesOf([0xff, 0xd8, 0xff], tail))).toBe(true);
      expect('fault' in read(tail)).toBe(true);
    }),
  );
});

import { frameSize, isJpeg, type PictureSize } from './jpeg.ts';

/** A picture that a browser can convert to a photo. */
export interface KnownPicture extends PictureSize {
  readonly type: 'image/jpeg' | 'image/png' | 'image/webp';
}

const PNG_START = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/**
 * Returns the kind and the size of a picture from its first bytes, before anything is decoded: a small file can declare
 * a huge size. Returns null if it is not a JPEG, PNG or WebP, whatever its name.
 */
export function pictureSize(bytes: Uint8Array): KnownPicture | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isJpeg(bytes)) {
    const size = frameSize(bytes);
    return size === null ? null : known('image/jpeg', size.width, size.height);
  }
  if (PNG_START.every((byte, index) => bytes[index] === byte) && hasText(bytes, 12, 'IHDR') && bytes.length > 33)
    return known('image/png', view.getUint32(16), view.getUint32(20));
  if (hasText(bytes, 0, 'RIFF') && hasText(bytes, 8, 'WEBP') && bytes.length >= 30) return webp(bytes, view);
  return null;
}

/** Reads the three forms of WebP (RFC 9649): extended, lossless and lossy. */
function webp(bytes: Uint8Array, view: DataView): KnownPicture | null {
  if (hasText(bytes, 12, 'VP8X')) {
    const side = (at: number) => 1 + view.getUint16(at, true) + bytes[at + 2]! * 0x1_0000;
    return known('image/webp', side(24), side(27));
  }
  if (hasText(bytes, 12, 'VP8L')) {
    const bits = view.getUint32(21, true);
    return known('image/webp', 1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff));
  }
  if (!hasText(bytes, 12, 'VP8 ')) return null;
  return known('image/webp', view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
}

function known(type: KnownPicture['type'], width: number, height: number): KnownPicture | null {
  return width > 0 && height > 0 ? { type, width, height } : null;
}

function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  return [...text].every((letter, index) => bytes[at + index] === letter.charCodeAt(0));
}

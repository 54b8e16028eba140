import { readJpeg, withoutMetadata } from '../../../shared/photos/jpeg.ts';
import { PHOTO_BOUNDS, type PhotoBounds, PREVIEW_BOUNDS } from '../../../shared/photos/photo-limits.ts';
import { pictureSize } from '../../../shared/photos/picture-size.ts';

/** Photos of phones are far smaller. Larger files would use up the browser's memory. */
const MAX_FILE_BYTES = 40_000_000;
const MAX_PIXELS = 120_000_000;

const FIRST_QUALITY = 0.86;
const LEAST_QUALITY = 0.4;
const QUALITY_STEP = 0.09;
/** A step of quality divides the bytes by at most this: measured with noise, of which most tries are made. */
const STEP_RATIO = 1.28;
/** The quality is lowered first, then the size. */
const SMALLER = 0.8;
const MOST_SIZES = 6;

/** The reason why a file can't be made a photo. */
export type PhotoFault = 'noPicture' | 'tooManyBytes' | 'tooManyPixels' | 'unreadable';

/** A photo in the form that is sent: JPEGs in base64 without metadata, within their bounds. */
export interface MadePhoto {
  readonly image: string;
  readonly preview: string;
}

/**
 * Makes a photo from a file: upright, scaled down if it is too large, and encoded again without metadata. A file that
 * is not a picture, or whose header says that it is huge, is refused before it is decoded.
 */
export async function makePhoto(file: Blob): Promise<MadePhoto | { readonly fault: PhotoFault }> {
  if (file.size > MAX_FILE_BYTES) return { fault: 'tooManyBytes' };
  let bitmap: ImageBitmap;
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const known = pictureSize(bytes);
    if (known === null) return { fault: 'noPicture' };
    if (known.width * known.height > MAX_PIXELS) return { fault: 'tooManyPixels' };
    // The type comes from the file's bytes, not from its name.
    bitmap = await createImageBitmap(new Blob([bytes], { type: known.type }), { imageOrientation: 'from-image' });
  } catch {
    return { fault: 'unreadable' };
  }
  try {
    const image = await encode(bitmap, PHOTO_BOUNDS);
    const preview = image === null ? null : await encode(bitmap, PREVIEW_BOUNDS);
    return image === null || preview === null ? { fault: 'unreadable' } : { image, preview };
  } finally {
    bitmap.close();
  }
}

/** Returns the JPEG within the bounds, in base64; null if the browser can't make one. */
async function encode(bitmap: ImageBitmap, bounds: PhotoBounds): Promise<string | null> {
  let scale = Math.min(1, bounds.side / Math.max(bitmap.width, bitmap.height));
  for (let size = 0; size < MOST_SIZES; size += 1) {
    const canvas = drawn(bitmap, scale);
    for (let quality = FIRST_QUALITY; quality >= LEAST_QUALITY; ) {
      const jpeg = await jpegOf(canvas, quality);
      if (jpeg === null) return null;
      const found = readJpeg(jpeg, bounds);
      if (!('fault' in found)) return base64Of(jpeg);
      if (found.fault !== 'tooManyBytes') return null;
      // Each try takes a while on a phone, and seconds on a page that is never idle: it leaves out steps that can't be enough.
      const steps = Math.floor(Math.log(jpeg.length / bounds.bytes) / Math.log(STEP_RATIO));
      quality -= QUALITY_STEP * Math.max(1, steps);
    }
    scale *= SMALLER;
  }
  return null;
}

function drawn(bitmap: ImageBitmap, scale: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d', { alpha: false })!;
  context.imageSmoothingQuality = 'high';
  // The background of transparent parts. JPEG would make them black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** Returns a JPEG without metadata, as some browsers add EXIF data. null if that fails. */
async function jpegOf(canvas: HTMLCanvasElement, quality: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
  if (blob === null) return null;
  const plain = withoutMetadata(new Uint8Array(await blob.arrayBuffer()));
  return 'fault' in plain ? null : plain;
}

function base64Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
  reader.onerror = () => reject(reader.error ?? new Error('the photo could not be read'));
  reader.readAsDataURL(new Blob([bytes]));
  return promise;
}

// Without a library: the page checks by it before it sends a photo.

/** The longest side of a photo in pixels, and its most bytes. */
export const MAX_PHOTO_SIDE = 2048;
export const MAX_PHOTO_BYTES = 500_000;
/** The same of the small picture that lists show in its place. */
export const MAX_PREVIEW_SIDE = 320;
export const MAX_PREVIEW_BYTES = 40_000;
/** The most photos of one entry. */
export const MAX_PHOTOS_OF_ENTRY = 4;
/** The most photos of a node: each is two files of a backup, whose list has an end. */
export const MAX_PHOTOS = 4000;

/** Bounds of a picture. */
export interface PhotoBounds {
  readonly side: number;
  readonly bytes: number;
}
export const PHOTO_BOUNDS: PhotoBounds = { side: MAX_PHOTO_SIDE, bytes: MAX_PHOTO_BYTES };
export const PREVIEW_BOUNDS: PhotoBounds = { side: MAX_PREVIEW_SIDE, bytes: MAX_PREVIEW_BYTES };

/** The name of a photo's file, in the folder of photos and in exports. */
export function photoFile({ id }: { readonly id: string }): string {
  return `${id}.jpg`;
}

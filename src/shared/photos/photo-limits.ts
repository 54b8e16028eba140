// Without a library: the page checks these limits before it sends a photo.

/** The longest side of a photo in pixels, and its largest size in bytes. */
export const MAX_PHOTO_SIDE = 2048;
export const MAX_PHOTO_BYTES = 500_000;
/** The same limits for the small preview that lists show. */
export const MAX_PREVIEW_SIDE = 320;
export const MAX_PREVIEW_BYTES = 40_000;
/** The most photos of one entry. */
export const MAX_PHOTOS_OF_ENTRY = 4;
/** The most photos of a node: each is two files of a backup, and a backup's list of files is limited. */
export const MAX_PHOTOS = 4000;

/** The limits of a picture. */
export interface PhotoBounds {
  readonly side: number;
  readonly bytes: number;
}
export const PHOTO_BOUNDS: PhotoBounds = { side: MAX_PHOTO_SIDE, bytes: MAX_PHOTO_BYTES };
export const PREVIEW_BOUNDS: PhotoBounds = { side: MAX_PREVIEW_SIDE, bytes: MAX_PREVIEW_BYTES };

/** Returns the name of a photo's file in the photo folder and in exports. */
export function photoFile({ id }: { readonly id: string }): string {
  return `${id}.jpg`;
}

import { z } from 'zod';
import { journalEntry, logAct, photo } from '../owner-data/journal.ts';
import { deviceId, timeMs } from '../owner-data/values.ts';
import { JPEG_FAULTS } from '../photos/jpeg.ts';
import { MAX_PHOTO_BYTES, MAX_PREVIEW_BYTES } from '../photos/photo-limits.ts';
import { LOGS, type Methods } from './method.ts';
import { count, nothing } from './values.ts';

/** The most photos in one answer: the newest of the range. */
export const MAX_LISTED_PHOTOS = 2000;

const jpeg = (bytes: number) => z.base64().max(Math.ceil(bytes / 3) * 4);

/** A photo with its log entry. */
const placedPhoto = photo.extend({
  entry: journalEntry.shape.id,
  device: journalEntry.shape.device,
  at: timeMs,
  kind: logAct.shape.kind,
  text: journalEntry.shape.text,
});
export type PlacedPhoto = z.infer<typeof placedPhoto>;

/** Why a photo is refused. `full`: all photos together have reached their limit. */
export const PHOTO_PROBLEMS = [...JPEG_FAULTS, 'full'] as const;
export type PhotoProblem = (typeof PHOTO_PROBLEMS)[number];

export const PHOTO_METHODS = {
  /**
   * Stores a JPEG of at most 2048 pixels and 500 kB, without metadata, and a small preview for lists. Write an entry with the
   * photo in `act.photos` next: a photo that belongs to no entry within an hour is deleted.
   */
  addPhoto: {
    role: 'viewer',
    asks: LOGS,
    input: z.strictObject({ image: jpeg(MAX_PHOTO_BYTES), preview: jpeg(MAX_PREVIEW_BYTES).nullable() }),
    output: z.union([
      z.strictObject({ problem: z.enum(PHOTO_PROBLEMS) }),
      z.strictObject({ problem: z.null(), photo }),
    ]),
  },
  /**
   * Returns the JPEG of an entry's photo. `image` is null if its file is missing or damaged. `preview` returns the photo itself
   * if there is no preview.
   */
  photo: {
    role: 'viewer',
    input: z.strictObject({ photo: photo.shape.id, entry: journalEntry.shape.id, size: z.enum(['full', 'preview']) }),
    output: z.strictObject({ image: z.base64().nullable() }),
  },
  /**
   * Returns the photos of these devices, and those that belong to no single device, oldest first, between two times, both
   * inclusive (null is unbounded). `devices` null means all.
   */
  photos: {
    role: 'viewer',
    input: z.strictObject({
      devices: z.array(deviceId).max(1000).nullable(),
      from: timeMs.nullable(),
      to: timeMs.nullable(),
    }),
    output: z.strictObject({
      photos: z.array(placedPhoto),
      /** Whether older photos of the range were left out. */
      isCut: z.boolean(),
    }),
  },
  /** Returns the number of photos, the bytes of their files, and the limit of these bytes. */
  photoSpace: {
    role: 'owner',
    input: nothing,
    output: z.strictObject({ photos: count, bytes: count, maxBytes: count }),
  },
} as const satisfies Methods;

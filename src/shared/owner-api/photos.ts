import { z } from 'zod';
import { journalEntry, logAct, photo } from '../owner-data/journal.ts';
import { deviceId, timeMs } from '../owner-data/values.ts';
import { JPEG_FAULTS } from '../photos/jpeg.ts';
import { MAX_PHOTO_BYTES, MAX_PREVIEW_BYTES } from '../photos/photo-limits.ts';
import { LOGS, type Methods } from './method.ts';
import { count, nothing } from './values.ts';

/** The most photos that one answer lists: the newest of a range. */
export const MAX_LISTED_PHOTOS = 2000;

const jpeg = (bytes: number) => z.base64().max(Math.ceil(bytes / 3) * 4);

/** A photo with the entry that it is of. */
const placedPhoto = photo.extend({
  entry: journalEntry.shape.id,
  device: journalEntry.shape.device,
  at: timeMs,
  kind: logAct.shape.kind,
  text: journalEntry.shape.text,
});
export type PlacedPhoto = z.infer<typeof placedPhoto>;

/** Why a photo is not taken. `full`: the bound of all photos is reached. */
export const PHOTO_PROBLEMS = [...JPEG_FAULTS, 'full'] as const;
export type PhotoProblem = (typeof PHOTO_PROBLEMS)[number];

export const PHOTO_METHODS = {
  /**
   * Takes the JPEG of a photo, at most 2048 pixels and 500 kB large and without metadata, and a small one for lists, for an
   * entry that is written next with its `act.photos`. A photo that no entry has within an hour is deleted.
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
   * The JPEG of a photo of an entry. `image` null: its file is missing or damaged. Without a small picture `preview` gives the
   * photo itself.
   */
  photo: {
    role: 'viewer',
    input: z.strictObject({ photo: photo.shape.id, entry: journalEntry.shape.id, size: z.enum(['full', 'preview']) }),
    output: z.strictObject({ image: z.base64().nullable() }),
  },
  /**
   * The photos of some places, and of all devices, oldest first, between two times, both inclusive (null is unbounded).
   * `devices` null: of any.
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
      /** Older ones of the range were left out. */
      isCut: z.boolean(),
    }),
  },
  /** The number of photos, the bytes of their files, and the most that these may have. */
  photoSpace: {
    role: 'owner',
    input: nothing,
    output: z.strictObject({ photos: count, bytes: count, maxBytes: count }),
  },
} as const satisfies Methods;

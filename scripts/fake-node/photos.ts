import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { base64 } from '@scure/base';
import type { JournalEntry } from '../../src/shared/owner-data/journal.ts';
import { readJpeg } from '../../src/shared/photos/jpeg.ts';
import { PHOTO_BOUNDS } from '../../src/shared/photos/photo-limits.ts';
import { SETTINGS } from '../../src/shared/settings/table.ts';
import type { Answers } from './fake.ts';

/**
 * Returns photos in memory, with the node's checks. `entries` returns those of the journal, `maxBytes` the owner's
 * limit.
 */
export function photoAnswers(
  entries: () => readonly JournalEntry[],
  maxBytes: () => number | undefined,
): Pick<Answers, 'addPhoto' | 'photo' | 'photos' | 'photoSpace'> {
  const images = new Map<string, { readonly image: string; readonly preview: string | null }>();
  return {
    addPhoto: ({ image, preview }) => {
      const bytes = base64.decode(image);
      const size = readJpeg(bytes, PHOTO_BOUNDS);
      if ('fault' in size) return { problem: size.fault };
      const id = bytesToHex(sha256(bytes));
      images.set(id, { image, preview });
      return { problem: null, photo: { id, ...size, bytes: bytes.length } };
    },
    photo: ({ photo: id, entry, size }) => {
      const found = entries().find((each) => each.id === entry);
      const kept = found?.act?.photos?.some((each) => each.id === id) ? images.get(id) : undefined;
      return { image: (size === 'preview' ? kept?.preview : null) ?? kept?.image ?? null };
    },
    photos: ({ devices, from, to }) => ({
      photos: entries()
        .filter(({ device }) => devices === null || device === null || devices.includes(device))
        .filter(({ at }) => at >= (from ?? 0) && at <= (to ?? at))
        .toSorted((a, b) => a.at - b.at)
        .flatMap(({ id, device, at, text, act }) =>
          (act?.photos ?? []).map((photo) => ({ ...photo, entry: id, device, at, kind: act!.kind, text })),
        ),
      isCut: false,
    }),
    photoSpace: () => ({
      photos: images.size,
      bytes: [...images.values()].reduce((sum, { image }) => sum + base64.decode(image).length, 0),
      maxBytes: maxBytes() ?? SETTINGS.photosMaxBytes.default,
    }),
  };
}

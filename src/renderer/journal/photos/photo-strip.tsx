import { useIntersection } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlacedPhoto } from '../../../shared/owner-api/photos.ts';
import type { JournalEntry } from '../../../shared/owner-data/journal.ts';
import { usePhotoImage } from '../../api/queries/photos.ts';
import { useFormat } from '../../format/format.ts';
import classes from './photos.module.css';

const PhotoViewer = lazy(() => import('./photo-viewer.tsx'));

/** Returns the photos of an entry, with the entry's properties. */
export function photosOf({ id, device, at, text, act }: JournalEntry): PlacedPhoto[] {
  return (act?.photos ?? []).map((photo) => ({ ...photo, entry: id, device, at, text, kind: act!.kind }));
}

interface Props {
  readonly photos: readonly PlacedPhoto[];
  /** Returns the name of a device; only needed if the photos are of several devices. */
  readonly nameOf?: (device: string) => string;
}

/**
 * Small photos in a row. A click opens a photo, from which the others can be reached. Each is loaded when it scrolls
 * into view.
 */
export function PhotoStrip({ photos, nameOf }: Props) {
  const [open, setOpen] = useState<number | null>(null);
  if (photos.length === 0) return null;
  return (
    <>
      <ul className={classes.strip}>
        {photos.map((photo, index) => (
          <li key={`${photo.entry} ${photo.id}`}>
            <Thumb photo={photo} onOpen={() => setOpen(index)} />
          </li>
        ))}
      </ul>
      {open === null ? null : (
        <Suspense fallback={null}>
          <PhotoViewer photos={photos} start={open} {...(nameOf && { nameOf })} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </>
  );
}

function Thumb({ photo, onOpen }: { readonly photo: PlacedPhoto; readonly onOpen: () => void }) {
  const { t } = useTranslation('journal');
  const format = useFormat();
  const { ref, entry } = useIntersection({ rootMargin: '200px' });
  const { data: image } = usePhotoImage(photo, 'preview', entry?.isIntersecting === true);
  const time = format.dateTime(photo.at);
  if (image === null) return <span className={classes.missing}>{t('photo.missing')}</span>;
  return (
    <button ref={ref} type="button" className={classes.open} aria-label={t('photo.open', { time })} onClick={onOpen}>
      {image === undefined ? null : <img className={classes.thumb} src={image} alt="" />}
    </button>
  );
}

import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePhotos } from '../../api/queries/photos.ts';
import { Icon } from '../../components/icon.tsx';

const PhotoViewer = lazy(() => import('./photo-viewer.tsx'));

interface Props {
  /** The devices of the place. */
  readonly devices: readonly { readonly id: string; readonly name: string }[];
  readonly nameOf: (device: string) => string;
}

/** A button that opens all photos of a place in order of time. Renders nothing if there are fewer than two. */
export function TimelapseButton({ devices, nameOf }: Props) {
  const { t } = useTranslation('journal');
  const [isOpen, setOpen] = useState(false);
  const photos = usePhotos({ devices: devices.map(({ id }) => id), from: null, to: null }).data?.photos ?? [];
  if (photos.length < 2) return null;
  const only = devices.length === 1 ? devices[0]! : null;
  return (
    <>
      <Button variant="default" size="xs" leftSection={<Icon name="play" size={14} />} onClick={() => setOpen(true)}>
        {t('photo.timelapse', { count: photos.length })}
      </Button>
      {isOpen ? (
        <Suspense fallback={null}>
          <PhotoViewer
            photos={photos}
            start={0}
            title={only === null ? t('photo.timelapseTitle') : t('photo.timelapseOf', { name: only.name })}
            {...(only === null && { nameOf })}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      ) : null}
    </>
  );
}

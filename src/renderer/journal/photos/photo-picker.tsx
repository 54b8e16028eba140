import { ActionIcon, Button, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PhotoProblem } from '../../../shared/owner-api/photos.ts';
import type { Photo } from '../../../shared/owner-data/journal.ts';
import { MAX_PHOTOS_OF_ENTRY } from '../../../shared/photos/photo-limits.ts';
import { useAddPhoto, usePhotoImage } from '../../api/queries/photos.ts';
import { CallFailure, Failure } from '../../components/failure.tsx';
import { Icon } from '../../components/icon.tsx';
import { makePhoto, type PhotoFault } from './make-photo.ts';
import classes from './photos.module.css';

/** A photo in a form: one of the changed entry, or a new one with its preview. */
export interface PickedPhoto {
  readonly photo: Photo;
  /** The URL of its preview; null if the node has it. */
  readonly preview: string | null;
}

interface Props {
  /** The entry to change; null for a new one. */
  readonly entry: number | null;
  readonly photos: readonly PickedPhoto[];
  readonly onChange: (change: (photos: readonly PickedPhoto[]) => readonly PickedPhoto[]) => void;
  /** Called when it begins and ends to make and upload photos. */
  readonly onBusy: (isBusy: boolean) => void;
}

/** Adds photos from the camera or from files to an entry, and removes them. */
export function PhotoPicker({ entry, photos, onChange, onBusy }: Props) {
  const { t } = useTranslation('journal');
  const add = useAddPhoto();
  const input = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<PhotoFault | PhotoProblem | 'tooMany' | null>(null);
  const [isMaking, setMaking] = useState(false);
  const room = MAX_PHOTOS_OF_ENTRY - photos.length;
  const take = async (files: readonly File[]): Promise<void> => {
    setFault(files.length > room ? 'tooMany' : null);
    setMaking(true);
    onBusy(true);
    try {
      for (const file of files.slice(0, room)) {
        const made = await makePhoto(file);
        if ('fault' in made) {
          setFault(made.fault);
          continue;
        }
        const added = await add.mutateAsync(made);
        if (added.problem !== null) {
          setFault(added.problem);
          continue;
        }
        const picked = { photo: added.photo, preview: `data:image/jpeg;base64,${made.preview}` };
        onChange((before) => (before.some(({ photo }) => photo.id === picked.photo.id) ? before : [...before, picked]));
      }
    } catch {
      // The mutation has the error.
    } finally {
      setMaking(false);
      onBusy(false);
    }
  };
  return (
    <div className={classes.picker}>
      {photos.length === 0 ? null : (
        <ul className={classes.strip} aria-label={t('photo.of')}>
          {photos.map(({ photo, preview }, index) => (
            <li key={photo.id} className={classes.picked}>
              <Thumb {...{ photo, preview, entry }} label={t('photo.number', { number: index + 1 })} />
              <ActionIcon
                className={classes.remove ?? ''}
                variant="filled"
                color="dark"
                size="sm"
                aria-label={t('photo.remove', { number: index + 1 })}
                onClick={() => onChange((before) => before.filter((each) => each.photo.id !== photo.id))}
              >
                <Icon name="close" size={12} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      <input
        ref={input}
        type="file"
        // Phones convert their own formats to one of these.
        accept="image/jpeg,image/png,image/webp"
        multiple
        hidden
        aria-label={t('photo.choose')}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // Otherwise the same file could not be chosen twice.
          currentTarget.value = '';
          void take(files);
        }}
      />
      {room <= 0 ? (
        <Text size="xs" c="dimmed">
          {t('photo.most', { count: MAX_PHOTOS_OF_ENTRY })}
        </Text>
      ) : (
        <Button
          variant="default"
          size="xs"
          w="fit-content"
          leftSection={<Icon name="camera" size={14} />}
          loading={isMaking}
          onClick={() => input.current?.click()}
        >
          {t('photo.add')}
        </Button>
      )}
      <Failure>{fault === null ? null : t(`photo.fault.${fault}`)}</Failure>
      <CallFailure error={add.error} lead={t('photo.failed')} />
    </div>
  );
}

interface ThumbProps extends PickedPhoto {
  readonly entry: number | null;
  readonly label: string;
}

function Thumb({ photo, preview, entry, label }: ThumbProps) {
  const { t } = useTranslation('journal');
  const image = usePhotoImage({ id: photo.id, entry: entry ?? 0 }, 'preview', preview === null && entry !== null);
  const source = preview ?? image.data;
  if (source === null) return <span className={classes.missing}>{t('photo.missing')}</span>;
  return <img className={classes.thumb} src={source} alt={label} />;
}

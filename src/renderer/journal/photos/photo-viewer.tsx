import { ActionIcon, Group, Slider, Text } from '@mantine/core';
import i18next from 'i18next';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlacedPhoto } from '../../../shared/owner-api/photos.ts';
import { devicesOf } from '../../../shared/owner-data/cycle-states.ts';
import { dayOf, daysBetween } from '../../../shared/owner-data/days.ts';
import { useOwnerChoices } from '../../api/queries/choices.ts';
import { useCycles } from '../../api/queries/cycles.ts';
import { usePhotoImage, usePrefetchPhoto } from '../../api/queries/photos.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { useFormat } from '../../format/format.ts';
import classes from './photos.module.css';

await i18next.loadNamespaces('journal');

/** How long each photo is shown during playback, in milliseconds. */
const SHOWN_MS = 700;

interface Props {
  /** Ordered by time. */
  readonly photos: readonly PlacedPhoto[];
  /** The index of the photo that is shown first. */
  readonly start: number;
  /** "Photos" if it is missing. */
  readonly title?: string;
  /** Returns the name of a device; only needed if the photos are of several devices. */
  readonly nameOf?: (device: string) => string;
  readonly onClose: () => void;
}

/** A dialog that shows large photos in order of time, with a slider and playback. */
export default function PhotoViewer({ photos, start, title, nameOf, onClose }: Props) {
  const { t } = useTranslation('journal');
  const [at, setAt] = useState(start);
  const [isPlaying, setPlaying] = useState(false);
  const prefetch = usePrefetchPhoto();
  const last = photos.length - 1;
  // An entry may have been deleted meanwhile.
  const index = Math.min(at, last);
  const photo = photos[index];
  const next = photos[index + 1];
  useEffect(() => {
    if (next !== undefined) prefetch(next);
  }, [next, prefetch]);
  if (photo === undefined) return null;
  const go = (to: number): void => {
    setPlaying(false);
    setAt(Math.max(0, Math.min(last, to)));
  };
  return (
    <Dialog onClose={onClose} title={title ?? t('photo.title')} size="xl">
      <Large
        photo={photo}
        onShown={
          isPlaying
            ? () => {
                if (index === last) setPlaying(false);
                else setAt(index + 1);
              }
            : null
        }
      />
      <Caption photo={photo} {...(nameOf && { nameOf })} />
      {last === 0 ? null : (
        <Group gap="xs" wrap="nowrap">
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t(isPlaying ? 'photo.pause' : 'photo.play')}
            onClick={() => {
              if (!isPlaying && index === last) setAt(0);
              setPlaying(!isPlaying);
            }}
          >
            <Icon name={isPlaying ? 'stop' : 'play'} />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size="lg"
            disabled={index === 0}
            aria-label={t('photo.previous')}
            onClick={() => go(index - 1)}
          >
            <Icon name="arrow-left" />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size="lg"
            disabled={index === last}
            aria-label={t('photo.next')}
            onClick={() => go(index + 1)}
          >
            <Icon name="arrow-right" />
          </ActionIcon>
          <Slider
            flex={1}
            mx="xs"
            min={0}
            max={last}
            value={index}
            label={null}
            thumbLabel={t('photo.which')}
            onChange={go}
          />
          <Text size="sm" className={classes.count ?? ''}>
            {t('photo.count', { number: index + 1, of: photos.length })}
          </Text>
        </Group>
      )}
    </Dialog>
  );
}

interface LargeProps {
  readonly photo: PlacedPhoto;
  /** Called after the photo was shown for a while; null if there is no playback. */
  readonly onShown: (() => void) | null;
}

function Large({ photo, onShown }: LargeProps) {
  const { t } = useTranslation('journal');
  const format = useFormat();
  const { data: image, isError } = usePhotoImage(photo, 'full');
  const isThere = image !== undefined || isError;
  useEffect(() => {
    if (onShown === null || !isThere) return;
    const timer = setTimeout(onShown, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [onShown, isThere]);
  return (
    <div className={classes.frame}>
      {typeof image === 'string' ? (
        <img className={classes.large} src={image} alt={t('photo.alt', { time: format.dateTime(photo.at) })} />
      ) : (
        <Text c="dimmed">{isThere ? t('photo.missing') : t('photo.loading')}</Text>
      )}
    </div>
  );
}

function Caption({ photo, nameOf }: { readonly photo: PlacedPhoto; readonly nameOf?: (device: string) => string }) {
  const { t } = useTranslation('journal');
  const format = useFormat();
  const days = usePlantedDays()(photo);
  const place = photo.device === null ? t('allDevices') : nameOf?.(photo.device);
  const words = [format.dateTime(photo.at), place, ...days, t(`kind.${photo.kind}`)];
  return (
    <div>
      <Text size="sm" fw={600} data-testid="caption">
        {words.filter((word) => word !== undefined).join(' · ')}
      </Text>
      {photo.text === '' ? null : <Text size="sm">{photo.text}</Text>}
    </div>
  );
}

/**
 * Returns a function for the days since planting at the time of a photo, one for each crop cycle that grew at its place
 * then.
 */
function usePlantedDays(): (photo: PlacedPhoto) => string[] {
  const { t } = useTranslation('journal');
  const cycles = useCycles();
  const { groups } = useOwnerChoices();
  return ({ device, at }) =>
    cycles
      .filter((cycle) => {
        const day = dayOf(at, cycle.zone);
        const isThen = day >= cycle.plantedAt && (cycle.endedAt === null || day <= cycle.endedAt);
        return isThen && device !== null && devicesOf(cycle, groups).includes(device);
      })
      .map(({ crop, plantedAt, zone }) =>
        // The day of planting is day 1, as everywhere.
        t('photo.day', { crop, day: daysBetween(plantedAt, dayOf(at, zone)) + 1 }),
      );
}

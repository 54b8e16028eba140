import { useTranslation } from 'react-i18next';
import type { PlacedPhoto } from '../../shared/owner-api/photos.ts';
import { daysOf, devicesOf, stageAt } from '../../shared/owner-data/cycle-states.ts';
import type { Cycle } from '../../shared/owner-data/cycles.ts';
import { dayOf } from '../../shared/owner-data/days.ts';
import { useChoicesThere } from '../api/queries/choices.ts';
import { useCycles } from '../api/queries/cycles.ts';
import { usePhotoImage, usePhotos } from '../api/queries/photos.ts';
import { Icon } from '../components/icon.tsx';
import { useNow } from '../now.ts';
import { linkTo } from '../router/router.ts';
import classes from './cycles-of-devices.module.css';
import { cycleName } from './use-cycle-words.ts';

const MINUTE_MS = 60_000;

interface Props {
  readonly ids: readonly string[];
  readonly className: string;
}

/** Returns the crop cycles at the shown node that are running at one of some devices. */
export function useRunningCycles(ids: readonly string[]): readonly Cycle[] {
  const cycles = useCycles();
  const { groups } = useChoicesThere();
  const now = useNow(MINUTE_MS);
  return cycles.filter((cycle) => {
    const today = dayOf(now, cycle.zone);
    const isNow = cycle.plantedAt <= today && (cycle.endedAt === null || today <= cycle.endedAt);
    return isNow && devicesOf(cycle, groups).some((id) => ids.includes(id));
  });
}

/** The running crop cycles of some devices, each with its newest photo and a link to its page. */
export function CyclesOfDevices({ ids, className }: Props) {
  const { t } = useTranslation('app');
  const { groups } = useChoicesThere();
  const now = useNow(MINUTE_MS);
  const growing = useRunningCycles(ids);
  if (growing.length === 0) return null;
  return (
    <ul className={className}>
      {growing.map((cycle) => {
        const stage = stageAt(cycle, now)?.name;
        const day = daysOf(cycle, dayOf(now, cycle.zone)) + 1;
        return (
          <li key={cycle.id} className={classes.cycle}>
            <Picture devices={devicesOf(cycle, groups)} plantedAt={cycle.plantedAt} zone={cycle.zone} />
            <span>
              <a href={linkTo({ page: 'crops', cycle: cycle.id })}>{cycleName(cycle)}</a>
              {' · '}
              {t('card.day', { day })}
              {stage === undefined ? null : ` · ${stage}`}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

interface PictureProps {
  readonly devices: readonly string[];
  /** The day of planting, in the time zone. */
  readonly plantedAt: string;
  readonly zone: string;
}

/** The newest photo of a crop's place since it was planted; a drawn plant if there is none. */
function Picture({ devices, plantedAt, zone }: PictureProps) {
  // One answer for all cards.
  const photos = usePhotos({ devices: null, from: null, to: null }).data?.photos ?? [];
  const isOfCrop = ({ device, at }: PlacedPhoto) =>
    device !== null && devices.includes(device) && dayOf(at, zone) >= plantedAt;
  const photo = photos.findLast(isOfCrop);
  return photo === undefined ? <Icon name="sprout" /> : <Thumb photo={photo} />;
}

function Thumb({ photo }: { readonly photo: PlacedPhoto }) {
  const { data: image } = usePhotoImage(photo, 'preview');
  if (image === null) return <Icon name="sprout" />;
  // The name of the crop stands beside it.
  return <img className={classes.thumb} src={image} alt="" />;
}

import { useTranslation } from 'react-i18next';
import { daysOf, devicesOf, stageAt } from '../../shared/owner-data/cycle-states.ts';
import { dayOf } from '../../shared/owner-data/days.ts';
import { useChoicesThere } from '../api/queries/choices.ts';
import { useCycles } from '../api/queries/cycles.ts';
import { useNow } from '../now.ts';
import { linkTo } from '../router/router.ts';
import { cycleName } from './use-cycle-words.ts';

const MINUTE_MS = 60_000;

interface Props {
  readonly ids: readonly string[];
  readonly className: string;
}

/** The running crop cycles of some devices, each with a link to its page. */
export function CyclesOfDevices({ ids, className }: Props) {
  const { t } = useTranslation('app');
  const cycles = useCycles();
  const { groups } = useChoicesThere();
  const now = useNow(MINUTE_MS);
  const growing = cycles.filter((cycle) => {
    const today = dayOf(now, cycle.zone);
    const isNow = cycle.plantedAt <= today && (cycle.endedAt === null || today <= cycle.endedAt);
    return isNow && devicesOf(cycle, groups).some((id) => ids.includes(id));
  });
  if (growing.length === 0) return null;
  return (
    <ul className={className}>
      {growing.map((cycle) => {
        const stage = stageAt(cycle, now)?.name;
        const day = daysOf(cycle, dayOf(now, cycle.zone)) + 1;
        return (
          <li key={cycle.id}>
            <a href={linkTo({ page: 'crops', cycle: cycle.id })}>{cycleName(cycle)}</a>
            {' · '}
            {t('card.day', { day })}
            {stage === undefined ? null : ` · ${stage}`}
          </li>
        );
      })}
    </ul>
  );
}

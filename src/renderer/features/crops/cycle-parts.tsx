import { Button, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Cycle } from '../../../shared/owner-data/cycles.ts';
import { useCycles } from '../../api/queries/cycles.ts';
import { cycleName } from '../../crops/use-cycle-words.ts';
import { useDayText } from '../../crops/use-days.ts';
import { linkTo } from '../../router/router.ts';

interface PlaceAndDaysProps {
  readonly cycle: Cycle;
  /** undefined if the place no longer exists. */
  readonly place: string | undefined;
  /** The devices of the place. If there is only one, its page is linked. */
  readonly devices: readonly string[];
}

/** Shows where a cycle grows, since when and until when. */
export function PlaceAndDays({ cycle: { plantedAt, endedAt }, place, devices }: PlaceAndDaysProps) {
  const { t } = useTranslation('crops');
  const dayText = useDayText();
  const name = place ?? t('gone');
  return (
    <>
      {devices.length === 1 ? <a href={linkTo({ page: 'device', id: devices[0]! })}>{name}</a> : name}
      {' · '}
      {endedAt === null
        ? t('planted', { day: dayText(plantedAt) })
        : t('plantedEnded', { from: dayText(plantedAt), to: dayText(endedAt) })}
    </>
  );
}

/** A list of facts, each with its name. */
export function Facts({
  facts,
  className,
}: {
  readonly facts: readonly (readonly [string, string])[];
  readonly className: string | undefined;
}) {
  return (
    <dl className={className}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface CompareMenuProps {
  readonly cycle: Cycle;
  readonly size: 'xs' | 'compact-sm';
  /** The accessible name of the button, if the page has a button for each of several cycles. */
  readonly label?: string;
}

/** A menu that compares the cycle with another one. Renders nothing if there is no other. */
export function CompareMenu({ cycle, size, label }: CompareMenuProps) {
  const { t } = useTranslation('crops');
  const dayText = useDayText();
  const others = useCycles().filter(({ id }) => id !== cycle.id);
  if (others.length === 0) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size={size} variant="default" aria-label={label}>
          {t('besideOther')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {others.map((other) => (
          <Menu.Item key={other.id} component="a" href={linkTo({ page: 'crops', cycle: cycle.id, beside: other.id })}>
            {cycleName(other)} · {dayText(other.plantedAt)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

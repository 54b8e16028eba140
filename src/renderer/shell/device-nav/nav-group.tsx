import { useTranslation } from 'react-i18next';
import type { DeviceGroup } from '../../../shared/owner-data/choices.ts';
import { textScale } from '../../components/browser/small-screen.ts';
import { Icon } from '../../components/icon.tsx';
import { useFormat } from '../../format/format.ts';
import classes from './device-nav.module.css';

/** The height of a name, in CSS pixels at the usual size of text. */
export const NAV_GROUP_HEIGHT = 34;

interface Props {
  /** null if the following devices are in no group. */
  readonly group: DeviceGroup | null;
  /** The number of its devices in the list. */
  readonly devices: number;
  /** Its position among all rows, from 0, and the number of rows. */
  readonly index: number;
  readonly count: number;
  /** Its distance from the top of the list, in CSS pixels. */
  readonly top: number;
  readonly onToggle: (id: string) => void;
}

/** The name of a group in the list of devices. A click folds the group here and in the overview. */
export function NavGroup({ group, devices, index, count, top, onToggle }: Props) {
  const { t } = useTranslation('app');
  const format = useFormat();
  return (
    <li
      className={classes.item}
      style={{ height: NAV_GROUP_HEIGHT * textScale(), transform: `translateY(${top}px)` }}
      aria-setsize={count}
      aria-posinset={index + 1}
    >
      {group === null ? (
        <span className={classes.group}>
          <span className={classes.groupName}>{t('groups.none')}</span>
          <span className={classes.count}>{format.integer(devices)}</span>
        </span>
      ) : (
        <button
          type="button"
          className={classes.group}
          aria-expanded={!group.isCollapsed}
          onClick={() => onToggle(group.id)}
        >
          <Icon name={group.isCollapsed ? 'chevron-right' : 'chevron-down'} size={12} />
          <bdi className={classes.groupName} title={group.name}>
            {group.name}
          </bdi>
          <span className={classes.count}>{format.integer(devices)}</span>
        </button>
      )}
    </li>
  );
}

import { useDeferredValue, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldName } from '../../../shared/protocol/fields.ts';
import { useWellnesses } from '../../alerts/use-wellness.ts';
import { useFocusKept } from '../../components/browser/focus.ts';
import { Icon } from '../../components/icon.tsx';
import { inGroups } from '../../devices/groups/groups.ts';
import { useGroups } from '../../devices/groups/use-groups.ts';
import type { ListedDevice } from '../../devices/listed.ts';
import { useFormat } from '../../format/format.ts';
import { useParameters } from '../../router/parameters.ts';
import { linkTo } from '../../router/router.ts';
import { DeviceCards } from './cards/device-cards.tsx';
import { GroupCard } from './groups/group-card.tsx';
import classes from './groups/grouped-devices.module.css';
import { DeviceTable } from './table/device-table.tsx';
import { useIsByGroup, useIsTable } from './view-menu.tsx';

/** The number of groups' cards that are drawn first: about two screens. The others follow without delaying them. */
const DRAWN_FIRST = 12;

interface Props {
  /** The devices to show, in order. */
  readonly devices: readonly ListedDevice[];
  /** The number of all the owner's devices, including those that the search hides. */
  readonly of: number;
  readonly fields: readonly FieldName[];
}

/**
 * Lists the owner's devices, by group if there are groups: a card for each group, or for its device if it has only one;
 * or the devices of the opened group.
 */
export function GroupedDevices({ devices, of, fields }: Props) {
  const { t } = useTranslation('app');
  const { groups, toggle } = useGroups();
  const isByGroup = useIsByGroup();
  const drawn = useDeferredValue(groups.length, DRAWN_FIRST);
  const opened = new URLSearchParams(useParameters(linkTo({ page: 'overview' }))).get('group');
  useFocusKept(opened);
  if (groups.length === 0) {
    return devices.length === 0 ? null : (
      <DeviceList devices={devices} of={of} fields={fields} label={t('overview.mineLabel')} />
    );
  }
  const sections = inGroups(groups, devices);
  const only = sections.find(({ group }) => group?.id === opened);
  if (only?.group)
    return (
      <>
        <a className={classes.back} href={linkTo({ page: 'overview' })}>
          <Icon name="arrow-left" size={14} />
          {t('groups.all')}
        </a>
        <Section
          name={only.group.name}
          devices={only.devices}
          of={only.devices.length}
          fields={fields}
          report={linkTo({ page: 'report', of: 'group', id: only.group.id })}
        />
      </>
    );
  if (isByGroup) {
    const rest = sections.find(({ group }) => group === null)?.devices ?? [];
    // The card of a device shows more than that of a group: a place with one device has that one.
    const places = sections.filter(({ group }) => group !== null);
    const single = places.filter(({ devices: members }) => members.length === 1);
    const several = places.filter(({ devices: members }) => members.length > 1);
    const placeOf = new Map(single.map(({ group, devices: [device] }) => [device!.id, group!.name]));
    return (
      <>
        {several.length === 0 ? null : (
          <div className={classes.cards}>
            {several.slice(0, drawn).map(({ group, devices: members }) => (
              <GroupCard key={group!.id} group={group!} devices={members} fields={fields} />
            ))}
          </div>
        )}
        {single.length === 0 ? null : (
          <DeviceCards
            devices={single.flatMap(({ devices: members }) => members)}
            of={of}
            fields={fields}
            label={t('overview.mineLabel')}
            places={placeOf}
          />
        )}
        {rest.length === 0 ? null : <Section name={t('groups.none')} devices={rest} of={rest.length} fields={fields} />}
      </>
    );
  }
  return sections.map((section) =>
    section.group === null ? (
      <Section key="none" name={t('groups.none')} devices={section.devices} of={of} fields={fields} />
    ) : (
      <Section
        key={section.group.id}
        name={section.group.name}
        devices={section.devices}
        of={of}
        fields={fields}
        isCollapsed={section.group.isCollapsed}
        report={linkTo({ page: 'report', of: 'group', id: section.group.id })}
        onToggle={() => toggle(section.group!.id)}
      />
    ),
  );
}

/** Lists devices as cards or as a table, as the owner chose. */
export function DeviceList({ devices, of, fields, label }: Props & { readonly label: string }) {
  return useIsTable(of) ? (
    <DeviceTable devices={devices} fields={fields} label={label} />
  ) : (
    <DeviceCards devices={devices} of={of} fields={fields} label={label} />
  );
}

interface SectionProps extends Props {
  readonly name: string;
  readonly isCollapsed?: boolean;
  /** The address of the group's report; missing if there is none. */
  readonly report?: string;
  /** Missing if the section does not collapse. */
  readonly onToggle?: () => void;
}

/** Shows a group with its devices. The header of a collapsed group still shows how many devices need the owner. */
function Section({ name, devices, of, fields, isCollapsed = false, report, onToggle }: SectionProps) {
  const { t } = useTranslation('app');
  const format = useFormat();
  const id = useId();
  const needing = useWellnesses(devices).filter((wellness) => wellness === 'needsYou').length;
  const summary = (
    <span className={classes.summary}>
      {t('overview.countAll', { count: devices.length, number: format.integer(devices.length) })}
      {needing === 0 ? null : <span className={classes.needing}> · {t('groups.needYou', { count: needing })}</span>}
    </span>
  );
  return (
    <section className={classes.section} aria-labelledby={id}>
      <h2 className={classes.heading} id={id}>
        {onToggle === undefined ? (
          <bdi>{name}</bdi>
        ) : (
          <button type="button" className={classes.fold} aria-expanded={!isCollapsed} onClick={onToggle}>
            <Icon name={isCollapsed ? 'chevron-right' : 'chevron-down'} size={14} />
            <bdi>{name}</bdi>
          </button>
        )}
        {summary}
        {report === undefined || devices.length === 0 ? null : (
          <a className={classes.report} href={report} aria-label={t('groups.reportOf', { name })}>
            {t('groups.report')}
          </a>
        )}
      </h2>
      {isCollapsed ? null : <DeviceList devices={devices} of={of} fields={fields} label={name} />}
    </section>
  );
}

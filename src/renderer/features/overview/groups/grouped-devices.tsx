import { Button } from '@mantine/core';
import { lazy, Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldName } from '../../../../shared/protocol/fields.ts';
import { useMe } from '../../../api/me.tsx';
import { Icon } from '../../../components/icon.tsx';
import { inGroups } from '../../../devices/groups/groups.ts';
import { useGroups } from '../../../devices/groups/use-groups.ts';
import type { ListedDevice } from '../../../devices/listed.ts';
import { deviceStatus } from '../../../devices/status/status.ts';
import { useFormat } from '../../../format/format.ts';
import { useFromNow } from '../../../now.ts';
import { DeviceTable } from '../table/device-table.tsx';
import classes from './grouped-devices.module.css';

const GroupsDialog = lazy(() => import('./groups-dialog.tsx'));

interface Props {
  /** Those to show, in their order. */
  readonly devices: readonly ListedDevice[];
  /** All of the owner's, also those that the search hides. */
  readonly all: readonly ListedDevice[];
  readonly fields: readonly FieldName[];
}

/** The owner's devices, by group where there are groups. */
export function GroupedDevices({ devices, all, fields }: Props) {
  const { t } = useTranslation('app');
  const { groups, toggle } = useGroups();
  const [isEditing, setEditing] = useState(false);
  const isOwner = useMe().role === 'owner';
  const bar =
    all.length === 0 || !isOwner ? null : (
      <div className={classes.bar}>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Icon name="folder" size={14} />}
          onClick={() => setEditing(true)}
        >
          {t(groups.length === 0 ? 'groups.make' : 'groups.edit')}
        </Button>
      </div>
    );
  return (
    <>
      {groups.length === 0 ? null : bar}
      {groups.length === 0 ? (
        devices.length === 0 ? null : (
          <DeviceTable devices={devices} fields={fields} label={t('overview.mineLabel')} />
        )
      ) : (
        inGroups(groups, devices).map((section) =>
          section.group === null ? (
            <Section key="none" name={t('groups.none')} devices={section.devices} fields={fields} />
          ) : (
            <Section
              key={section.group.id}
              name={section.group.name}
              devices={section.devices}
              fields={fields}
              isCollapsed={section.group.isCollapsed}
              onToggle={() => toggle(section.group!.id)}
            />
          ),
        )
      )}
      {/* Whoever has no groups came for the devices. */}
      {groups.length === 0 ? bar : null}
      {isEditing ? (
        <Suspense fallback={null}>
          <GroupsDialog devices={all} onClose={() => setEditing(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

interface SectionProps {
  readonly name: string;
  readonly devices: readonly ListedDevice[];
  readonly fields: readonly FieldName[];
  readonly isCollapsed?: boolean;
  /** Missing where it does not collapse. */
  readonly onToggle?: () => void;
}

/** A group with its devices; collapsed, its header still says how many of them are silent. */
function Section({ name, devices, fields, isCollapsed = false, onToggle }: SectionProps) {
  const { t } = useTranslation('app');
  const format = useFormat();
  const id = useId();
  const silent = useFromNow(
    1000,
    (now) => devices.filter((device) => deviceStatus(device, device.node.lastKnown(now)) === 'silent').length,
  );
  const summary = (
    <span className={classes.summary}>
      {t('overview.countAll', { count: devices.length, number: format.integer(devices.length) })}
      {silent === 0 ? null : <span className={classes.silent}> · {t('overview.silentCount', { count: silent })}</span>}
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
      </h2>
      {isCollapsed ? null : <DeviceTable devices={devices} fields={fields} label={name} />}
    </section>
  );
}

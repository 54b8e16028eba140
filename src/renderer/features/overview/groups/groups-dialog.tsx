import { ActionIcon, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceSummary } from '../../../../shared/owner-api/devices.ts';
import type { DeviceGroup } from '../../../../shared/owner-data/choices.ts';
import { useOwnerChoices, useSetOwnerChoices } from '../../../api/queries/choices.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { CallFailure } from '../../../components/failure.tsx';
import { Icon } from '../../../components/icon.tsx';
import { withDeviceIn, withMoved } from '../../../devices/groups/groups.ts';
import { nameOf } from '../../../devices/names.ts';
import { useInOrder } from '../../../devices/selection/use-selection.ts';
import { newId } from '../../../new-id.ts';
import classes from './groups-dialog.module.css';

const LONGEST_NAME = 100;
/** The maximum number of devices listed. The search finds the others. */
const MOST_LISTED = 100;

/** Creates, names and orders groups, and assigns each device to a group. Each change is saved immediately. */
export default function GroupsDialog({
  devices,
  onClose,
}: {
  readonly devices: readonly DeviceSummary[];
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('app');
  const { groups } = useOwnerChoices();
  const save = useSetOwnerChoices();
  const [name, setName] = useState('');
  const [search, setSearch] = useState('');
  const keep = (change: (kept: readonly DeviceGroup[]) => DeviceGroup[]): void =>
    save.mutate((kept) => ({ groups: change(kept.groups) }));
  const add = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() === '') return;
    const added = { id: newId(), name: name.trim(), isCollapsed: false, devices: [] };
    keep((kept) => [...kept, added]);
    setName('');
  };
  // The order when the dialog was opened: a device that is assigned to a group stays where it is.
  const inOrder = useInOrder(devices);
  const [order] = useState(() => new Map(inOrder.map(({ id }, index) => [id, index])));
  const placed = devices.toSorted((a, b) => (order.get(a.id) ?? order.size) - (order.get(b.id) ?? order.size));
  const found = placed.filter((device) => nameOf(device).toLowerCase().includes(search.trim().toLowerCase()));
  const listed = found.slice(0, MOST_LISTED);
  return (
    <Dialog size="lg" onClose={onClose} title={t('groups.title')}>
      <Stack gap="md">
        <form onSubmit={add}>
          <Group gap="xs" align="flex-end" wrap="nowrap">
            <TextInput
              className={classes.grow ?? ''}
              size="sm"
              label={t('groups.new')}
              maxLength={LONGEST_NAME}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              data-autofocus
            />
            <Button type="submit" size="sm" leftSection={<Icon name="plus" size={14} />}>
              {t('groups.add')}
            </Button>
          </Group>
        </form>
        {groups.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('groups.text')}
          </Text>
        ) : (
          <ul className={classes.list} aria-label={t('groups.list')}>
            {groups.map((group, index) => (
              <GroupRow
                key={group.id}
                group={group}
                isFirst={index === 0}
                isLast={index === groups.length - 1}
                onName={(next) =>
                  keep((kept) => kept.map((each) => (each.id === group.id ? { ...each, name: next } : each)))
                }
                onMove={(step) => keep((kept) => withMoved(kept, group.id, step))}
                onDelete={() => keep((kept) => kept.filter(({ id }) => id !== group.id))}
              />
            ))}
          </ul>
        )}
        {groups.length === 0 ? null : (
          <>
            {devices.length > 10 ? (
              <TextInput
                size="sm"
                type="search"
                label={t('groups.search')}
                value={search}
                onChange={(event) => setSearch(event.currentTarget.value)}
              />
            ) : null}
            <ul className={classes.list} aria-label={t('groups.devices')}>
              {listed.map((device) => (
                <li key={device.id} className={classes.row}>
                  <bdi className={classes.grow}>{nameOf(device)}</bdi>
                  <NativeSelect
                    size="sm"
                    aria-label={t('groups.of', { name: nameOf(device) })}
                    value={groups.find((group) => group.devices.includes(device.id))?.id ?? ''}
                    onChange={({ currentTarget: { value } }) =>
                      keep((kept) => withDeviceIn(kept, device.id, value === '' ? null : value))
                    }
                    data={[
                      { value: '', label: t('groups.none') },
                      ...groups.map((group) => ({ value: group.id, label: group.name })),
                    ]}
                  />
                </li>
              ))}
            </ul>
            {found.length > listed.length ? (
              <Text size="xs" c="dimmed">
                {t('groups.more', { count: found.length - listed.length })}
              </Text>
            ) : null}
          </>
        )}
        <CallFailure error={save.error} lead={t('groups.failed')} />
      </Stack>
    </Dialog>
  );
}

interface GroupRowProps {
  readonly group: DeviceGroup;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onName: (name: string) => void;
  readonly onMove: (step: -1 | 1) => void;
  readonly onDelete: () => void;
}

function GroupRow({ group, isFirst, isLast, onName, onMove, onDelete }: GroupRowProps) {
  const { t } = useTranslation('app');
  const [name, setName] = useState(group.name);
  const rename = (): void => {
    const next = name.trim();
    if (next === '') setName(group.name);
    else if (next !== group.name) onName(next);
  };
  return (
    <li className={classes.row}>
      <TextInput
        className={classes.grow ?? ''}
        size="sm"
        aria-label={t('groups.name', { name: group.name })}
        maxLength={LONGEST_NAME}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={rename}
        onKeyDown={(event) => {
          if (event.key === 'Enter') rename();
        }}
      />
      {([-1, 1] as const).map((step) => (
        <ActionIcon
          key={step}
          variant="subtle"
          color="gray"
          size="lg"
          disabled={step === -1 ? isFirst : isLast}
          aria-label={t(step === -1 ? 'groups.up' : 'groups.down', { name: group.name })}
          onClick={() => onMove(step)}
        >
          <Icon name={step === -1 ? 'arrow-up' : 'arrow-down'} size={16} />
        </ActionIcon>
      ))}
      <ActionIcon
        variant="subtle"
        color="red"
        size="lg"
        aria-label={t('groups.delete', { name: group.name })}
        title={t('groups.deleteText')}
        onClick={onDelete}
      >
        <Icon name="trash" size={16} />
      </ActionIcon>
    </li>
  );
}

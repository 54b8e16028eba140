import { Button, Group, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ANY_FIELDS } from '../../../../shared/measures/derived.ts';
import type { DeviceGroup } from '../../../../shared/owner-data/choices.ts';
import { MAX_LINES } from '../../../../shared/owner-data/limits.ts';
import { Icon } from '../../../components/icon.tsx';
import { type ListedDevice, listKey } from '../../../devices/listed.ts';
import { nameOf } from '../../../devices/names.ts';
import { useSharedLabels } from '../../../devices/use-scales.ts';
import { isSent } from '../../../format/values.ts';
import { useDerivedByOf } from '../../../opening/derived.ts';
import { isSameLine, type LineId } from './lines-url.ts';

interface Props {
  /** All devices, in the order of lists. */
  readonly devices: readonly ListedDevice[];
  readonly groups: readonly DeviceGroup[];
  readonly lines: readonly LineId[];
  readonly onAdd: (lines: readonly LineId[]) => void;
}

/** Adds a field of a device, or of each device in a group, to the comparison. */
export function LinePicker({ devices, groups, lines, onAdd }: Props) {
  const { t } = useTranslation(['compare', 'app']);
  const [chosen, setChosen] = useState('');
  const [field, setField] = useState('');
  const inGroup = new Set(groups.flatMap((group) => group.devices));
  const listed = [
    ...groups.map((group) => ({
      label: group.name,
      devices: devices.filter(({ id }) => group.devices.includes(id)),
    })),
    { label: t('picker.noGroup'), devices: devices.filter(({ id }) => !inGroup.has(id)) },
  ].filter((each) => each.devices.length > 0);
  const group = groups.find(({ id }) => `group ${id}` === chosen);
  const wanted = group === undefined ? [chosen] : devices.filter(({ id }) => group.devices.includes(id)).map(listKey);
  const of = devices.filter((device) => wanted.includes(listKey(device)));
  const labelOf = useSharedLabels(of);
  const byOf = useDerivedByOf();
  const fields = ANY_FIELDS.filter((each) => of.some((device) => isSent(device.newest, each, byOf(device))));
  const selected = fields.find((each) => each === field) ?? fields[0];
  const added =
    selected === undefined
      ? []
      : of
          .filter((device) => isSent(device.newest, selected, byOf(device)))
          .map(({ id, node: { routeId: node } }) => ({
            ...{ device: id, field: selected },
            ...(node === undefined ? {} : { node }),
          }))
          .filter((line) => !lines.some((each) => isSameLine(each, line)));
  const isTooMany = lines.length + added.length > MAX_LINES;
  const add = (): void => {
    if (added.length > 0 && !isTooMany) onAdd(added);
  };
  return (
    <Group gap="xs" align="flex-end" role="group" aria-label={t('picker.label')}>
      <NativeSelect
        size="xs"
        label={t('picker.device')}
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
        data={[
          { value: '', label: t('picker.choose') },
          ...(groups.length === 0
            ? []
            : [
                {
                  group: t('picker.groups'),
                  items: groups.map(({ id, name }) => ({ value: `group ${id}`, label: t('picker.group', { name }) })),
                },
              ]),
          ...listed.map(({ label, devices: items }) => ({
            group: label,
            items: items.map((device) => ({ value: listKey(device), label: labelIn(device) })),
          })),
        ]}
      />
      <NativeSelect
        size="xs"
        miw={110}
        label={t('picker.field')}
        value={selected ?? ''}
        disabled={fields.length === 0}
        onChange={(event) => setField(event.currentTarget.value)}
        data={fields.map((each) => ({ value: each, label: t(`app:field.${labelOf(each)}`) }))}
      />
      <Button
        size="xs"
        leftSection={<Icon name="plus" size={14} />}
        disabled={added.length === 0 || isTooMany}
        onClick={add}
      >
        {t('picker.add')}
      </Button>
      {lines.length >= MAX_LINES || isTooMany ? (
        <span role="status">{t('picker.most', { count: MAX_LINES })}</span>
      ) : null}
    </Group>
  );
}

/** Returns the label of a device, with the name of its node if that is another node. */
function labelIn(device: ListedDevice): string {
  const other = device.node.other?.get();
  return other === undefined ? nameOf(device) : `${nameOf(device)} · ${other.name}`;
}

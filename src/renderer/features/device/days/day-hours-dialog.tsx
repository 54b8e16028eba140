import { Group, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceDetail } from '../../../../shared/owner-api/devices.ts';
import { USUAL_DAY } from '../../../../shared/owner-data/day-parts.ts';
import type { DayTimes } from '../../../../shared/owner-data/day-times.ts';
import { useSetOwnerChoices } from '../../../api/queries/choices.ts';
import { FormDialog } from '../../../components/dialog.tsx';
import { CallFailure } from '../../../components/failure.tsx';

interface Props {
  readonly device: DeviceDetail;
  readonly day: DayTimes;
  readonly onClose: () => void;
}

/** Sets the hours that count as day at a device, such as the hours of its lamps. */
export function DayHoursDialog({ device, day, onClose }: Props) {
  const { t } = useTranslation(['charts', 'app']);
  const save = useSetOwnerChoices();
  const [isOwn, setOwn] = useState(day.by === 'own');
  const [hours, setHours] = useState(day.hours ?? USUAL_DAY);
  const isRefused = isOwn && (hours.from === '' || hours.to === '' || hours.from === hours.to);
  const submit = (): void => {
    if (isRefused) return;
    save.mutate(
      ({ climate }) => {
        const { dayHours: _, ...rest } = climate[device.id] ?? {};
        return { climate: { ...climate, [device.id]: isOwn ? { ...rest, dayHours: hours } : rest } };
      },
      { onSuccess: onClose },
    );
  };
  return (
    <FormDialog
      title={t('days.hoursTitle')}
      submit={t('app:common.save')}
      isPending={save.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text size="xs" c="dimmed">
        {t('days.hoursText')}
      </Text>
      <Switch
        label={t('days.own')}
        checked={isOwn}
        onChange={(event) => setOwn(event.currentTarget.checked)}
        data-autofocus
      />
      {isOwn ? (
        <Group gap="sm" grow>
          {(['from', 'to'] as const).map((end) => (
            <TextInput
              key={end}
              type="time"
              size="sm"
              label={t(`days.${end === 'from' ? 'begins' : 'ends'}`)}
              value={hours[end]}
              error={isRefused && end === 'to' ? t('days.refused') : undefined}
              onChange={(event) => setHours({ ...hours, [end]: event.currentTarget.value })}
            />
          ))}
        </Group>
      ) : null}
      <CallFailure error={save.error} />
    </FormDialog>
  );
}

import { Alert, Button, Group, Text } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceDetail } from '../../../shared/owner-api/devices.ts';
import { errorCode } from '../../api/errors.ts';
import { useSetNotes } from '../../api/queries/devices.ts';
import { Icon } from '../../components/icon.tsx';
import { Card } from '../../components/layout/card.tsx';

function useHide({ id }: DeviceDetail) {
  const { t } = useTranslation(['device', 'app']);
  const save = useSetNotes();
  const failure = save.isError ? (
    <Text size="sm" c="red" role="alert">
      {t('hide.failed')} {t(`app:error.${errorCode(save.error)}.text`)}
    </Text>
  ) : null;
  return { ...save, failure, hide: (isHidden: boolean) => save.mutate({ id, change: { isHidden } }) };
}

/** Hides a device from all lists. Renders nothing if it is already hidden. */
export function HideCard({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('device');
  const { hide, isPending, failure } = useHide(device);
  if (device.notes.isHidden) return null;
  return (
    <Card level={3} title={t('hide.heading')}>
      <Text size="sm" c="dimmed">
        {t('hide.text')}
      </Text>
      <Group gap="xs">
        <Button variant="default" size="xs" loading={isPending} onClick={() => hide(true)}>
          {t('hide.hide')}
        </Button>
      </Group>
      {failure}
    </Card>
  );
}

/** The notice at the top of a hidden device's page, with the button that shows the device again. */
export function HiddenNote({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('device');
  const { hide, isPending, failure } = useHide(device);
  const { isHidden } = device.notes;
  const button = useRef<HTMLButtonElement>(null);
  const wasHidden = useRef(isHidden);
  // The button that hid the device is gone, so the focus moves to the button that undoes it.
  useLayoutEffect(() => {
    if (isHidden && !wasHidden.current && document.activeElement === document.body) button.current?.focus();
    wasHidden.current = isHidden;
  }, [isHidden]);
  if (!isHidden) return null;
  return (
    <Alert variant="light" color="gray" p="xs" icon={<Icon name="info" />}>
      <Group gap="sm">
        <span>{t('hide.isHidden')}</span>
        <Button ref={button} variant="default" size="compact-sm" loading={isPending} onClick={() => hide(false)}>
          {t('hide.show')}
        </Button>
      </Group>
      {failure}
    </Alert>
  );
}

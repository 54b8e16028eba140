import { Checkbox, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceName } from '../../../../shared/display-text.ts';
import type { DeviceDetail } from '../../../../shared/owner-api/devices.ts';
import { useForgetDevice } from '../../../api/queries/devices.ts';
import { FormDialog } from '../../../components/dialog.tsx';
import { CallFailure } from '../../../components/failure.tsx';
import { useFormat } from '../../../format/format.ts';
import { useOpening } from '../../../opening/opening.ts';
import { navigate } from '../../../router/router.ts';

/** The number of id digits that the owner types to confirm. The name may contain characters that the keyboard lacks. */
const TYPED_DIGITS = 6;

interface Props {
  readonly device: DeviceDetail;
  readonly store: 'private' | 'public';
  readonly onClose: () => void;
}

/** Deletes a device and its readings from one store. Asks twice, because there may be no other copy. */
export default function ForgetDialog({ device, store, onClose }: Props) {
  const { t } = useTranslation(['device', 'app']);
  const format = useFormat();
  const opening = useOpening();
  const isLast = device.stores.length === 1;
  const forget = useForgetDevice(device.id, isLast);
  const [isSure, setIsSure] = useState(false);
  const [keepsLog, setKeepsLog] = useState(false);
  const [asked, setAsked] = useState(false);
  const [typed, setTyped] = useState('');
  const count = device.readings.find((each) => each.store === store)?.count ?? 0;
  const expected = device.id.slice(0, TYPED_DIGITS);
  const isRight = typed.trim().toLowerCase() === expected;
  const submit = (): void => {
    if (!asked) {
      if (isSure) setAsked(true);
      return;
    }
    if (!isRight) return;
    forget.mutate(
      { store, keepsLog },
      {
        onSuccess: () => {
          opening.drop(device.id);
          onClose();
          if (isLast) navigate({ page: 'overview' });
        },
      },
    );
  };
  const name = deviceName(device);
  return (
    <FormDialog
      onClose={onClose}
      title={t(`forget.title.${store}`)}
      onSubmit={submit}
      submit={t(asked ? 'forget.forget' : 'forget.next')}
      isDanger
      isPending={forget.isPending}
      isDisabled={asked ? !isRight : !isSure}
    >
      <Text size="sm">{t(`forget.text.${store}`, { name, count, shown: format.integer(count) })}</Text>
      <Text size="sm">{t('forget.after')}</Text>
      {asked ? (
        <TextInput
          size="sm"
          label={t('forget.type', { digits: expected })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          autoFocus
        />
      ) : (
        <>
          {isLast ? (
            <Checkbox
              size="sm"
              label={t('forget.keepsLog')}
              description={t('forget.keepsLogText')}
              checked={keepsLog}
              onChange={(event) => setKeepsLog(event.currentTarget.checked)}
            />
          ) : null}
          <Checkbox
            size="sm"
            label={t('forget.sure', { count, shown: format.integer(count) })}
            checked={isSure}
            onChange={(event) => setIsSure(event.currentTarget.checked)}
          />
        </>
      )}
      <CallFailure error={forget.error} lead={t('forget.failed')} />
    </FormDialog>
  );
}

import { Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeLine } from '../components/copy-button.tsx';
import { Dialog } from '../keys/parts/dialog.tsx';
import { Fault } from '../keys/parts/messages.tsx';
import { QrCode } from '../keys/parts/qr-code.tsx';
import { deviceKeyText } from '../keys/session/opening.ts';
import { useKeys } from '../keys/session/page-keys.ts';
import type { KeyDevice } from '../keys/session/types.ts';

interface Props {
  readonly device: KeyDevice;
  readonly keyVersion: number;
  /** The key was just made, so the device does not have it yet. */
  readonly isNew: boolean;
  readonly onClose: () => void;
}

/** A device's key of one version in clear, as text and as a QR code. Closes when the keys are locked. */
export default function GiveDialog({ device, keyVersion, isNew, onClose }: Props) {
  const { t } = useTranslation('keyring');
  const { id, ownerPubkey } = device;
  const [text, setText] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const keySession = useKeys();
  useEffect(() => {
    let isLatest = true;
    deviceKeyText(keySession, { id, ownerPubkey }, keyVersion).then(
      (answer) => {
        if (isLatest) setText(answer);
      },
      (reason: unknown) => {
        if (isLatest) setError(reason);
      },
    );
    return () => {
      isLatest = false;
    };
  }, [keySession, id, ownerPubkey, keyVersion]);
  return (
    <Dialog title={t('give.title', { version: keyVersion })} onClose={onClose}>
      <Stack gap="sm">
        {isNew ? <Text size="sm">{t('give.new', { version: keyVersion })}</Text> : null}
        <Text size="sm">{t('give.text')}</Text>
        <Fault error={error} />
        {text === null ? null : (
          <>
            <QrCode text={text} label={t('give.qr', { version: keyVersion })} />
            <CodeLine text={text} label={t('give.copy')} />
          </>
        )}
        <Text size="xs" c="dimmed">
          {t('give.secret')}
        </Text>
      </Stack>
    </Dialog>
  );
}

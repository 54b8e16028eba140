import { Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { CodeLine } from '../../../components/code-line.tsx';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Fault } from '../parts/fault.tsx';
import { QrCode } from '../parts/qr-code.tsx';
import { deviceKeyText } from '../session/opening.ts';
import type { KeyDevice } from '../session/types.ts';

interface Props {
  readonly device: KeyDevice;
  readonly keyVersion: number;
  /** It was made just now: the device does not know it yet. */
  readonly isNew: boolean;
  readonly onClose: () => void;
}

/** The key that a device must be given for a version, in clear: as text and as a QR code. It goes when the keys are locked. */
export default function GiveDialog({ device, keyVersion, isNew, onClose }: Props) {
  const { t } = useTranslation('keyring');
  const { id, ownerPubkey } = device;
  const [text, setText] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    let isLatest = true;
    deviceKeyText({ id, ownerPubkey }, keyVersion).then(
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
  }, [id, ownerPubkey, keyVersion]);
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

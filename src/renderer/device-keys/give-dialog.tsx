import { Button, Stack, Text } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeLine } from '../components/codes/copy-button.tsx';
import { QrCode } from '../components/codes/qr-code.tsx';
import { Dialog, DialogFooter } from '../components/dialog.tsx';
import { PassphraseInput } from '../keys/inputs/passphrase.tsx';
import { Fault } from '../keys/parts/messages.tsx';
import { useAction } from '../keys/parts/use-action.ts';
import { deviceKeyText } from '../keys/session/opening.ts';
import { useKeys } from '../keys/session/page-keys.ts';
import type { KeyDevice } from '../keys/types.ts';

interface Props {
  readonly device: KeyDevice;
  readonly keyVersion: number;
  /** Whether the key was just made, so that the device does not have it yet. */
  readonly isNew: boolean;
  readonly onClose: () => void;
}

/**
 * A dialog that shows a device's key of one version in clear, as text and as a QR code. It asks for the passphrase
 * first.
 */
export default function GiveDialog({ device, keyVersion, isNew, onClose }: Props) {
  const { t } = useTranslation(['keyring', 'keys']);
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState<string | null>(null);
  const keySession = useKeys();
  const action = useAction();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const passphrase = input.current?.value ?? '';
    action.run(async () => setText(await deviceKeyText(keySession, device, keyVersion, passphrase)));
  };
  return (
    <Dialog title={t('give.title', { version: keyVersion })} onClose={onClose}>
      {isNew ? <Text size="sm">{t('give.new', { version: keyVersion })}</Text> : null}
      {text === null ? (
        <form onSubmit={submit}>
          <Stack gap="sm">
            <Text size="sm">{t('give.ask')}</Text>
            <PassphraseInput ref={input} label={t('keys:unlock.passphrase')} data-autofocus />
            <Fault error={action.error} />
            <DialogFooter onLeave={onClose}>
              <Button type="submit" size="xs" loading={action.isRunning}>
                {t('give.show')}
              </Button>
            </DialogFooter>
          </Stack>
        </form>
      ) : (
        <>
          <Text size="sm">{t('give.text')}</Text>
          <QrCode text={text} label={t('give.qr', { version: keyVersion })} />
          <CodeLine text={text} label={t('give.copy')} isSecret />
          <Text size="xs" c="dimmed">
            {t('give.secret')}
          </Text>
        </>
      )}
    </Dialog>
  );
}

import { Button, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCare } from '../../api/queries/backups.ts';
import { useFaultText } from '../../backups/fault-text.ts';
import { Dialog, DialogFooter } from '../../components/dialog.tsx';
import { Failure } from '../../components/failure.tsx';
import { NewPassphrase } from '../../keys/inputs/passphrase.tsx';

/** Makes one backup with a passphrase. The node keeps the passphrase only until the file is written. */
export function PassphraseDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('backups');
  const { ofError } = useFaultText();
  const make = useCare('makeBackup');
  const [passphrase, setPassphrase] = useState<string | null>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (passphrase !== null) make.mutate({ passphrase }, { onSuccess: onClose });
  };
  return (
    <Dialog onClose={onClose} title={t('passphrase.title')} size="lg">
      {isSecureContext ? (
        <form onSubmit={submit}>
          <Stack gap="sm">
            <Text size="sm">{t('passphrase.text')}</Text>
            <NewPassphrase onChosen={setPassphrase} />
            <Failure>{make.isError ? ofError(make.error) : null}</Failure>
            <DialogFooter onLeave={onClose}>
              <Button type="submit" size="xs" disabled={passphrase === null} loading={make.isPending}>
                {t('passphrase.start')}
              </Button>
            </DialogFooter>
          </Stack>
        </form>
      ) : (
        <p role="alert">{t('key.insecure')}</p>
      )}
    </Dialog>
  );
}

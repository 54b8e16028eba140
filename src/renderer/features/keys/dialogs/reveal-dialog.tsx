import { Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useTellKeysExported } from '../../../api/queries/audit.ts';
import { CodeLine } from '../../../components/codes/copy-button.tsx';
import { Dialog, DialogFooter } from '../../../components/dialog.tsx';
import { PassphraseInput } from '../../../keys/inputs/passphrase.tsx';
import { Caution, Fault } from '../../../keys/parts/messages.tsx';
import { PhraseSheet } from '../../../keys/parts/phrase-sheet.tsx';
import { useAction } from '../../../keys/parts/use-action.ts';
import { useKeys } from '../../../keys/session/page-keys.ts';
import type { SecretView } from '../../../keys/types.ts';
import type { RevealedSecret } from '../../../keys/worker/protocol.ts';

/** Shows a stored phrase or seed again. Requires the passphrase. */
export default function RevealDialog({ secret, onClose }: { secret: SecretView; onClose: () => void }) {
  const { t } = useTranslation('keys');
  const input = useRef<HTMLInputElement>(null);
  const [revealed, setRevealed] = useState<RevealedSecret | null>(null);
  const keySession = useKeys();
  const action = useAction();
  const tellExported = useTellKeysExported();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const passphrase = input.current?.value ?? '';
    action.run(async () => {
      setRevealed(await keySession.ask('reveal', { secretId: secret.id, passphrase }));
      tellExported.mutate('phrase');
    });
  };
  return (
    <Dialog title={t('reveal.title')} onClose={onClose}>
      {revealed === null ? (
        <form onSubmit={submit}>
          <Stack gap="sm">
            <Text size="sm">{t('reveal.text')}</Text>
            <PassphraseInput ref={input} label={t('unlock.passphrase')} data-autofocus />
            <Fault error={action.error} />
            <DialogFooter onLeave={onClose}>
              <Button type="submit" size="xs" loading={action.isRunning}>
                {t('reveal.show')}
              </Button>
            </DialogFooter>
          </Stack>
        </form>
      ) : (
        <Stack gap="sm">
          <Caution>{t('reveal.caution')}</Caution>
          {revealed.kind === 'phrase' ? (
            <PhraseSheet words={revealed.words} language={secret.language} label={secret.label} />
          ) : (
            <CodeLine text={revealed.seedHex} label={t('reveal.copySeed')} isSecret />
          )}
          <Group justify="flex-end">
            <Button size="xs" onClick={onClose}>
              {t('common.done')}
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  );
}

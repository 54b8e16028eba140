import { Button, Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { shortId } from '../../../shared/display-text.ts';
import { errorCode } from '../../api/errors.ts';
import { useAdoptDevice } from '../../api/queries/gate.ts';
import { useSmallScreen } from '../../components/browser/small-screen.ts';
import { DialogFooter } from '../../components/dialog-footer.tsx';
import { type Kept, KeptFields } from './kept-fields.tsx';

/** Registers a device that tried to get in, with a name and a policy that the owner gives it. */
export function AdoptButton({ id, name: first = '' }: { id: string; name?: string }) {
  const { t } = useTranslation('app');
  const isSmall = useSmallScreen();
  const adopt = useAdoptDevice();
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState(first);
  const [kept, setKept] = useState<Kept>({});
  const close = (): void => {
    setOpen(false);
    adopt.reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() !== '') adopt.mutate({ id, name: name.trim(), dispositions: kept }, { onSuccess: close });
  };
  return (
    <>
      <Button
        size="compact-xs"
        aria-label={t('gate.adoptOf', { id: shortId(id) })}
        onClick={() => {
          setName(first);
          setKept({});
          setOpen(true);
        }}
      >
        {t('gate.adopt')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={t('gate.adoptTitle')}
        closeButtonProps={{ 'aria-label': t('common.close') }}
        fullScreen={isSmall}
      >
        <form onSubmit={submit}>
          <Stack gap="sm">
            <p>{t('gate.adoptText', { id: shortId(id) })}</p>
            <TextInput
              data-autofocus
              label={t('gate.name')}
              value={name}
              maxLength={100}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <KeptFields kept={kept} onChange={setKept} />
            {adopt.isError ? <p role="alert">{t(`error.${errorCode(adopt.error)}.title`)}</p> : null}
            <DialogFooter leave={t('common.close')} onLeave={close}>
              <Button type="submit" size="xs" loading={adopt.isPending} disabled={name.trim() === ''}>
                {t('gate.adoptNow')}
              </Button>
            </DialogFooter>
          </Stack>
        </form>
      </Modal>
    </>
  );
}

import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorCode } from '../api/errors.ts';
import { CareRefused, useCare } from '../api/queries/backups.ts';
import { Dialog, DialogFooter } from '../components/dialog.tsx';
import { Failure } from '../components/failure.tsx';

/** A button that brings back the data that a restore moved away, after the owner has confirmed it. */
export function UndoRestore({ path, isBusy = false }: { path: string; isBusy?: boolean }) {
  const { t } = useTranslation('backups');
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button size="xs" variant="default" disabled={isBusy} onClick={() => setAsked(true)}>
        {t('undo.button')}
      </Button>
      {isAsked ? <UndoDialog path={path} onClose={() => setAsked(false)} /> : null}
    </>
  );
}

function UndoDialog({ path, onClose }: { path: string; onClose: () => void }) {
  const { t } = useTranslation(['backups', 'app']);
  const undo = useCare('undoRestore');
  const { error } = undo;
  return (
    <Dialog onClose={onClose} title={t('undo.title')}>
      <Text size="sm">{t('undo.text')}</Text>
      <Failure>
        {error === null
          ? null
          : error instanceof CareRefused
            ? t(`fault.${error.problem.fault}`)
            : t(`app:error.${errorCode(error)}.text`)}
      </Failure>
      <DialogFooter onLeave={onClose}>
        <Button
          size="xs"
          color="red"
          loading={undo.isPending}
          onClick={() => undo.mutate({ confirm: path }, { onSuccess: onClose })}
        >
          {t('undo.start')}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

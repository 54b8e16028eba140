import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { shortId } from '../../../shared/display-text.ts';
import type { JoinAttempt } from '../../../shared/owner-api/gate.ts';
import { useAdoptDevice } from '../../api/queries/gate.ts';
import { useSmallScreen } from '../../components/browser/small-screen.ts';
import { FormDialog } from '../../components/dialog.tsx';
import { CallFailure } from '../../components/failure.tsx';
import classes from './connect.module.css';
import { type Kept, KeptFields } from './kept-fields.tsx';

interface Props {
  readonly id: string;
  /** The registration to accept; null if the device only sent readings. */
  readonly attempt: JoinAttempt | null;
}

/** A button that registers a device that tried to join. The owner sets its name and what is kept of its readings. */
export function AdoptButton({ id, attempt }: Props) {
  const first = attempt?.name ?? '';
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
  const submit = (): void => {
    const registration = attempt?.registration ?? null;
    if (name.trim() === '') return;
    adopt.mutate({ id, registration, name: name.trim(), dispositions: kept }, { onSuccess: close });
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
      {isOpen ? (
        <FormDialog
          onClose={close}
          title={t('gate.adoptTitle')}
          isFullScreen={isSmall}
          onSubmit={submit}
          submit={t('gate.adoptNow')}
          isPending={adopt.isPending}
          isDisabled={name.trim() === ''}
          leave={t('common.close')}
        >
          <p>{t('gate.adoptText', { id: shortId(id) })}</p>
          {attempt === null ? null : (
            <>
              <p>
                {attempt.ownerName === null
                  ? t('gate.adoptOwner', { name: attempt.name })
                  : t('gate.adoptNamedOwner', { name: attempt.name, owner: attempt.ownerName })}
              </p>
              <code className={classes.hex}>{attempt.ownerPubkey}</code>
            </>
          )}
          <TextInput
            data-autofocus
            label={t('gate.name')}
            value={name}
            maxLength={100}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <KeptFields kept={kept} onChange={setKept} />
          <CallFailure error={adopt.error} />
        </FormDialog>
      ) : null}
    </>
  );
}

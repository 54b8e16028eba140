import { Alert, Progress } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { errorCode } from '../../api/errors.ts';
import { Icon } from '../../components/icon.tsx';
import { KeySessionError } from '../types.ts';
import classes from './parts.module.css';

/** A warning inside of a text. */
export function Caution({ children, role }: { children: ReactNode; role?: 'status' }) {
  return (
    <div className={classes.caution} role={role}>
      <Icon name="alert" size={16} />
      <span>{children}</span>
    </div>
  );
}

/** The reason why an action on the keys failed. */
export function Fault({ error }: { error: unknown }) {
  const { t } = useTranslation(['keys', 'app']);
  if (error === null || error === undefined) return null;
  const text = error instanceof KeySessionError ? t(`fault.${error.code}`) : t(`app:error.${errorCode(error)}.text`);
  return (
    <Alert variant="light" color="red" p="xs" role="alert">
      {text}
    </Alert>
  );
}

/** The progress of deriving a key from a passphrase, from 0 to 1. */
export function WorkProgress({ done }: { done: number }) {
  const { t } = useTranslation('keys');
  return <Progress value={done * 100} size="sm" aria-label={t('unlock.working')} transitionDuration={0} />;
}

import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { errorCode } from '../api/errors.ts';

/** The reason why something failed. Renders nothing if `children` is null or undefined. */
export function Failure({ children }: { children: ReactNode }) {
  if (children === null || children === undefined) return null;
  return (
    <Alert variant="light" color="red" p="xs" role="alert">
      {children}
    </Alert>
  );
}

interface CallFailureProps {
  /** The error of the call; null or undefined if it did not fail. */
  readonly error: unknown;
  /** A sentence before the reason that says what was not done. */
  readonly lead?: string;
}

/** The reason why a call to the node failed. */
export function CallFailure({ error, lead }: CallFailureProps) {
  const { t } = useTranslation('app');
  if (error === null || error === undefined) return null;
  const reason = t(`error.${errorCode(error)}.text`);
  return <Failure>{lead === undefined ? reason : `${lead} ${reason}`}</Failure>;
}

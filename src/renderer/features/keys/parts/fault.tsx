import { Alert } from '@mantine/core';
import { errorCode } from '../../../api/errors.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { KeySessionError } from '../session/types.ts';

/** Says in words why something with the keys failed. */
export function Fault({ error }: { error: unknown }) {
  const { t } = useTranslation('keys');
  if (error === null || error === undefined) return null;
  const text = error instanceof KeySessionError ? t(`fault.${error.code}`) : t(`app:error.${errorCode(error)}.text`);
  return (
    <Alert variant="light" color="red" p="xs" role="alert">
      {text}
    </Alert>
  );
}

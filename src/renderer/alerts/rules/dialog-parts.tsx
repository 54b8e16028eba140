import { Alert, Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorCode } from '../../api/errors.ts';
import { useAlertCall } from '../../api/queries/alerts.ts';

/** The reason why a call failed; nothing if it did not fail. */
export function CallFailed({ error }: { error: Error | null }) {
  const { t } = useTranslation(['alerting', 'app']);
  if (error === null) return null;
  return (
    <Alert variant="light" color="red" p="xs" role="alert">
      {t('failed')} {t(`app:error.${errorCode(error)}.text`)}
    </Alert>
  );
}

/** A button that deletes one of the owner's rules at the second press. */
export function DeleteRule({ id, onDeleted }: { id: string; onDeleted: () => void }) {
  const remove = useAlertCall('deleteAlertRule');
  const { t } = useTranslation('alerting');
  return (
    <>
      <CallFailed error={remove.error} />
      <DeleteTwice
        label={t('rule.delete')}
        isPending={remove.isPending}
        onDelete={() => remove.mutate({ id }, { onSuccess: onDeleted })}
      />
    </>
  );
}

/** A button that deletes at the second press. */
export function DeleteTwice({
  label,
  isPending,
  onDelete,
}: {
  readonly label: string;
  readonly isPending: boolean;
  readonly onDelete: () => void;
}) {
  const { t } = useTranslation('alerting');
  const [isSure, setSure] = useState(false);
  return (
    <Group>
      <Button
        variant={isSure ? 'filled' : 'default'}
        color="red"
        size="xs"
        loading={isPending}
        onClick={() => (isSure ? onDelete() : setSure(true))}
      >
        {isSure ? t('deleteSure') : label}
      </Button>
    </Group>
  );
}

import { Alert, Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { HeldBack } from '../../../shared/owner-api/backups.ts';
import { useCare } from '../../api/queries/backups.ts';
import { useFaultText } from '../../backups/fault-text.ts';
import { Failure } from '../../components/failure.tsx';
import { Icon } from '../../components/icon.tsx';
import classes from './backups.module.css';

/**
 * Lists the restored items that would listen, send or grant access. They are off until the owner confirms each, or all.
 */
export function HeldBackCard({ items }: { items: readonly HeldBack[] }) {
  const { t } = useTranslation('backups');
  const { ofError } = useFaultText();
  const confirm = useCare('confirmHeldBack');
  const drop = useCare('dropHeldBack');
  if (items.length === 0) return null;
  const isPending = confirm.isPending || drop.isPending;
  const error = confirm.error ?? drop.error;
  const all = items.map(({ id }) => id);
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="alert" />} title={t('heldBack.title')} role="alert">
      <p>{t('heldBack.text')}</p>
      <ul className={classes.held}>
        {items.map(({ id, kind, detail }) => (
          <li key={id}>
            <span>
              {t(`heldBack.kind.${kind}`)} <bdi className={classes.path}>{detail}</bdi>
            </span>
            <Group gap="xs" wrap="nowrap">
              <Button
                size="xs"
                variant="default"
                disabled={isPending}
                aria-label={t('heldBack.confirmOf', { what: `${t(`heldBack.kind.${kind}`)} ${detail}` })}
                onClick={() => confirm.mutate({ ids: [id] })}
              >
                {t('heldBack.confirm')}
              </Button>
              <Button
                size="xs"
                variant="subtle"
                disabled={isPending}
                aria-label={t('heldBack.dropOf', { what: `${t(`heldBack.kind.${kind}`)} ${detail}` })}
                onClick={() => drop.mutate({ ids: [id] })}
              >
                {t('heldBack.drop')}
              </Button>
            </Group>
          </li>
        ))}
      </ul>
      <Failure>{error === null ? null : ofError(error)}</Failure>
      <Button size="xs" disabled={isPending} onClick={() => confirm.mutate({ ids: all })}>
        {t('heldBack.confirmAll')}
      </Button>
    </Alert>
  );
}

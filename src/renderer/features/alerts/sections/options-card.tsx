import { Button, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CallFailed } from '../../../alerts/rules/dialog-parts.tsx';
import type { useSetAlertOptions } from '../../../api/queries/alerts.ts';
import { Card } from '../../../components/layout/card.tsx';
import classes from './options-card.module.css';

interface OptionsCardProps {
  readonly title: string;
  readonly save: ReturnType<typeof useSetAlertOptions>;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** A card with a form of alert options, its button, and the outcome of the last save. */
export function OptionsCard({ title, save, onSubmit, children }: OptionsCardProps) {
  const { t } = useTranslation(['alerting', 'app']);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Card isFlush title={title}>
      <form onSubmit={submit} noValidate className={classes.form}>
        <Stack gap="sm">
          {children}
          <CallFailed error={save.error} />
          <div className={classes.foot}>
            <span role="status">{save.isSuccess ? t('saved') : ''}</span>
            <Button type="submit" size="xs" loading={save.isPending}>
              {t('app:common.save')}
            </Button>
          </div>
        </Stack>
      </form>
    </Card>
  );
}

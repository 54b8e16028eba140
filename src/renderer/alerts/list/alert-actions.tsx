import { Button, Group, Menu } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Alert } from '../../../shared/alerts/alert.ts';
import { errorCode } from '../../api/errors.ts';
import { useMe } from '../../api/me.tsx';
import { useNode } from '../../api/node-connection.ts';
import { useAlertCall } from '../../api/queries/alerts.ts';
import { Icon } from '../../components/icon.tsx';
import classes from './alert-list.module.css';
import { inAnHour, tomorrow } from './snooze.ts';

const SnoozeDialog = lazy(() => import('./snooze-dialog.tsx'));

/** The buttons that acknowledge or snooze a live alert. `title` tells the buttons of a list apart. */
export function AlertActions({ alert, title }: { alert: Alert; title: string }) {
  const { t } = useTranslation(['alerting', 'app']);
  const { clock } = useNode();
  const acknowledge = useAlertCall('acknowledgeAlert');
  const snooze = useAlertCall('snoozeAlert');
  const [isChoosing, setChoosing] = useState(false);
  const { role } = useMe();
  if (alert.state === 'pending' || role !== 'owner') return null;
  const { id, state } = alert;
  const failed = acknowledge.error ?? snooze.error;
  return (
    <Group gap={6} className={classes.actions ?? ''}>
      {state === 'acknowledged' ? null : (
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="check" size={14} />}
          loading={acknowledge.isPending}
          aria-label={t('acknowledgeOf', { title })}
          onClick={() => acknowledge.mutate({ id })}
        >
          {t('acknowledge')}
        </Button>
      )}
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="clock" size={14} />}
            loading={snooze.isPending}
            aria-label={t('snoozeOf', { title })}
          >
            {t('snooze.open')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => snooze.mutate({ id, until: inAnHour(clock.now()) })}>{t('snooze.hour')}</Menu.Item>
          <Menu.Item onClick={() => snooze.mutate({ id, until: tomorrow(clock.now()) })}>
            {t('snooze.tomorrow')}
          </Menu.Item>
          <Menu.Item onClick={() => setChoosing(true)}>{t('snooze.choose')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {failed === null ? null : (
        <span role="alert" className={classes.failed}>
          {t('failed')} {t(`app:error.${errorCode(failed)}.title`)}
        </span>
      )}
      {isChoosing ? (
        <Suspense fallback={null}>
          <SnoozeDialog
            title={title}
            onClose={() => setChoosing(false)}
            onChosen={(until) => {
              setChoosing(false);
              snooze.mutate({ id, until });
            }}
          />
        </Suspense>
      ) : null}
    </Group>
  );
}

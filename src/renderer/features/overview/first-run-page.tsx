import { Button, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { UnregisteredDevice } from '../../../shared/owner-api/overview.ts';
import { errorCode } from '../../api/errors.ts';
import { useStartDemo } from '../../api/queries/overview.ts';
import { Icon, Logo } from '../../components/icon.tsx';
import classes from '../../devices/connect/connect.module.css';
import { ConnectSteps } from '../../devices/connect/connect-steps.tsx';
import { Knocking } from '../../devices/knocking/knocking.tsx';

/** Shown before any device has registered; the overview replaces it when the first one does. */
export default function FirstRunPage({ unregistered }: { unregistered: readonly UnregisteredDevice[] }) {
  const { t } = useTranslation('app');
  const demo = useStartDemo();
  return (
    <div className={classes.page}>
      <div className={classes.welcome}>
        <Logo size={44} />
        <div>
          <Title order={1} size="h2">
            {t('firstRun.title')}
          </Title>
          <p className={classes.lead}>{t('firstRun.text')}</p>
          <div className={classes.demo}>
            <Button
              leftSection={<Icon name="play" />}
              loading={demo.isPending || demo.isSuccess}
              onClick={() => demo.mutate()}
            >
              {t('firstRun.demo')}
            </Button>
            <span className={classes.note}>{t('firstRun.demoText')}</span>
          </div>
          {demo.isError ? (
            <p role="alert" className={classes.failed}>
              {t('firstRun.demoFailed', { reason: t(`error.${errorCode(demo.error)}.title`) })}
            </p>
          ) : null}
        </div>
      </div>
      <Knocking unregistered={unregistered} />
      <ConnectSteps />
    </div>
  );
}

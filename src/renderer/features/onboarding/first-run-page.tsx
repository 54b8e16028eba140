import { Button, Title } from '@mantine/core';
import type { UnregisteredDevice } from '../../../shared/owner-api.ts';
import { errorCode } from '../../api/errors.ts';
import { useStartDemo } from '../../api/queries.ts';
import { Icon } from '../../components/icon.tsx';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Logo } from '../../shell/logo.tsx';
import classes from '../connect/connect.module.css';
import { ConnectSteps } from '../connect/connect-steps.tsx';
import { Knocking } from '../overview/knocking.tsx';

/** What an owner sees before any device has registered; the list takes its place with the first. */
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

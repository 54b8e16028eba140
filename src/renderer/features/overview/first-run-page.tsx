import { Title } from '@mantine/core';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import type { UnregisteredDevice } from '../../../shared/owner-api/overview.ts';
import { errorCode } from '../../api/errors.ts';
import { useStartDemo } from '../../api/queries/overview.ts';
import { Icon, Logo } from '../../components/icon.tsx';
import classes from '../../devices/connect/connect.module.css';
import choice from '../../devices/connect/ways/where-choice.module.css';
import { WhereChoice } from '../../devices/connect/ways/where-choice.tsx';
import { Knocking } from '../../devices/knocking/knocking.tsx';
import { linkTo } from '../../router/router.ts';

await i18next.loadNamespaces(['join']);

/** Shown before any device has registered. The overview replaces it when the first device does. */
export default function FirstRunPage({ unregistered }: { unregistered: readonly UnregisteredDevice[] }) {
  const { t } = useTranslation(['app', 'join']);
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
          {demo.isError ? (
            <p role="alert" className={classes.failed}>
              {t('firstRun.demoFailed', { reason: t(`error.${errorCode(demo.error)}.title`) })}
            </p>
          ) : null}
        </div>
      </div>
      <Knocking unregistered={unregistered} />
      <WhereChoice chosen={null}>
        <button
          type="button"
          className={choice.choice}
          disabled={demo.isPending || demo.isSuccess}
          onClick={() => demo.mutate()}
        >
          <Icon name="play" size={22} />
          <span>
            <strong>{t('join:where.demo')}</strong>
            <span className={choice.text}>{t('firstRun.demoText')}</span>
          </span>
        </button>
      </WhereChoice>
      <p className={classes.lead}>
        <a href={linkTo({ page: 'setup' })}>{t('join:where.steps')}</a>
      </p>
      <p className={classes.lead}>
        <a href={linkTo({ page: 'backups' })}>{t('join:where.restore')}</a>
      </p>
    </div>
  );
}

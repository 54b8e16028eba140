import { Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useOverview } from '../../api/queries/overview.ts';
import classes from '../../devices/connect/connect.module.css';
import { ConnectSteps } from '../../devices/connect/connect-steps.tsx';
import { Knocking } from '../../devices/knocking/knocking.tsx';
import { useTitle } from '../../router/title.ts';

/** How to connect another device. */
export default function ConnectPage() {
  const { t } = useTranslation('app');
  const { data } = useOverview();
  useTitle(t('connect.title'));
  return (
    <div className={classes.page}>
      <Title order={1} size="h3">
        {t('connect.title')}
      </Title>
      <p className={classes.lead}>{t('connect.text')}</p>
      {data === undefined ? null : <Knocking unregistered={data.unregistered} />}
      <ConnectSteps />
    </div>
  );
}

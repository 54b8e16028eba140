import { Title } from '@mantine/core';
import { useOverview } from '../../api/queries.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { useTitle } from '../../title.ts';
import { Knocking } from '../overview/knocking.tsx';
import classes from './connect.module.css';
import { ConnectSteps } from './connect-steps.tsx';

/** How to connect a further device. */
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

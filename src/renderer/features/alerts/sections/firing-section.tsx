import { useTranslation } from 'react-i18next';
import { AlertItem } from '../../../alerts/list/alert-item.tsx';
import listClasses from '../../../alerts/list/alert-list.module.css';
import { worstFirst } from '../../../alerts/list/order.ts';
import { SealedAlerts } from '../../../alerts/sealed/sealed-alerts.tsx';
import { useAlerts } from '../../../api/queries/alerts.ts';
import { Card } from '../../../components/layout/card.tsx';
import { EmptyState, ErrorState, PageLoading } from '../../../components/states.tsx';
import classes from '../alerts.module.css';

/** What is wrong now, the worst first; and below it what may become an alert. */
export function FiringSection() {
  const { t } = useTranslation('alerting');
  const { data, error, refetch } = useAlerts();
  if (data === undefined) {
    return error === null ? <PageLoading /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  const sorted = worstFirst(data);
  const firing = sorted.filter(({ state }) => state !== 'pending');
  const pending = sorted.filter(({ state }) => state === 'pending');
  return (
    <div className={classes.panel}>
      <SealedAlerts title={t('sealed.title')} />
      {firing.length === 0 ? (
        <EmptyState icon="check" title={t('firing.none')}>
          {t('firing.noneText')}
        </EmptyState>
      ) : (
        <Card isFlush title={t('firing.title', { count: firing.length })}>
          <ul className={listClasses.list}>
            {firing.map((alert) => (
              <AlertItem key={alert.id} alert={alert} />
            ))}
          </ul>
        </Card>
      )}
      {pending.length === 0 ? null : (
        <Card isFlush title={t('pending.title')}>
          <p className={classes.text}>{t('pending.text')}</p>
          <ul className={listClasses.list}>
            {pending.map((alert) => (
              <AlertItem key={alert.id} alert={alert} />
            ))}
          </ul>
        </Card>
      )}
    </div>
  );
}

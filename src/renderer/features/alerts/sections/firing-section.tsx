import { useTranslation } from 'react-i18next';
import type { Alert } from '../../../../shared/alerts/alert.ts';
import { openAlerts, settledAlerts, worstFirst } from '../../../../shared/alerts/open-alerts.ts';
import { AlertItem } from '../../../alerts/list/alert-item.tsx';
import listClasses from '../../../alerts/list/alert-list.module.css';
import { useUnwatched, useUnwatchedNames } from '../../../alerts/rules/use-unwatched.ts';
import { SealedAlerts } from '../../../alerts/sealed/sealed-alerts.tsx';
import { OwnerOnly } from '../../../api/me.tsx';
import { useAlerts } from '../../../api/queries/alerts.ts';
import { Card } from '../../../components/layout/card.tsx';
import { EmptyState, ErrorState, PageLoading } from '../../../components/states.tsx';
import { nameOf } from '../../../devices/names.ts';
import { linkTo } from '../../../router/router.ts';
import classes from '../alerts.module.css';

/** The maximum number of devices listed. The rest is shown as a number. */
const MOST = 20;

const RULES = `${linkTo({ page: 'alerts', id: null })}?tab=rules`;

/** Lists the values that no rule watches, one line per device, with links to where ranges are set. */
function UnwatchedCard() {
  const { t } = useTranslation('alerting');
  const unwatched = useUnwatched();
  const namesOf = useUnwatchedNames();
  if (unwatched.length === 0) return null;
  const rest = unwatched.length - MOST;
  return (
    <Card isFlush title={t('unwatched.title')}>
      <p className={classes.text}>{t('unwatched.text')}</p>
      <ul className={classes.unwatched}>
        {unwatched.slice(0, MOST).map((each) => (
          <li key={each.device.id}>
            <a href={linkTo({ page: 'device', id: each.device.id })}>
              <bdi>{nameOf(each.device)}</bdi>
            </a>
            <span className={classes.colon}>{': '}</span>
            {namesOf(each)}
          </li>
        ))}
      </ul>
      {rest > 0 ? <p className={classes.text}>{t('unwatched.more', { count: rest })}</p> : null}
      <div className={classes.links}>
        <a href={RULES}>{t('rules.add')}</a>
      </div>
    </Card>
  );
}

/**
 * Lists the alerts that wait for the owner, the worst first; then the acknowledged and snoozed ones; then the pending
 * ones.
 */
export function FiringSection() {
  const { t } = useTranslation('alerting');
  const { data, error, refetch } = useAlerts();
  if (data === undefined) {
    return error === null ? <PageLoading /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  const open = worstFirst(openAlerts(data));
  const settled = worstFirst(settledAlerts(data));
  const pending = worstFirst(data.filter(({ state }) => state === 'pending'));
  return (
    <div className={classes.panel}>
      <SealedAlerts title={t('sealed.title')} />
      {open.length === 0 && settled.length === 0 ? (
        <EmptyState icon="check" title={t('firing.none')}>
          {t('firing.noneText')}
        </EmptyState>
      ) : null}
      <AlertsCard title={t('firing.title', { count: open.length })} alerts={open} />
      <AlertsCard title={t('settled.title')} alerts={settled} />
      <AlertsCard title={t('pending.title')} text={t('pending.text')} alerts={pending} />
      <OwnerOnly>
        <UnwatchedCard />
      </OwnerOnly>
    </div>
  );
}

interface AlertsCardProps {
  readonly title: string;
  readonly text?: string;
  readonly alerts: readonly Alert[];
}

/** Renders nothing if there are no alerts. */
function AlertsCard({ title, text, alerts }: AlertsCardProps) {
  if (alerts.length === 0) return null;
  return (
    <Card isFlush title={title}>
      {text === undefined ? null : <p className={classes.text}>{text}</p>}
      <ul className={listClasses.list}>
        {alerts.map((alert) => (
          <AlertItem key={alert.id} alert={alert} />
        ))}
      </ul>
    </Card>
  );
}

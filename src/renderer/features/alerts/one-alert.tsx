import { useTranslation } from 'react-i18next';
import type { Alert } from '../../../shared/alerts/alert.ts';
import { AlertItem } from '../../alerts/list/alert-item.tsx';
import listClasses from '../../alerts/list/alert-list.module.css';
import { useAlertWords } from '../../alerts/list/use-alert-words.ts';
import { useAlert } from '../../api/queries/alerts.ts';
import { Card } from '../../components/layout/card.tsx';
import { EmptyState, ErrorState, PageLoading } from '../../components/states.tsx';
import { useFormat } from '../../format/format.ts';
import { linkTo } from '../../router/router.ts';
import classes from './alerts.module.css';

const ALL = linkTo({ page: 'alerts', id: null });

/** Shows the alert that a link names, live or ended. */
export function OneAlert({ id }: { id: string }) {
  const { t } = useTranslation('alerting');
  const { data, error, refetch } = useAlert(id);
  if (data === undefined) {
    return error === null ? <PageLoading /> : <ErrorState isPage error={error} onRetry={() => void refetch()} />;
  }
  if (data === null) {
    return (
      <EmptyState isPage icon="bell" title={t('one.unknown')} action={<a href={ALL}>{t('one.all')}</a>}>
        {t('one.unknownText')}
      </EmptyState>
    );
  }
  return (
    <div className={classes.page}>
      <h1 className="visually-hidden">{t('title')}</h1>
      <Card isFlush title={t(`one.${data.endedAt === null ? data.state : 'ended'}`)}>
        <ul className={listClasses.list}>
          <AlertItem alert={data} />
        </ul>
        <Facts alert={data} />
        <div className={classes.links}>
          {data.device === null ? null : <DeviceLink id={data.device} />}
          {data.kind === 'logBroken' ? <a href={linkTo({ page: 'nodes' })}>{t('one.nodes')}</a> : null}
          <a href={ALL}>{t('one.all')}</a>
        </div>
      </Card>
    </div>
  );
}

function DeviceLink({ id }: { id: string }) {
  const { t } = useTranslation('alerting');
  const words = useAlertWords();
  if (!words.isKnown(id)) return null;
  return <a href={linkTo({ page: 'device', id })}>{t('one.device', { name: words.deviceName(id) })}</a>;
}

/** Lists the known facts of an alert, each with its name. */
function Facts({ alert }: { alert: Alert }) {
  const { t } = useTranslation(['alerting', 'app']);
  const format = useFormat();
  const words = useAlertWords();
  const { since, firedAt, endedAt, value, extreme, kind } = alert;
  const isMeasured = kind === 'range';
  const facts = [
    [t('fact.severity'), t(`app:severity.${alert.severity}`)],
    [t('fact.since'), format.dateTime(since)],
    [t('fact.fired'), firedAt === null ? null : format.dateTime(firedAt)],
    [t('fact.ended'), endedAt === null ? null : format.dateTime(endedAt)],
    [t('fact.lasted'), endedAt === null ? null : format.duration(endedAt - since)],
    [t('fact.value'), isMeasured && value !== null ? words.value(alert, value) : null],
    [t('fact.extreme'), isMeasured && extreme !== null ? words.value(alert, extreme) : null],
  ] as const;
  return (
    <dl className={classes.facts}>
      {facts.map(([name, text]) =>
        text === null ? null : (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

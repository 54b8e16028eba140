import { useTranslation } from 'react-i18next';
import type { Alert } from '../../../shared/alerts/alert.ts';
import { wholeMinutes } from '../../../shared/format/spans.ts';
import { useFormat } from '../../format/format.ts';
import { useFromNow } from '../../now.ts';
import { linkTo } from '../../router/router.ts';
import { AlertActions } from './alert-actions.tsx';
import classes from './alert-list.module.css';
import { SeveritySign } from './severity-sign.tsx';
import { useAlertWords } from './use-alert-words.ts';

/** An alert in a list: its subject, its state, and its buttons. */
export function AlertItem({ alert }: { alert: Alert }) {
  const { t } = useTranslation(['alerting', 'app']);
  const words = useAlertWords();
  const title = words.title(alert);
  return (
    <li className={classes.item} data-state={alert.endedAt === null ? alert.state : 'ended'}>
      <SeveritySign severity={alert.severity} />
      <div className={classes.words}>
        <a className={classes.title} href={linkTo({ page: 'alerts', id: alert.id })}>
          {title}
        </a>
        <AlertDetail alert={alert} />
        {alert.name === '' ? null : <span className={classes.rule}>{t('ofRule', { name: alert.name })}</span>}
      </div>
      {alert.endedAt === null ? <AlertActions alert={alert} title={title} /> : null}
    </li>
  );
}

/**
 * Shows how long the alert fires, the current value and the most extreme one, or when it ended. Also shows whether
 * anybody gets a message about it.
 */
function AlertDetail({ alert }: { alert: Alert }) {
  const { t } = useTranslation('alerting');
  const format = useFormat();
  const words = useAlertWords();
  const { since, endedAt, ended, state, snoozedUntil, extreme, value, kind } = alert;
  const lasted = useFromNow(1000, (now) => format.duration(wholeMinutes(now - since)));
  const parts: string[] = [];
  if (endedAt === null) {
    parts.push(t(state === 'pending' ? 'detail.pending' : 'detail.for', { span: lasted }));
    if (kind === 'range' && value !== null) parts.push(t('detail.now', { value: words.value(alert, value) }));
  } else {
    parts.push(
      t('detail.from', { from: format.shortDateTime(since), span: format.duration(wholeMinutes(endedAt - since)) }),
    );
  }
  if (kind === 'range' && extreme !== null && extreme !== value) {
    parts.push(t('detail.furthest', { value: words.value(alert, extreme) }));
  }
  if (ended !== null && ended !== 'back') parts.push(t(`ended.${ended}`));
  if (endedAt === null && state === 'acknowledged') parts.push(t('detail.acknowledged'));
  if (endedAt === null && state === 'snoozed' && snoozedUntil !== null) {
    parts.push(t('detail.snoozed', { time: format.shortDateTime(snoozedUntil) }));
  }
  return <span className={classes.detail}>{parts.join(' · ')}</span>;
}

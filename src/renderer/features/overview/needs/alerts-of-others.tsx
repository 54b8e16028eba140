import { useTranslation } from 'react-i18next';
import { openAlerts } from '../../../../shared/alerts/open-alerts.ts';
import { SeveritySign } from '../../../alerts/list/severity-sign.tsx';
import { useAlertWords } from '../../../alerts/list/use-alert-words.ts';
import { NodeProvider, useNode } from '../../../api/node-connection.ts';
import { useAlerts } from '../../../api/queries/alerts.ts';
import { useNodes } from '../../../api/queries/nodes.ts';
import { deviceRoute } from '../../../devices/listed.ts';
import { NodeBadge } from '../../../devices/nodes/node-badge.tsx';
import { linkTo } from '../../../router/router.ts';
import classes from './needs.module.css';

/** The maximum number of alerts listed per node. The others are counted. */
const MOST_SHOWN = 3;

/**
 * Lists firing alerts of other nodes, each with its node. The owner answers them at that node or on the device's page.
 */
export function AlertsOfOthers() {
  return useNodes()
    .slice(1)
    .map((node) => (
      <NodeProvider key={node.id} value={node}>
        <AlertsThere />
      </NodeProvider>
    ));
}

function AlertsThere() {
  const { t } = useTranslation('app');
  const node = useNode();
  const words = useAlertWords();
  const firing = openAlerts(useAlerts().data ?? []);
  if (firing.length === 0) return null;
  return (
    <ul className={classes.list} aria-label={t('nodes.alertsOf', { name: node.other?.get().name ?? '' })}>
      {firing.slice(0, MOST_SHOWN).map((alert) => (
        <li key={alert.id} className={classes.line} data-severity={alert.severity}>
          <SeveritySign severity={alert.severity} />
          <span className={classes.text}>
            {alert.device === null ? (
              words.title(alert)
            ) : (
              <a className={classes.link} href={linkTo(deviceRoute(alert.device, node))}>
                {words.title(alert)}
              </a>
            )}
          </span>
          <NodeBadge />
        </li>
      ))}
      {firing.length > MOST_SHOWN ? (
        <li className={classes.line}>{t('nodes.moreAlerts', { count: firing.length - MOST_SHOWN })}</li>
      ) : null}
    </ul>
  );
}

import { ActionIcon } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { openAlerts } from '../../../shared/alerts/open-alerts.ts';
import { useAlerts } from '../../api/queries/alerts.ts';
import { Icon } from '../../components/icon.tsx';
import { useFormat } from '../../format/format.ts';
import { linkTo, type Route } from '../../router/router.ts';
import classes from './bell.module.css';

/** The largest number that is displayed. */
const MOST_COUNTED = 99;

/** The link to the alerts, with the number of firing ones. */
export function Bell({ route }: { route: Route }) {
  const { t } = useTranslation('app');
  const format = useFormat();
  const firing = openAlerts(useAlerts().data ?? []);
  const count = firing.length;
  const says = count === 0 ? t('shell.alerts') : t('shell.alertsFiring', { count });
  return (
    <ActionIcon
      component="a"
      href={linkTo({ page: 'alerts', id: null })}
      aria-current={route.page === 'alerts' ? 'page' : undefined}
      className={classes.bell ?? ''}
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={says}
      title={says}
    >
      <Icon name="bell" size={18} />
      {count === 0 ? null : (
        <span
          className={classes.count}
          data-severity={firing.some(({ severity }) => severity === 'critical') ? 'critical' : 'warning'}
          aria-hidden="true"
        >
          {count > MOST_COUNTED ? `${MOST_COUNTED}+` : format.integer(count)}
        </span>
      )}
    </ActionIcon>
  );
}

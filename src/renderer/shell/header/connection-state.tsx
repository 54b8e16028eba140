import { useTranslation } from 'react-i18next';
import { useLink } from '../../api/node-connection.ts';
import { linkTo } from '../../router/router.ts';
import classes from './connection-state.module.css';

/** Whether the page is connected, so that new readings appear by themselves; it leads to the node's page. */
export function ConnectionState() {
  const { t } = useTranslation('app');
  const { state } = useLink();
  return (
    <a className={classes.state} data-state={state} href={linkTo({ page: 'node' })} title={t('node.title')}>
      <span className={classes.dot} aria-hidden="true" />
      <span>{t(`connection.${state}`)}</span>
    </a>
  );
}

import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me.tsx';
import { useLink } from '../../api/node-connection.ts';
import { linkTo } from '../../router/router.ts';
import classes from './connection-state.module.css';

/**
 * Whether the page is connected, so that new readings appear by themselves. For an owner it is a link to the node's
 * page.
 */
export function ConnectionState() {
  const { t } = useTranslation('app');
  const { state } = useLink();
  const isOwner = useMe().role === 'owner';
  return (
    <a
      className={classes.state}
      data-state={state}
      href={linkTo({ page: isOwner ? 'node' : 'overview' })}
      title={isOwner ? t('node.title') : undefined}
    >
      <span className={classes.dot} aria-hidden="true" />
      <span>{t(`connection.${state}`)}</span>
    </a>
  );
}

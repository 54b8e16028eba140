import { useTranslation } from 'react-i18next';
import { useNode } from '../../api/node-connection.ts';
import { useNodes } from '../../api/queries/nodes.ts';
import { useOtherName } from '../listed.ts';
import classes from './nodes.module.css';

/** The name of the device's node; nothing if there is only one node. */
export function NodeBadge() {
  const { t } = useTranslation('app');
  const node = useNode();
  const name = useOtherName(node);
  const isOnly = useNodes().length === 1;
  if (isOnly) return null;
  return (
    <bdi className={classes.badge} data-other={name !== null || undefined} title={t('nodes.badge')}>
      {name ?? t('nodes.thisOne')}
    </bdi>
  );
}

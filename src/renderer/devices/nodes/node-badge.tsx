import { useTranslation } from 'react-i18next';
import { useNode } from '../../api/node-connection.ts';
import { useNodes } from '../../api/queries/nodes.ts';
import { useOtherName } from '../listed.ts';
import classes from './nodes.module.css';

/** The name of the node that a device beside it belongs to; nothing if there is one node alone. */
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

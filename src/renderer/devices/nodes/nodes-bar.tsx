import { useTranslation } from 'react-i18next';
import { useNode } from '../../api/node-connection.ts';
import { useOtherNodes } from '../../api/queries/nodes.ts';
import { linkTo } from '../../router/router.ts';
import { NodeState } from './node-state.tsx';
import classes from './nodes.module.css';

/** The other nodes and their states, above the list of all devices. */
export function NodesBar() {
  const { t } = useTranslation('app');
  const { data } = useOtherNodes();
  if (data === undefined || data.length === 0) return null;
  return (
    <ul className={classes.bar} aria-label={t('nodes.title')}>
      {data.map((node) => (
        <li key={node.id} className={classes.node} data-node={node.id}>
          <a className={classes.name} href={linkTo({ page: 'nodes' })}>
            <bdi>{node.name}</bdi>
          </a>
          <NodeState node={node} />
        </li>
      ))}
    </ul>
  );
}

/** At the top of a page of another node: says that the node is not reachable, so the data may be old. */
export function AwayNote() {
  const { t } = useTranslation('app');
  const { other } = useNode();
  const { data } = useOtherNodes();
  const node = data?.find(({ id }) => id === other?.get().id);
  if (node === undefined || node.standing.state === 'connected' || node.standing.state === 'connecting') return null;
  return (
    <p className={classes.away} role="status">
      <bdi className={classes.name}>{node.name}</bdi>
      <NodeState node={node} />
      <span>{t('nodes.lastSeen')}</span>
    </p>
  );
}

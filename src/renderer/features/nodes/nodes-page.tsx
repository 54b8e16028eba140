import { Title } from '@mantine/core';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { useOtherNodes } from '../../api/queries/nodes.ts';
import { Card } from '../../components/layout/card.tsx';
import { ErrorState, PageLoading } from '../../components/states.tsx';
import { useTitle } from '../../router/title.ts';
import { AddNode } from './add-node.tsx';
import { NodeRow } from './node-row.tsx';
import classes from './nodes-page.module.css';
import { WitnessesCard } from './witnesses-card.tsx';

// Load the texts together with the page, so that it does not suspend again.
await i18next.loadNamespaces(['nodes']);

/** Lists the other nodes that are shown together with this one, with a form that adds one. */
export default function NodesPage() {
  const { t } = useTranslation(['nodes', 'app']);
  useTitle(t('app:nodes.title'));
  const { data, error, refetch } = useOtherNodes();
  if (data === undefined) {
    return error === null ? <PageLoading /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  return (
    <div className={classes.page}>
      <Title order={1} size="h3">
        {t('app:nodes.title')}
      </Title>
      <p className={classes.intro}>{t('intro')}</p>
      {data.map((node) => (
        <NodeRow key={node.id} node={node} />
      ))}
      <Card title={t('app:nodes.add')}>
        <AddNode known={data} />
      </Card>
      <WitnessesCard nodes={data} />
    </div>
  );
}

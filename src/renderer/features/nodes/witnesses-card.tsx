import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { OtherNode } from '../../../shared/owner-api/nodes.ts';
import type { WitnessedStore } from '../../../shared/owner-api/witnesses.ts';
import { useWitnesses } from '../../api/queries/nodes.ts';
import { Icon } from '../../components/icon.tsx';
import { Card } from '../../components/layout/card.tsx';
import { useFormat } from '../../format/format.ts';
import classes from './nodes-page.module.css';

interface Props {
  readonly nodes: readonly OtherNode[];
}

/** Since when and by whom the logs of this node are witnessed; a red alert where a tree does not continue. */
export function WitnessesCard({ nodes }: Props) {
  const { t } = useTranslation('nodes');
  const { data: stores } = useWitnesses();
  if (stores === undefined) return null;
  return (
    <Card title={t('witness.title')}>
      <p className={classes.text}>{t('witness.intro')}</p>
      {stores.map((store) => (
        <OfStore key={store.store} store={store} nodes={nodes} />
      ))}
    </Card>
  );
}

function OfStore({ store: { store, broken, witnesses }, nodes }: Props & { readonly store: WitnessedStore }) {
  const { t } = useTranslation(['nodes', 'app']);
  const format = useFormat();
  const name = (id: string) => nodes.find((node) => node.id === id)?.name ?? `${id.slice(0, 8)}…`;
  const of = t(`app:stores.${store}`);
  return (
    <>
      {broken === null ? null : (
        <Shout title={t('witness.broken', { store: of })}>
          {t('witness.brokenText', { size: format.integer(broken.size), at: format.dateTime(broken.at) })}
        </Shout>
      )}
      {witnesses.map(({ node, since, at, size, refusedAt }) => {
        const said = { store: of, name: name(node), size: format.integer(size) };
        return refusedAt === null ? (
          <p key={node} className={classes.text}>
            {t('witness.cosigned', { ...said, since: format.dateTime(since), at: format.dateTime(at) })}
          </p>
        ) : (
          <Shout key={node} title={t('witness.refused', said)}>
            {t('witness.refusedText', { ...said, at: format.dateTime(at), since: format.dateTime(refusedAt) })}
          </Shout>
        );
      })}
      {witnesses.length === 0 ? <p className={classes.text}>{t('witness.none', { store: of })}</p> : null}
    </>
  );
}

function Shout({ title, children }: { readonly title: string; readonly children: string }) {
  return (
    <Alert color="red" icon={<Icon name="alert" />} title={title} role="alert">
      {children}
    </Alert>
  );
}

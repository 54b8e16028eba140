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

/** Shows which nodes witness this node's logs, and since when. A red alert says if a tree is not a continuation. */
export function WitnessesCard({ nodes }: Props) {
  const { t } = useTranslation('nodes');
  const format = useFormat();
  const { data } = useWitnesses();
  if (data === undefined) return null;
  const { stores, refused, outlets } = data;
  return (
    <Card title={t('witness.title')}>
      <p className={classes.text}>{t('witness.intro')}</p>
      {stores.map((store) => (
        <OfStore key={store.store} store={store} nodes={nodes} />
      ))}
      {outlets.map(({ kind, place, sentAt, failing }) =>
        failing === null ? (
          <p key={kind} className={classes.text}>
            {sentAt === null
              ? t(`outlet.${kind}.none`, { place })
              : t(`outlet.${kind}.sent`, { place, at: format.dateTime(sentAt) })}
          </p>
        ) : (
          <Shout key={kind} title={t(`outlet.${kind}.failing`, { place })}>
            {t('outlet.failingText', { since: format.dateTime(failing.since), reason: failing.reason })}
          </Shout>
        ),
      )}
      {refused.map(({ name, size, at, refusedAt }) => (
        <Shout key={name} title={t('witness.other', { name: logName(name, nodes) })}>
          {t('witness.otherText', {
            ...{ size: format.integer(size), at: format.dateTime(at), since: format.dateTime(refusedAt) },
          })}
        </Shout>
      ))}
    </Card>
  );
}

/** Returns the name of a log's node and its store. A log whose name has another format is shown by that name. */
function logName(name: string, nodes: Props['nodes']): string {
  const [, id, store] = name.split('/');
  return id === undefined ? name : `${nodeName(id, nodes)}, ${store}`;
}

function nodeName(id: string, nodes: Props['nodes']): string {
  return nodes.find((node) => node.id === id)?.name ?? `${id.slice(0, 8)}…`;
}

function OfStore({ store: { store, broken, found, witnesses }, nodes }: Props & { readonly store: WitnessedStore }) {
  const { t } = useTranslation(['nodes', 'app']);
  const format = useFormat();
  const of = t(`app:stores.${store}`);
  return (
    <>
      {broken === null ? null : (
        <Shout title={t('witness.broken', { store: of })}>
          {t('witness.brokenText', { size: format.integer(broken.size), at: format.dateTime(broken.at) })}
        </Shout>
      )}
      {found === null ? null : (
        <Shout title={t('witness.found', { store: of, number: format.integer(found.count) })}>
          {t('witness.foundText', { at: format.dateTime(found.at) })}
        </Shout>
      )}
      {witnesses.map(({ node, since, at, size, refusedAt }) => {
        const said = { store: of, name: nodeName(node, nodes), size: format.integer(size) };
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

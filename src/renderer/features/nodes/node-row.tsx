import { Alert, Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_NODE_NAME } from '../../../shared/owner-api/limits.ts';
import type { OtherNode } from '../../../shared/owner-api/nodes.ts';
import { useNodeChange } from '../../api/queries/nodes.ts';
import { useNodeInfo } from '../../api/queries/overview.ts';
import { CallFailure } from '../../components/failure.tsx';
import { Card } from '../../components/layout/card.tsx';
import { NodeState } from '../../devices/nodes/node-state.tsx';
import { Fingerprint } from './fingerprint.tsx';
import classes from './nodes-page.module.css';

/** Shows another node: the state of its connection, what a refusal means, and the possible actions. */
export function NodeRow({ node }: { node: OtherNode }) {
  const { t } = useTranslation(['nodes', 'app']);
  const [name, setName] = useState<string | null>(null);
  const [isRemoving, setRemoving] = useState(false);
  const rename = useNodeChange('renameNode');
  const remove = useNodeChange('removeNode');
  const { id, standing, version, isMisfit } = node;
  const here = useNodeInfo().data?.version ?? '';
  const versions = { there: version ?? t('version.unknown'), here };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name === null || name.trim() === '') setName(null);
    else rename.mutate({ id, name: name.trim() }, { onSuccess: () => setName(null) });
  };
  const failure = rename.error ?? remove.error;
  return (
    <Card title={node.name}>
      <NodeState node={node} />
      {standing.state === 'refused' ? (
        <Alert variant="light" color="red" p="xs" role="alert">
          {t(`refused.${standing.reason}`, versions)}
        </Alert>
      ) : standing.state === 'away' ? (
        <p className={classes.text}>{t('away')}</p>
      ) : isMisfit ? (
        <Alert variant="light" color="yellow" p="xs" role="alert">
          {t('misfit', versions)}
        </Alert>
      ) : null}
      <dl className={classes.facts}>
        <dt>{t('add.at')}</dt>
        <dd>
          <a href={`${node.url}/ui/`} target="_blank" rel="noreferrer">
            {node.url}
          </a>
        </dd>
        <dt>{t('role.title')}</dt>
        <dd>{t(`role.${node.role}`)}</dd>
        {version === null ? null : (
          <>
            <dt>{t('version.title')}</dt>
            <dd>{version === here ? version : t('version.both', versions)}</dd>
          </>
        )}
        <dt>{t('fingerprint')}</dt>
        <dd>
          <Fingerprint value={node.fingerprint} />
        </dd>
      </dl>
      <CallFailure error={failure} />
      {name === null ? (
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={() => setName(node.name)}>
            {t('rename')}
          </Button>
          <Button
            variant={isRemoving ? 'filled' : 'default'}
            color="red"
            size="xs"
            loading={remove.isPending}
            onClick={() => (isRemoving ? remove.mutate({ id }) : setRemoving(true))}
          >
            {t(isRemoving ? 'removeSure' : 'remove')}
          </Button>
          {isRemoving ? <span className={classes.text}>{t('removeText')}</span> : null}
        </Group>
      ) : (
        <form onSubmit={submit}>
          <Group gap="xs" align="flex-end">
            <TextInput
              size="xs"
              label={t('add.name')}
              value={name}
              maxLength={MAX_NODE_NAME}
              onChange={(event) => setName(event.currentTarget.value)}
              data-autofocus
            />
            <Button type="submit" size="xs" loading={rename.isPending}>
              {t('keep')}
            </Button>
          </Group>
        </form>
      )}
    </Card>
  );
}

import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_NODE_NAME } from '../../../shared/owner-api/limits.ts';
import type { AddProblem, OtherNode } from '../../../shared/owner-api/nodes.ts';
import { useLookAtNode, useNodeChange } from '../../api/queries/nodes.ts';
import { CallFailure } from '../../components/failure.tsx';
import { Fingerprint } from './fingerprint.tsx';
import classes from './nodes-page.module.css';

/** Accepts a pairing link, shows which node it belongs to, and adds that node. */
export function AddNode({ known }: { known: readonly OtherNode[] }) {
  const { t } = useTranslation(['nodes', 'app']);
  const [link, setLink] = useState('');
  const [name, setName] = useState('');
  const look = useLookAtNode();
  const add = useNodeChange('addNode');
  const found = look.data?.problem === null ? look.data : null;
  const before = known.find(({ id }) => id === found?.id);
  const startOver = (): void => {
    look.reset();
    add.reset();
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (found === null) {
      const answer = await look.mutateAsync(link).catch(() => null);
      if (answer?.problem === null) {
        setName(known.find(({ id }) => id === answer.id)?.name ?? new URL(answer.url).hostname);
      }
      return;
    }
    const input = { link, name: name.trim() === '' ? null : name.trim(), replace: before !== undefined };
    const answer = await add.mutateAsync(input).catch(() => null);
    if (answer?.problem !== null) return;
    setLink('');
    look.reset();
  };
  const failure = add.error ?? look.error;
  const problem = add.data?.problem ?? look.data?.problem ?? null;
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm" align="flex-start">
        <p className={classes.text}>{t('add.how')}</p>
        <TextInput
          className={classes.link ?? ''}
          label={t('add.link')}
          placeholder="https://192.168.1.20:3443/ui/#/pair?code=…"
          value={link}
          autoComplete="off"
          spellCheck={false}
          maxLength={2000}
          onChange={(event) => {
            startOver();
            setLink(event.currentTarget.value);
          }}
        />
        {found === null ? null : (
          <>
            <dl className={classes.facts}>
              <dt>{t('add.at')}</dt>
              <dd>{found.url}</dd>
              <dt>{t('fingerprint')}</dt>
              <dd>
                <Fingerprint value={found.fingerprint} />
              </dd>
            </dl>
            <p className={classes.text}>
              {t(before === undefined ? 'add.compare' : 'add.known', { name: before?.name ?? '' })}
            </p>
            <TextInput
              label={t('add.name')}
              description={t('add.nameText')}
              value={name}
              maxLength={MAX_NODE_NAME}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          </>
        )}
        {problem === null ? null : <Problem problem={problem} />}
        <CallFailure error={failure} />
        {add.data?.problem === null && link === '' ? (
          <p className={classes.text} role="status">
            {t('add.done', { name: add.data.node.name })}
          </p>
        ) : null}
        <Group gap="xs">
          <Button type="submit" size="sm" loading={look.isPending || add.isPending} disabled={link.trim() === ''}>
            {t(found === null ? 'add.look' : before === undefined ? 'add.add' : 'add.again')}
          </Button>
          {found === null ? null : (
            <Button variant="default" size="sm" onClick={() => setLink('')} onClickCapture={startOver}>
              {t('add.cancel')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

function Problem({ problem }: { problem: AddProblem }) {
  const { t } = useTranslation('nodes');
  return (
    <Alert variant="light" color="red" p="xs" role="alert" className={classes.text ?? ''}>
      {t(`problem.${problem}`)}
    </Alert>
  );
}

import { Alert, Button, Group, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceSummary } from '../../../../shared/owner-api/devices.ts';
import { Icon } from '../../../components/icon.tsx';
import { Fault } from '../../../keys/parts/messages.tsx';
import { useAction } from '../../../keys/parts/use-action.ts';
import { useKeys } from '../../../keys/session/page-keys.ts';
import type { KeysView, SecretView } from '../../../keys/types.ts';
import classes from './keys.module.css';
import { SecretCard } from './secret-card.tsx';

const CreatePhraseDialog = lazy(() => import('../dialogs/create-phrase-dialog.tsx'));
const BringDialog = lazy(() => import('../dialogs/bring-dialog.tsx'));
const RevealDialog = lazy(() => import('../dialogs/reveal-dialog.tsx'));
const RemoveDialog = lazy(() => import('../dialogs/remove-dialog.tsx'));
const DrillDialog = lazy(() => import('../dialogs/drill-dialog.tsx'));

type Opened =
  | { readonly what: 'create' | 'bring' }
  | { readonly what: 'reveal' | 'drill' | 'remove'; readonly secret: SecretView };

/** Lists the stored phrases and seeds. */
export function SecretsSection({ view, devices }: { view: KeysView; devices: readonly DeviceSummary[] }) {
  const { t } = useTranslation('keys');
  const [opened, setOpened] = useState<Opened | null>(null);
  const [removed, setRemoved] = useState<SecretView | null>(null);
  const keySession = useKeys();
  const action = useAction();
  const close = (): void => setOpened(null);
  const undo = (secretId: string): void =>
    action.run(async () => {
      await keySession.change('restoreSecret', { secretId });
      setRemoved(null);
    });
  return (
    <section className={classes.section} aria-labelledby="keys-secrets">
      <div className={classes.head}>
        <h2 id="keys-secrets">{t('secrets.title')}</h2>
        <Group gap="xs">
          <Button size="xs" leftSection={<Icon name="plus" />} onClick={() => setOpened({ what: 'create' })}>
            {t('secrets.create')}
          </Button>
          <Button variant="default" size="xs" onClick={() => setOpened({ what: 'bring' })}>
            {t('secrets.bring')}
          </Button>
        </Group>
      </div>
      <Fault error={action.error} />
      {removed === null || view.secrets.some(({ id }) => id === removed.id) ? null : (
        <Alert key={removed.id} variant="light" color="gray" p="xs" role="status">
          <Group gap="sm" justify="space-between">
            <Text size="sm">
              {removed.label === '' ? t('secrets.removedUnnamed') : t('secrets.removed', { label: removed.label })}
            </Text>
            <Button variant="default" size="compact-xs" onClick={() => undo(removed.id)} autoFocus>
              {t('common.undo')}
            </Button>
          </Group>
        </Alert>
      )}
      {view.secrets.length === 0 ? (
        <div className={classes.card}>
          <Text size="sm">{t('secrets.none')}</Text>
        </div>
      ) : null}
      {view.secrets.map((secret) => (
        <SecretCard
          key={secret.id}
          secret={secret}
          devices={devices}
          onReveal={() => setOpened({ what: 'reveal', secret })}
          onDrill={() => setOpened({ what: 'drill', secret })}
          onRemove={() => setOpened({ what: 'remove', secret })}
        />
      ))}
      <Suspense fallback={null}>
        {opened?.what === 'create' ? <CreatePhraseDialog onClose={close} /> : null}
        {opened?.what === 'bring' ? <BringDialog onClose={close} /> : null}
        {opened?.what === 'reveal' ? <RevealDialog secret={opened.secret} onClose={close} /> : null}
        {opened?.what === 'remove' ? (
          <RemoveDialog
            secret={opened.secret}
            onRemoved={() => {
              setRemoved(opened.secret);
              close();
            }}
            onClose={close}
          />
        ) : null}
        {opened?.what === 'drill' ? (
          <DrillDialog secret={opened.secret} secrets={view.secrets} devices={devices} onClose={close} />
        ) : null}
      </Suspense>
    </section>
  );
}

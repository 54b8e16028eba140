import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { RESTORABLE_MS } from '../../../../shared/crypto/keyring/keyring.ts';
import { useFormat } from '../../../format/format.ts';
import { Fault } from '../../../keys/parts/messages.tsx';
import { useAction } from '../../../keys/parts/use-action.ts';
import { useKeys } from '../../../keys/session/page-keys.ts';
import type { RemovedSecret } from '../../../keys/types.ts';
import classes from './keys.module.css';

/** Lists the removed phrases and seeds, each with a button that restores it. */
export function RemovedSection({ removed }: { removed: readonly RemovedSecret[] }) {
  const { t } = useTranslation('keys');
  const format = useFormat();
  const keySession = useKeys();
  const action = useAction();
  if (removed.length === 0) return null;
  const restore = (secretId: string): void =>
    action.run(() => keySession.change('restoreSecret', { secretId }).then(() => {}));
  return (
    <section className={classes.card} aria-labelledby="keys-removed">
      <h2 id="keys-removed">{t('removed.title')}</h2>
      <Fault error={action.error} />
      {removed.map(({ id, label, kind, removedAt }) => {
        const name = label === '' ? t(`secret.unnamed.${kind}`) : label;
        return (
          <Group key={id} justify="space-between" gap="xs">
            <div>
              <Text size="sm">
                <bdi>{name}</bdi>
              </Text>
              <Text size="xs" c="dimmed">
                {t('removed.until', { date: format.date(removedAt + RESTORABLE_MS) })}
              </Text>
            </div>
            <Button
              variant="default"
              size="xs"
              loading={action.isRunning}
              aria-label={t('removed.restoreOf', { name })}
              onClick={() => restore(id)}
            >
              {t('removed.restore')}
            </Button>
          </Group>
        );
      })}
    </section>
  );
}

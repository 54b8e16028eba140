import { Button, Group, Text, Title } from '@mantine/core';
import { lazy, memo, Suspense } from 'react';
import type { DeviceDetail } from '../../../../shared/owner-api.ts';
import { Icon } from '../../../components/icon.tsx';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { linkTo } from '../../../router.ts';
import { hasSealed } from '../opening/sparkline-loader.ts';
import { useKeySession } from '../session/page-keys.ts';
import { requestUnlock } from '../session/unlock-request.ts';
import classes from './keyring.module.css';

const Keyring = lazy(() => import('./keyring.tsx'));

/** The keys that open a device's sealed values; while they are locked, the way to unlock them. */
export const KeyringSection = memo(function KeyringSection({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('keyring');
  const session = useKeySession();
  // Of somebody else's device that sends all in plain there is nothing to say.
  if (!device.mine && !hasSealed(device.newest)) return null;
  const isLocked = session.status === 'locked' || session.status === 'unlocking';
  return (
    <section aria-labelledby="keyring-title" className={classes.section}>
      <Title order={2} size="h4" id="keyring-title" mb="xs">
        {t('title')}
      </Title>
      {session.status === 'unlocked' ? (
        <Suspense fallback={<div className={classes.card} />}>
          <Keyring device={device} view={session.view} />
        </Suspense>
      ) : (
        <div className={classes.card}>
          <Group justify="space-between" gap="xs">
            <Text size="sm" c="dimmed">
              {t(
                isLocked || session.status === 'loading'
                  ? 'locked'
                  : session.status === 'absent'
                    ? 'absent'
                    : 'elsewhere',
              )}
            </Text>
            {isLocked ? (
              <Button size="xs" leftSection={<Icon name="unlock" size={14} />} onClick={requestUnlock}>
                {t('unlock')}
              </Button>
            ) : session.status === 'loading' ? null : (
              <Button component="a" href={linkTo({ page: 'keys' })} variant="default" size="xs">
                {t('toKeys')}
              </Button>
            )}
          </Group>
        </div>
      )}
    </section>
  );
});

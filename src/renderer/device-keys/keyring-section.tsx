import { Button, Group, Text, Title } from '@mantine/core';
import { lazy, memo, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceDetail } from '../../shared/owner-api/devices.ts';
import { useMe } from '../api/me.tsx';
import { Icon } from '../components/icon.tsx';
import { useKeySession } from '../keys/session/page-keys.ts';
import { requestUnlock } from '../keys/session/unlock-request.ts';
import { hasSealed } from '../opening/sparklines/sparkline-loader.ts';
import { linkTo } from '../router/router.ts';
import classes from './keyring.module.css';

const Keyring = lazy(() => import('./keyring.tsx'));

/**
 * The keys that open a device's sealed values, or a button that unlocks them. Shows nothing if this session may not
 * unlock keys.
 */
export const KeyringSection = memo(function KeyringSection({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('keyring');
  const session = useKeySession();
  const { mayUnlock } = useMe();
  // A device of another owner that only sends plain values has no keys to show.
  if (!mayUnlock || (!device.mine && !hasSealed(device.newest))) return null;
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
                  : session.status === 'absent' || session.status === 'insecure'
                    ? session.status
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

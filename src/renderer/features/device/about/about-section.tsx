import { Button, Group, Text, Title } from '@mantine/core';
import { lazy, memo, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceName } from '../../../../shared/display-text.ts';
import type { DeviceDetail } from '../../../../shared/owner-api/devices.ts';
import { useNode } from '../../../api/node-connection.ts';
import { Icon } from '../../../components/icon.tsx';
import { Card } from '../../../components/layout/card.tsx';
import { DeviceSaysCard } from '../../../devices/pages/device-says-card.tsx';
import { useFormat } from '../../../format/format.ts';
import { HideCard } from '../hide-device.tsx';
import classes from './about.module.css';
import { IdentityCard } from './identity-card.tsx';
import { LocationCard } from './location-card.tsx';
import { PolicyCard } from './policy-card.tsx';
import { WithheldCard } from './withheld-card.tsx';

const ForgetDialog = lazy(() => import('./forget-dialog.tsx'));

/** Shows the facts about a device other than its readings, with the buttons to forget it. */
export const AboutSection = memo(function AboutSection({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('device');
  const isOwn = useNode().other === null;
  const [forgetting, setForgetting] = useState<'private' | 'public' | null>(null);
  return (
    <section aria-labelledby="about-title">
      <Title order={2} size="h4" id="about-title" mb="xs">
        {t('about.title')}
      </Title>
      <div className={classes.cards}>
        <IdentityCard device={device} />
        {/* The page can query only the network of its own node. */}
        {isOwn ? <DeviceSaysCard id={device.id} mac={device.mac} /> : null}
        <WithheldCard device={device} />
        <MovedCard moved={device.timesMoved} />
        <LocationCard location={device.location} name={deviceName(device)} />
        <PolicyCard device={device} />
        <HideCard device={device} />
        <Card level={3} title={t('forget.heading')}>
          <Text size="sm" c="dimmed">
            {t('forget.intro')}
          </Text>
          <Group gap="xs">
            {device.stores.map(({ store }) => (
              <Button
                key={store}
                variant="default"
                color="red"
                size="xs"
                leftSection={<Icon name="trash" size={14} />}
                onClick={() => setForgetting(store)}
              >
                {t(`forget.title.${store}`)}
              </Button>
            ))}
          </Group>
        </Card>
      </div>
      {forgetting === null ? null : (
        <Suspense fallback={null}>
          <ForgetDialog device={device} store={forgetting} onClose={() => setForgetting(null)} />
        </Suspense>
      )}
    </section>
  );
});

/**
 * Lists when arrival times were corrected because the node's clock had been wrong. Renders nothing if they never were.
 */
function MovedCard({ moved }: { moved: DeviceDetail['timesMoved'] }) {
  const { t } = useTranslation('device');
  const format = useFormat();
  if (moved.length === 0) return null;
  return (
    <Card level={3} title={t('moved.title')}>
      <ul className={classes.list}>
        {moved.map(({ at, by, readings }) => (
          <li key={at}>
            {t(by > 0 ? 'moved.later' : 'moved.earlier', {
              count: readings,
              shown: format.integer(readings),
              time: format.dateTime(at),
              span: format.duration(Math.abs(by)),
            })}
          </li>
        ))}
      </ul>
      <Text size="xs" c="dimmed">
        {t('moved.text')}
      </Text>
    </Card>
  );
}

import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DeviceDetail } from '../../../../shared/owner-api/devices.ts';
import { Card } from '../../../components/layout/card.tsx';
import { useFormat } from '../../../format/format.ts';
import classes from './about.module.css';

/**
 * Lists when arrival times were corrected because the node's clock had been wrong. Renders nothing if they never were.
 */
export function MovedCard({ moved }: { moved: DeviceDetail['timesMoved'] }) {
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

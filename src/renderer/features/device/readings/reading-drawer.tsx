import { Code, Drawer, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { OwnerReading } from '../../../../shared/owner-api.ts';
import { CopyButton } from '../../../components/copy-button.tsx';
import { rawJson } from './row.ts';

/** A reading as the node gives it: nothing shortened, nothing translated. */
export function ReadingDrawer({ reading, onClose }: { reading: OwnerReading | null; onClose: () => void }) {
  const { t } = useTranslation('device');
  const json = reading === null ? '' : rawJson(reading);
  return (
    <Drawer
      opened={reading !== null}
      onClose={onClose}
      position="right"
      size="lg"
      title={t('readings.drawer', { seq: reading?.seq ?? '' })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t('readings.drawerText')}
        </Text>
        <CopyButton text={json} label={t('readings.copyJson')} />
      </Group>
      {/* What scrolls must be reachable by keyboard. */}
      <Code block tabIndex={0}>
        {json}
      </Code>
    </Drawer>
  );
}

import { Code, Drawer, Group, List, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DeviceDetail } from '../../../../shared/owner-api/devices.ts';
import type { OwnerReading } from '../../../../shared/owner-api/readings.ts';
import { OwnerOnly } from '../../../api/me.tsx';
import { CopyButton } from '../../../components/codes/copy-button.tsx';
import type { Scales } from '../../../devices/use-scales.ts';
import { type OpenedFields, SHOWN_FIELDS, shownField } from '../../../format/values.ts';
import { ProofButton } from '../export/proof-button.tsx';
import { rawJson } from '../row.ts';

interface Props {
  readonly device: DeviceDetail;
  readonly reading: OwnerReading | null;
  readonly opened: OpenedFields | undefined;
  readonly scales: Scales;
  readonly onClose: () => void;
}

/** Shows a reading as the node returns it, and the reasons why fields did not open. */
export function ReadingDrawer({ device, reading, opened, scales, onClose }: Props) {
  const { t } = useTranslation(['device', 'app']);
  const json = reading === null ? '' : rawJson(reading, t('readings.withheld'));
  return (
    <Drawer
      opened={reading !== null}
      onClose={onClose}
      position="right"
      size="lg"
      title={t('readings.drawer', { seq: reading?.seq ?? '' })}
      closeButtonProps={{ 'aria-label': t('app:common.close') }}
    >
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t('readings.drawerText')}
        </Text>
        <CopyButton text={json} label={t('readings.copyJson')} />
      </Group>
      {reading === null ? null : <Failures reading={reading} opened={opened} scales={scales} />}
      {/* Scrollable elements must be reachable by keyboard. */}
      <Code block tabIndex={0}>
        {json}
      </Code>
      {reading === null ? null : (
        <OwnerOnly>
          <ProofButton key={reading.seq} device={device} reading={reading} />
        </OwnerOnly>
      )}
    </Drawer>
  );
}

/** Explains in sentences why fields of a reading did not open: a cell has room for only one or two words. */
function Failures({ reading, opened, scales }: Pick<Props, 'opened' | 'scales'> & { readonly reading: OwnerReading }) {
  const { t } = useTranslation(['device', 'app']);
  const failed = SHOWN_FIELDS.flatMap((field) => {
    const shown = shownField(reading, field, opened);
    return shown.kind === 'failed' ? [{ field, ...shown }] : [];
  });
  if (failed.length === 0) return null;
  return (
    <List size="sm" my="xs" aria-label={t('readings.notOpened')}>
      {failed.map(({ field, reason, keyVersion }) => (
        <List.Item key={field}>
          {t(`app:field.${scales[field].label}`)}: {t(`app:value.failed.${reason}`, { version: keyVersion })}
        </List.Item>
      ))}
    </List>
  );
}

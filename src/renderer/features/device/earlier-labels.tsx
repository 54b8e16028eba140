import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type FieldUnitChoice, fieldScale, PERCENT_FULL } from '../../../shared/measures/field-scale.ts';
import type { DeviceDetail } from '../../../shared/owner-api/devices.ts';
import type { DeviceNotes } from '../../../shared/owner-data/notes.ts';
import { FIELD_NAMES, type FieldName } from '../../../shared/protocol/fields.ts';
import { useSetNotes } from '../../api/queries/devices.ts';
import { CallFailure } from '../../components/failure.tsx';
import { useScales } from '../../devices/use-scales.ts';

/**
 * Asks about the unit labels of the first version, which only changed the text after a number. The owner may have
 * wanted to see values in that unit (now assumed), or the device may send values in it.
 */
export function EarlierLabels({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation(['device', 'app']);
  const save = useSetNotes();
  const scales = useScales(device);
  const { notes } = device;
  const asked = FIELD_NAMES.filter((field) => notes.earlierLabels[field] !== undefined);
  if (asked.length === 0) return null;
  const answer = (field: FieldName, unit?: FieldUnitChoice): void => {
    const change = ({ units, earlierLabels: { [field]: _answered, ...earlierLabels } }: DeviceNotes) => ({
      units: unit === undefined ? units : { ...units, [field]: unit },
      earlierLabels,
    });
    save.mutate({ id: device.id, change });
  };
  return (
    <Alert variant="light" color="yellow" p="sm" role="status" title={t('earlierLabels.title')}>
      <Stack gap="xs">
        {asked.map((field) => {
          const choice = notes.units[field];
          const shown = choice !== undefined && 'shown' in choice ? fieldScale(field, choice) : null;
          const unit = shown?.unit ?? null;
          const values = {
            field: t(`app:field.${scales[field].label}`),
            label: notes.earlierLabels[field]!,
            unit: shown?.symbol ?? '',
            sent: fieldScale(field, undefined).symbol,
          };
          return (
            <Group key={field} justify="space-between" gap="xs">
              <Text size="sm">{t(shown === null ? 'earlierLabels.dropped' : 'earlierLabels.converted', values)}</Text>
              <Group gap="xs">
                <Button size="compact-sm" disabled={save.isPending} onClick={() => answer(field)}>
                  {t(shown === null ? 'earlierLabels.understood' : 'earlierLabels.right', values)}
                </Button>
                {unit === null || unit === PERCENT_FULL ? null : (
                  <Button
                    variant="default"
                    size="compact-sm"
                    disabled={save.isPending}
                    onClick={() => answer(field, { sent: unit, shown: unit })}
                  >
                    {t('earlierLabels.sent', values)}
                  </Button>
                )}
              </Group>
            </Group>
          );
        })}
        <CallFailure error={save.error} lead={t('notes.failed')} />
      </Stack>
    </Alert>
  );
}

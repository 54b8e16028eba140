import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { withUnit } from '../../shared/format/scaled.ts';
import type { DeviceSummary } from '../../shared/owner-api/devices.ts';
import { Failure } from '../components/failure.tsx';
import type { Scales } from '../devices/use-scales.ts';
import { useFormat } from '../format/format.ts';
import { SHOWN_FIELDS, shownNumber } from '../format/values.ts';
import { useNewest } from '../opening/opened.ts';
import { type CalibrationForm, type CalibrationFormFault, shownText } from './calibration-form.ts';

interface Props {
  readonly device: DeviceSummary;
  readonly scales: Scales;
  readonly form: CalibrationForm;
  readonly onChange: (form: CalibrationForm) => void;
  readonly fault: CalibrationFormFault | null;
}

/** The sensor, and one or two references with the values that the sensor showed. */
export function CalibrationFields({ device, scales, form, onChange, fault }: Props) {
  const { t } = useTranslation(['journal', 'app']);
  const format = useFormat();
  const { field, points } = form;
  const scale = scales[field];
  // A calibration compares with the values as they are sent, without earlier corrections.
  const newest = shownNumber(useNewest({ ...device, corrections: [] })(field));
  const fields = SHOWN_FIELDS.filter((each) => device.newest[each] !== null || each === field);
  const put = (index: number, change: Partial<CalibrationForm['points'][number]>): void => {
    const [first, second] = points.map((point, at) => (at === index ? { ...point, ...change } : point));
    onChange({ ...form, points: [first!, second!] });
  };
  return (
    <>
      <NativeSelect
        size="sm"
        label={t('calibration.sensor')}
        value={field}
        onChange={({ currentTarget: { value } }) => {
          const chosen = SHOWN_FIELDS.find((each) => each === value);
          if (chosen !== undefined) onChange({ ...form, field: chosen });
        }}
        data={fields.map((each) => ({ value: each, label: t(`app:field.${scales[each].label}`) }))}
        data-autofocus
      />
      <Text size="xs" c="dimmed">
        {t('calibration.how')}
      </Text>
      {points.map((point, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: there are always these two
        <Group key={index} gap="xs" align="flex-end" grow preventGrowOverflow={false} wrap="nowrap">
          {(['reference', 'shown'] as const).map((part) => (
            <TextInput
              key={part}
              size="sm"
              inputMode="decimal"
              autoComplete="off"
              label={t(`calibration.${part}${index === 0 ? '' : '2'}`)}
              rightSection={scale.symbol === '' ? null : <Text size="xs">{scale.symbol}</Text>}
              rightSectionWidth={scale.symbol === '' ? 0 : 52}
              value={point[part]}
              onChange={(event) => put(index, { [part]: event.currentTarget.value })}
            />
          ))}
          {newest === null ? null : (
            <Button
              variant="default"
              size="sm"
              flex="0 0 auto"
              aria-label={t('calibration.takeOf', { value: number(newest), point: index + 1 })}
              title={t('calibration.takeTitle')}
              onClick={() => put(index, { shown: shownText(scale, newest) })}
            >
              {t('calibration.take', { value: number(newest) })}
            </Button>
          )}
        </Group>
      ))}
      <Failure>{fault === null ? null : t(`calibration.fault.${fault}`)}</Failure>
    </>
  );

  function number(sent: number): string {
    return withUnit(format.rounded(scale.toShown(sent), 3, 0), scale.symbol);
  }
}

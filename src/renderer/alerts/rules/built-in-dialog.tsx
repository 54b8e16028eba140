import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BUILT_IN, isThresholdOf } from '../../../shared/alerts/built-in.ts';
import type { BuiltInRule } from '../../../shared/alerts/rule.ts';
import { useAlertCall } from '../../api/queries/alerts.ts';
import { FormDialog } from '../../components/dialog.tsx';
import { CommonFields } from './common-fields.tsx';
import { CallFailed } from './dialog-parts.tsx';
import { repeatOf, typedNumber } from './range-form.ts';

/** A dialog that changes a built-in rule: its threshold, severity, repeats and channels. */
export default function BuiltInDialog({ rule, onClose }: { rule: BuiltInRule; onClose: () => void }) {
  const { t } = useTranslation(['alerting', 'app']);
  const write = useAlertCall('writeAlertRule');
  const [form, setForm] = useState(() => ({
    threshold: rule.threshold === null ? '' : String(rule.threshold),
    repeatMinutes: rule.repeatMinutes === null ? '' : String(rule.repeatMinutes),
    severity: rule.severity,
    channels: rule.channels,
    isOn: rule.isOn,
  }));
  const [refused, setRefused] = useState<'threshold' | 'repeat' | null>(null);
  const counted = BUILT_IN[rule.kind].threshold;
  const submit = (): void => {
    const threshold = form.threshold.trim() === '' ? null : typedNumber(form.threshold);
    const repeatMinutes = repeatOf(form.repeatMinutes);
    const isUnreadable = threshold === null && form.threshold.trim() !== '';
    if (isUnreadable || !isThresholdOf(rule.kind, threshold)) setRefused('threshold');
    else if (repeatMinutes === undefined) setRefused('repeat');
    else {
      const { severity, channels, isOn } = form;
      setRefused(null);
      write.mutate({ rule: { ...rule, threshold, repeatMinutes, severity, channels, isOn } }, { onSuccess: onClose });
    }
  };
  return (
    <FormDialog onClose={onClose} title={t(`builtIn.${rule.kind}.name`)} onSubmit={submit} isPending={write.isPending}>
      <Text size="sm" c="dimmed">
        {t(`builtIn.${rule.kind}.text`)}
      </Text>
      {counted === null ? null : (
        <TextInput
          size="sm"
          inputMode="decimal"
          label={t(`thresholdName.${counted.unit}`)}
          placeholder={counted.mayBeAutomatic ? t('threshold.automatic') : undefined}
          value={form.threshold}
          error={refused === 'threshold' ? t('refused.threshold', { min: counted.min, max: counted.max }) : undefined}
          onChange={(event) => setForm({ ...form, threshold: event.currentTarget.value })}
          data-autofocus
        />
      )}
      <CommonFields
        form={form}
        isRepeatRefused={refused === 'repeat'}
        onChange={(part) => setForm((kept) => ({ ...kept, ...part }))}
      />
      <CallFailed error={write.error} />
    </FormDialog>
  );
}

import { Input, SegmentedControl, Switch, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SEVERITIES, type Severity } from '../../../shared/alerts/built-in.ts';
import type { Rule } from '../../../shared/alerts/rule.ts';
import { ChannelsChoice } from './channels-choice.tsx';

/** The inputs that every rule has, as typed into the form. */
export interface CommonForm {
  readonly repeatMinutes: string;
  readonly severity: Severity;
  readonly channels: Rule['channels'];
  readonly isOn: boolean;
}

interface Props {
  readonly form: CommonForm;
  readonly isRepeatRefused: boolean;
  readonly onChange: (part: Partial<CommonForm>) => void;
}

/** The inputs for the severity, the repeats and the channels of a rule, and whether it is on. */
export function CommonFields({ form, isRepeatRefused, onChange }: Props) {
  const { t } = useTranslation(['alerting', 'app']);
  return (
    <>
      <div>
        <Input.Label component="div" size="sm">
          {t('rule.severity')}
        </Input.Label>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label={t('rule.severity')}
          value={form.severity}
          onChange={(severity) => onChange({ severity: severity as Severity })}
          data={SEVERITIES.map((value) => ({ value, label: t(`app:severity.${value}`) }))}
        />
        <Text size="xs" c="dimmed" mt={4}>
          {t('rule.severityText')}
        </Text>
      </div>
      <TextInput
        size="sm"
        inputMode="numeric"
        label={t('rule.repeat')}
        description={t('rule.repeatText')}
        placeholder={t('rule.never')}
        value={form.repeatMinutes}
        error={isRepeatRefused ? t('refused.repeat') : undefined}
        onChange={(event) => onChange({ repeatMinutes: event.currentTarget.value })}
      />
      <ChannelsChoice value={form.channels} onChange={(channels) => onChange({ channels })} />
      <Switch
        label={t('rule.isOn')}
        checked={form.isOn}
        onChange={(event) => onChange({ isOn: event.currentTarget.checked })}
      />
    </>
  );
}

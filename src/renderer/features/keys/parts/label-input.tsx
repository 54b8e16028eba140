import { TextInput } from '@mantine/core';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { LABEL_LENGTH } from './limits.ts';

/** What the owner calls a phrase or a seed. */
export function LabelInput({ value, onChange }: { value: string; onChange: (label: string) => void }) {
  const { t } = useTranslation('keys');
  return (
    <TextInput
      size="sm"
      label={t('secret.label')}
      description={t('secret.labelText')}
      maxLength={LABEL_LENGTH}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

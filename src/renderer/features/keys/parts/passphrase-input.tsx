import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTranslation } from '../../../i18n/use-translation.ts';

/** A field for a passphrase, which no browser is to keep; it can be shown. */
export function PassphraseInput(props: PasswordInputProps) {
  const { t } = useTranslation('keys');
  return (
    <PasswordInput
      size="sm"
      autoComplete="off"
      visibilityToggleButtonProps={{ 'aria-label': t('passphrase.show') }}
      {...props}
    />
  );
}

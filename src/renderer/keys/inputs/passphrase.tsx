import { PasswordInput, type PasswordInputProps, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from '../parts/parts.module.css';
import { passphraseStrength, type Strength } from './strength.ts';

/** A field for a passphrase that the browser does not save. What is typed can be shown. */
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

/** A new passphrase as it is being typed, twice. */
export interface TypedPassphrase {
  readonly first: string;
  readonly second: string;
}

export const NO_PASSPHRASE: TypedPassphrase = { first: '', second: '' };

/** Whether it is valid: long enough, and typed twice the same. */
export function isChosen({ first, second }: TypedPassphrase): boolean {
  return passphraseStrength(first) !== 'short' && first.normalize('NFKD') === second.normalize('NFKD');
}

const LEVEL: Readonly<Record<Strength, number>> = { short: 0, weak: 1, fair: 2, strong: 3 };

interface Props {
  readonly value: TypedPassphrase;
  readonly onChange: (value: TypedPassphrase) => void;
}

/** Asks for a new passphrase, twice, with a hint at its strength; says that nobody can bring it back. */
export function NewPassphrase({ value, onChange }: Props) {
  const { t } = useTranslation('keys');
  const strength = passphraseStrength(value.first);
  const differs = value.second !== '' && !value.first.startsWith(value.second) && !isChosen(value);
  return (
    <>
      <PassphraseInput
        label={t('passphrase.new')}
        description={t('passphrase.newText')}
        value={value.first}
        onChange={(event) => onChange({ ...value, first: event.currentTarget.value })}
        data-autofocus
      />
      <div className={classes.strength} data-level={value.first === '' ? undefined : LEVEL[strength]}>
        <span aria-hidden="true" />
        <span aria-hidden="true" />
        <span aria-hidden="true" />
        <Text size="xs" c="dimmed" role="status">
          {value.first === '' ? t('passphrase.hint') : t(`passphrase.strength.${strength}`)}
        </Text>
      </div>
      <PassphraseInput
        label={t('passphrase.again')}
        value={value.second}
        error={differs ? t('passphrase.differs') : undefined}
        onChange={(event) => onChange({ ...value, second: event.currentTarget.value })}
      />
    </>
  );
}

import { PasswordInput, type PasswordInputProps, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
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

interface TypedPassphrase {
  readonly first: string;
  readonly second: string;
}

/** How long after the last key press a passphrase is judged, in ms. */
const JUDGED_AFTER_MS = 150;
const LEVEL: Readonly<Record<Strength, number>> = { short: 0, weak: 1, fair: 2, strong: 3 };

/** The strength of what is typed; null until it is known. */
function useStrength(text: string): Strength | null {
  const [settled] = useDebouncedValue(text, JUDGED_AFTER_MS);
  const [judged, setJudged] = useState<{ readonly text: string; readonly strength: Strength } | null>(null);
  useEffect(() => {
    let isLatest = true;
    passphraseStrength(settled).then(
      (strength) => {
        if (isLatest) setJudged({ text: settled, strength });
      },
      // The lists could not be loaded: the page is loaded again once the node answers.
      () => {},
    );
    return () => {
      isLatest = false;
    };
  }, [settled]);
  return judged?.text === text ? judged.strength : null;
}

/**
 * Asks for a new passphrase, twice; says how strong it is, and that nobody can bring it back. `onChosen` gets it once it is
 * strong enough and twice the same, and null otherwise.
 */
export function NewPassphrase({ onChosen }: { onChosen: (passphrase: string | null) => void }) {
  const { t } = useTranslation('keys');
  const [{ first, second }, setTyped] = useState<TypedPassphrase>({ first: '', second: '' });
  const strength = useStrength(first);
  const isSame = first.normalize('NFKD') === second.normalize('NFKD');
  const isStrong = strength === 'fair' || strength === 'strong';
  const chosen = isStrong && isSame ? first : null;
  const told = useRef(onChosen);
  told.current = onChosen;
  useEffect(() => told.current(chosen), [chosen]);
  // No `value` for the inputs: React would write it into the attribute, where it shows in the document.
  return (
    <>
      <PassphraseInput
        label={t('passphrase.new')}
        description={t('passphrase.newText')}
        onChange={({ currentTarget: { value } }) => setTyped((typed) => ({ ...typed, first: value }))}
        data-autofocus
      />
      <div className={classes.strength} data-level={first === '' || strength === null ? undefined : LEVEL[strength]}>
        <span aria-hidden="true" />
        <span aria-hidden="true" />
        <span aria-hidden="true" />
        <Text size="xs" c="dimmed" role="status">
          {first === '' ? t('passphrase.hint') : t(`passphrase.strength.${strength ?? 'unknown'}`)}
        </Text>
      </div>
      <PassphraseInput
        label={t('passphrase.again')}
        error={second !== '' && !first.startsWith(second) && !isSame ? t('passphrase.differs') : undefined}
        onChange={({ currentTarget: { value } }) => setTyped((typed) => ({ ...typed, second: value }))}
      />
    </>
  );
}

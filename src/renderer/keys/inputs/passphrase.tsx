import { PasswordInput, type PasswordInputProps, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../parts/parts.module.css';
import { passphraseStrength, type Strength } from './strength.ts';

/** A field for a passphrase that the browser does not save. The owner can show the typed text. */
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

/** How long after the last key press a passphrase is rated, in milliseconds. */
const JUDGED_AFTER_MS = 150;
const LEVEL: Readonly<Record<Strength, number>> = { short: 0, weak: 1, fair: 2, strong: 3 };

/** Returns the strength of the typed text; null until it is known. */
function useStrength(text: string): Strength | null {
  const [settled] = useDebouncedValue(text, JUDGED_AFTER_MS);
  const [judged, setJudged] = useState<{ readonly text: string; readonly strength: Strength } | null>(null);
  useEffect(() => {
    let isLatest = true;
    passphraseStrength(settled).then(
      (strength) => {
        if (isLatest) setJudged({ text: settled, strength });
      },
      // The word lists could not be loaded. The page is reloaded when the node answers again.
      () => {},
    );
    return () => {
      isLatest = false;
    };
  }, [settled]);
  return judged?.text === text ? judged.strength : null;
}

/**
 * Submits the form if Enter was pressed before the strength was known, after the form got the passphrase. Returns
 * functions that register and forget such an Enter.
 */
function useEarlyEnter(strength: Strength | null): {
  take: (form: HTMLFormElement | null) => void;
  forget: () => void;
} {
  const [early, setEarly] = useState<HTMLFormElement | null>(null);
  const [ready, setReady] = useState<HTMLFormElement | null>(null);
  useEffect(() => {
    if (early === null || strength === null) return;
    setEarly(null);
    setReady(early);
  }, [early, strength]);
  useEffect(() => {
    if (ready === null) return;
    setReady(null);
    if (ready.querySelector('[type=submit]:not(:disabled)') !== null) ready.requestSubmit();
  }, [ready]);
  return { take: setEarly, forget: () => setEarly(null) };
}

/**
 * Asks for a new passphrase twice, shows its strength, and says that nobody can recover it. `onChosen` gets it when it
 * is strong enough and both inputs are equal, and null otherwise.
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
  // Before the browser handles the next key: Enter between a known strength and the button it enables would be lost.
  useLayoutEffect(() => told.current(chosen), [chosen]);
  const enter = useEarlyEnter(strength);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key !== 'Enter' || strength !== null || !isSame) return;
    // The button may be enabled before the browser handles the key: then the browser would submit the form as well.
    event.preventDefault();
    enter.take(event.currentTarget.form);
  };
  const type = (next: Partial<TypedPassphrase>): void => {
    enter.forget();
    setTyped((typed) => ({ ...typed, ...next }));
  };
  // The inputs have no `value`: React would write it into the attribute, where it is part of the document.
  return (
    <>
      <PassphraseInput
        label={t('passphrase.new')}
        description={t('passphrase.newText')}
        onChange={({ currentTarget: { value } }) => type({ first: value })}
        onKeyDown={onKeyDown}
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
        onChange={({ currentTarget: { value } }) => type({ second: value })}
        onKeyDown={onKeyDown}
      />
    </>
  );
}

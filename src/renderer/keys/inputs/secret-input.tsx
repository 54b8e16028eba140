import { SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_LABEL_LENGTH } from '../../../shared/crypto/keystore/keystore-limits.ts';
import type { TypedSecret } from '../worker/protocol.ts';
import { PhraseInput } from './phrase-input.tsx';

interface Props {
  /** The only kind to offer; null offers both. */
  readonly kind: TypedSecret['kind'] | null;
  readonly onRead: (secret: TypedSecret | null) => void;
}

function SeedInput({ onRead }: Pick<Props, 'onRead'>) {
  const { t } = useTranslation('keys');
  // Only the element has the text as its value: React would write one into the attribute.
  const [text, setText] = useState('');
  const digits = text.replace(/^\s*0x/i, '').replace(/[\s:]/g, '');
  const isHex = /^[0-9a-fA-F]*$/.test(digits);
  const fault = !isHex ? t('seed.notHex') : digits.length > 64 ? t('seed.long', { count: digits.length }) : undefined;
  return (
    <TextInput
      size="sm"
      label={t('seed.label')}
      description={t('seed.text', { count: digits.length })}
      error={fault}
      onChange={(event) => {
        const value = event.currentTarget.value;
        setText(value);
        const next = value.replace(/^\s*0x/i, '').replace(/[\s:]/g, '');
        onRead(/^[0-9a-fA-F]{64}$/.test(next) ? { kind: 'seed', seedHex: next } : null);
      }}
      autoComplete="off"
      spellCheck={false}
      ff="monospace"
      data-autofocus
    />
  );
}

/** A field for a phrase or for a seed. */
export function SecretInput({ kind, onRead }: Props) {
  const { t } = useTranslation('keys');
  const [chosen, setChosen] = useState<TypedSecret['kind']>(kind ?? 'phrase');
  return (
    <>
      {kind === null ? (
        <SegmentedControl
          size="xs"
          aria-label={t('bring.kind')}
          value={chosen}
          onChange={(value) => {
            setChosen(value as TypedSecret['kind']);
            onRead(null);
          }}
          data={(['phrase', 'seed'] as const).map((value) => ({ value, label: t(`secret.kind.${value}`) }))}
        />
      ) : null}
      {chosen === 'phrase' ? <PhraseInput onRead={onRead} /> : <SeedInput onRead={onRead} />}
    </>
  );
}

/** A field for the owner's name of a phrase or seed. */
export function LabelInput({ value, onChange }: { value: string; onChange: (label: string) => void }) {
  const { t } = useTranslation('keys');
  return (
    <TextInput
      size="sm"
      label={t('secret.label')}
      description={t('secret.labelText')}
      maxLength={MAX_LABEL_LENGTH}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

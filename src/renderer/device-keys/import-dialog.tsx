import { Alert, Button, FileButton, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '../components/dialog.tsx';
import { Failure } from '../components/failure.tsx';
import { Fault } from '../keys/parts/messages.tsx';
import { useAction } from '../keys/parts/use-action.ts';
import { useKeys } from '../keys/session/page-keys.ts';
import type { FieldKeyImport } from '../keys/worker/protocol.ts';
import classes from './keyring.module.css';

/** How many errors of a list are shown. The others are only counted. */
const NAMED_ERRORS = 10;
/** The highest key version of the protocol, 2^32-1. */
const MAX_VERSION = 4_294_967_295;
/** Ten thousand keys are about 1.5 MB. A larger file is not a list of keys. */
const MOST_BYTES = 4 * 1024 * 1024;

interface Props {
  readonly deviceId: string;
  /** The suggested key version for a key without one. */
  readonly keyVersion: number;
  readonly onDone: (result: FieldKeyImport) => void;
  readonly onClose: () => void;
}

/**
 * A dialog that imports field keys: one in hex for this device, or a list for any devices. Either all keys are imported
 * or none, and it asks before it replaces a key.
 */
export default function ImportDialog({ deviceId, keyVersion, onDone, onClose }: Props) {
  const { t } = useTranslation(['keyring', 'app']);
  // Uncontrolled, so that React writes no copy of the keys into the document.
  const input = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  const [typedVersion, setTypedVersion] = useState(String(keyVersion));
  const [result, setResult] = useState<FieldKeyImport | null>(null);
  const [isTooLarge, setTooLarge] = useState(false);
  const keySession = useKeys();
  const action = useAction();
  const version = /^\d{1,10}$/.test(typedVersion.trim()) ? Number(typedVersion) : Number.NaN;
  const isVersion = version <= MAX_VERSION;

  const take = (replace: boolean): void => {
    if (!isVersion) return;
    action.run(async () => {
      const context = { deviceId, keyVersion: version };
      const answer = await keySession.change('importFieldKeys', { text, context, replace });
      const isDone = answer.errors.length === 0 && (replace || answer.conflicting.length === 0);
      if (isDone) onDone(answer);
      else setResult(answer);
    });
  };
  const submit = (): void => {
    take(false);
  };
  const change = (next: string): void => {
    setText(next);
    setResult(null);
    setTooLarge(false);
  };
  const read = (file: File | null): void => {
    if (file === null) return;
    if (file.size > MOST_BYTES) setTooLarge(true);
    else {
      const take = (read: string): void => {
        if (input.current !== null) input.current.value = read;
        change(read);
      };
      file.text().then(take, () => setTooLarge(true));
    }
  };
  const conflicts = result?.conflicting.length ?? 0;
  return (
    <FormDialog
      title={t('import.title')}
      onClose={onClose}
      size="lg"
      onSubmit={submit}
      submit={t('import.take')}
      isPending={action.isRunning}
      isDisabled={text.trim() === '' || !isVersion}
    >
      <Textarea
        size="sm"
        label={t('import.keys')}
        description={t('import.text')}
        ref={input}
        onChange={(event) => change(event.currentTarget.value)}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        rows={5}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
        data-autofocus
      />
      <Group gap="xs" align="end">
        <TextInput
          size="xs"
          label={t('import.version')}
          value={typedVersion}
          onChange={(event) => setTypedVersion(event.currentTarget.value)}
          inputMode="numeric"
          maxLength={10}
          error={!isVersion}
          w={180}
        />
        <FileButton onChange={read} accept=".csv,.json,.txt,text/csv,application/json,text/plain">
          {(props) => (
            <Button {...props} variant="default" size="xs">
              {t('import.file')}
            </Button>
          )}
        </FileButton>
      </Group>
      <Failure>{isTooLarge ? t('import.unreadable') : null}</Failure>
      {result !== null && result.errors.length > 0 ? (
        <Alert variant="light" color="red" p="xs" role="alert" title={t('import.refused')}>
          <ul className={classes.errors}>
            {result.errors.slice(0, NAMED_ERRORS).map(({ position, problem }) => (
              <li key={`${position} ${problem}`}>
                {t('import.error', { position, problem: t(`import.problem.${problem}`) })}
              </li>
            ))}
            {result.errors.length > NAMED_ERRORS ? (
              <li>{t('app:common.more', { count: result.errors.length - NAMED_ERRORS })}</li>
            ) : null}
          </ul>
        </Alert>
      ) : null}
      {conflicts > 0 ? (
        <Alert variant="light" color="orange" p="xs" role="alert">
          <Stack gap="xs" align="start">
            <Text size="sm">{t('import.conflict', { count: conflicts })}</Text>
            <Button variant="default" size="xs" loading={action.isRunning} onClick={() => take(true)}>
              {t('import.replace', { count: conflicts })}
            </Button>
          </Stack>
        </Alert>
      ) : null}
      <Fault error={action.error} />
    </FormDialog>
  );
}

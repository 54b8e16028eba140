import { Button, TextInput, Title } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FolderStartProblem } from '../../../shared/node-state.ts';
import { errorCode } from '../../api/errors.ts';
import { useUseDataDir } from '../../api/queries/moving.ts';
import { useSettings } from '../../api/queries/settings.ts';
import { DiagnosticsButton } from '../../settings/diagnostics-button.tsx';
import { useSettingsText } from '../../settings/problem-text.ts';
import classes from './startup.module.css';
import { RetryButton } from './startup-frame.tsx';

interface FormProps {
  readonly initial: string;
  /** Additional buttons. */
  readonly children?: ReactNode;
}

function FolderForm({ initial, children }: FormProps) {
  const { t } = useTranslation(['startup', 'app']);
  const ts = useSettingsText();
  const [path, setPath] = useState(initial);
  const use = useUseDataDir();
  const refused = use.data ?? null;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (path.trim() !== '') use.mutate({ path: path.trim(), startOver: false });
  };
  const error = use.isError
    ? t(`app:error.${errorCode(use.error)}.text`)
    : refused === 'no_data'
      ? t('folder.noData')
      : refused && ts(`moveProblem.${refused}`);
  return (
    <form onSubmit={submit}>
      <TextInput
        label={t('folder.label')}
        description={t('folder.labelText')}
        value={path}
        error={error || undefined}
        spellCheck={false}
        autoComplete="off"
        maxLength={4096}
        onChange={(event) => {
          setPath(event.currentTarget.value);
          use.reset();
        }}
      />
      <div className={classes.actions} style={{ marginTop: 14 }}>
        <Button size="sm" type="submit" disabled={path.trim() === ''} loading={use.isPending}>
          {t('folder.use')}
        </Button>
        {refused === 'no_data' ? (
          <Button size="sm" variant="default" onClick={() => use.mutate({ path: path.trim(), startOver: true })}>
            {t('folder.newNode')}
          </Button>
        ) : null}
        {children}
      </div>
    </form>
  );
}

function usePinned(): boolean {
  return useSettings().data?.settings.dataDir.source === 'environment';
}

/** A form that chooses another data folder, if the contents of the current one may have caused the failure. */
export function OtherFolder() {
  const { t } = useTranslation(['startup', 'app']);
  if (usePinned()) return null;
  return (
    <details>
      <summary className={classes.summary}>{t('folder.other')}</summary>
      <FolderForm initial="" />
    </details>
  );
}

/** Shown if the data folder can't be used. Gives the reason, with a form that chooses another folder. */
export function FolderFailure({ problem }: { problem: FolderStartProblem }) {
  const { t } = useTranslation(['startup', 'app']);
  const ts = useSettingsText();
  const { reason, path, detail } = problem;
  const isPinned = usePinned();
  return (
    <>
      <Title order={1} size="h3">
        {t(`folder.title.${reason}`)}
      </Title>
      <p role="alert">{t(`folder.text.${reason}`)}</p>
      <p className={classes.said}>{reason === 'moved' ? `${path} → ${detail}` : path}</p>
      {reason === 'unusable' ? (
        <p className={classes.said} lang="en">
          {detail}
        </p>
      ) : null}
      {isPinned ? (
        <>
          <p>{ts('moveProblem.pinned')}</p>
          <div className={classes.actions}>
            <RetryButton />
          </div>
        </>
      ) : (
        <FolderForm initial={reason === 'moved' ? (detail ?? '') : ''}>
          <RetryButton />
        </FolderForm>
      )}
      <p className={classes.advice}>{t('devices')}</p>
      <div className={classes.actions}>
        <DiagnosticsButton label={ts('diagnostics.name')} size="sm" />
      </div>
    </>
  );
}

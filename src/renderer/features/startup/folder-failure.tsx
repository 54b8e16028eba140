import { Button, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { FolderStartProblem } from '../../../shared/node-state.ts';
import { getApi } from '../../api/client.ts';
import { errorCode } from '../../api/errors.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { DiagnosticsButton } from '../settings/diagnostics-section.tsx';
import { useSettingsText } from '../settings/problem-text.ts';
import { useSettings } from '../settings/use-settings.ts';
import { RetryButton } from './retry-button.tsx';
import classes from './startup.module.css';

interface FormProps {
  readonly initial: string;
  /** Further buttons beside its own. */
  readonly children?: ReactNode;
}

function FolderForm({ initial, children }: FormProps) {
  const { t } = useTranslation('startup');
  const ts = useSettingsText();
  const [path, setPath] = useState(initial);
  const use = useMutation({
    mutationFn: async (startAnew: boolean) =>
      (await getApi().call('useDataDir', { path: path.trim(), startAnew })).problem,
  });
  const refused = use.data ?? null;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (path.trim() !== '') use.mutate(false);
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
          <Button size="sm" variant="default" onClick={() => use.mutate(true)}>
            {t('folder.startAnew')}
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

/** The way to another data folder, for a failure that may have to do with what is in this one. */
export function OtherFolder() {
  const { t } = useTranslation('startup');
  if (usePinned()) return null;
  return (
    <details>
      <summary className={classes.summary}>{t('folder.other')}</summary>
      <FolderForm initial="" />
    </details>
  );
}

/** The data folder can't be used: why, and the way to another one. */
export function FolderFailure({ problem }: { problem: FolderStartProblem }) {
  const { t } = useTranslation('startup');
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
